"""Items to judge, and what a scripted judge answers about them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta

from forgesite.models import Account
from forgesite.testing_models import ScriptedModel, weighed_stream
from forgesite.testing_wire import Request
from retention.domain.items import Item, Row
from retention.models import JudgeCalls

NOW = datetime(2026, 11, 30, 4, 30, tzinfo=UTC)


def row(number: int, text: str, *, days: float = 40, kind: str = "fact") -> Row:
    at = NOW - timedelta(days=days)
    return Row(number, kind, "home", text, said_at=at, told_at=at, fresh_at=at)


def single(ref: str = "s0", text: str = "The wifi password is birch-71", *newer: str) -> Item:
    beside = [row(100 + place, said, days=place + 1) for place, said in enumerate(newer)]
    return Item(ref, row(1, text), tuple(beside))


def pair(ref: str = "p0", older: str = "I live in Lisbon", newer: str = "I have moved to Ghent") -> Item:
    return Item(ref, row(1, older), (row(2, newer, days=1),), pair=True, likeness=0.91)


def will_choose(model: ScriptedModel, times: int = 1, **options: object) -> None:
    for _time in range(times):
        model.will_answer(json.dumps(options))


def will_weigh(model: ScriptedModel, tokens: list[tuple[str, Mapping[str, float]]]) -> None:
    model.will_send(weighed_stream([(text, dict(likely) or {text: 1.0}) for text, likely in tokens]))


def calls(model: ScriptedModel) -> list[Request]:
    return model.sent_to("/v1/chat/completions")


def counts(owner: Account) -> tuple[int, int, int, int]:
    row = JudgeCalls.objects.of(owner).get()
    return row.reserved, row.spent, row.prompt_tokens, row.completion_tokens
