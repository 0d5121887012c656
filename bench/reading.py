"""Is what answers a question in what a turn is given? `python -m bench.reading [--policy NAME]… [--answers]`.

    [--provider NAME] [--url URL] [--model NAME]

91 messages and eight questions (bench/reading_cases.py), in an empty memory with the bundled embedder. Without a model:
do the texts that a turn is given hold one term of every accepted group, for each policy (`balanced`) and for the last
four messages. With `--answers` or a --url a model answers from those texts, and its answer is held to the same rule;
where nothing was told it has to say so. JSON on standard output. Which model: bench/asking.py. Status 1: there is none.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING, Any, get_args

from bench.asking import add_arguments, answers, name_of, opened
from bench.place import place
from bench.reading_cases import CASES, Case, Told, told
from forgesite.config import Policy
from forgesite.lib.language_models import ModelDoor
from memory.domain.fence import Datum, fenced
from memory.domain.non_answers import is_non_answer
from memory.domain.refusals import is_refusal

if TYPE_CHECKING:
    from forgesite.models import Account
    from memory.remember import Draft

SCHEMA, FIXTURE = 1, "forge-reading-91"
LAST = 4
TOKENS = 64
SYSTEM = "Answer the question from the notes, in one sentence. Where they do not tell, say that you do not know."


@dataclass(frozen=True)
class Given:
    """What a turn is given for a case. `nothing`: it is told that memory holds nothing on it; open todos come too."""

    case: Case
    texts: tuple[str, ...]
    nothing: bool = False

    @property
    def bytes(self) -> int:
        return sum(len(text.encode()) for text in self.texts)

    def evidence(self) -> bool:
        """Of a question that has no answer: was the turn told so?"""
        return accepted(self.case, "\n".join(self.texts)) if self.case.accept else self.nothing

    def stale(self) -> bool:
        return any(term in text for term in self.case.stale for text in self.texts)


def main(given: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--policy", choices=get_args(Policy), action="append")
    parser.add_argument("--answers", action="store_true", help="by a model; --url says which")
    add_arguments(parser)
    options = parser.parse_args(given)
    door = opened(options) if options.answers or options.url else None
    with place(EMBEDDING_PROVIDER="bundled"):
        from forgesite.models import Account

        found = measured(Account.objects.create_user("bench"), options.policy or ["balanced"])
    print(json.dumps(report(found, door), ensure_ascii=False, indent=2))
    return 0


def measured(owner: Account, policies: Sequence[str]) -> dict[str, list[Given]]:
    """By the name of the way in which texts were chosen."""
    texts = filled(owner)
    found = {policy: [recalled(owner, case, policy) for case in CASES] for policy in policies}
    return found | {f"last {LAST} messages": [Given(case, tuple(texts[-LAST:])) for case in CASES]}


def filled(owner: Account) -> list[str]:
    """The texts in the order in which they were told."""
    from memory.remember import remember_many

    made: dict[str, int] = {}
    for _key, some in groupby(told(), key=lambda each: "weather" if each.key.startswith("weather") else each.key):
        drafts = [draft_of(each, made) for each in some]
        made |= {entry.key: entry.pk for entry in remember_many(owner, drafts, actor="bench", cause="bench").entries}
    return [each.text for each in told()]


def draft_of(message: Told, made: dict[str, int]) -> Draft:
    from memory.remember import Draft

    covers = tuple(made[key] for key in message.covers)
    return Draft(
        message.text,
        kind=message.kind,
        status=message.status,
        key=message.key,
        sources=covers,
        covers=covers,
        origin="import",
    )


def recalled(owner: Account, case: Case, policy: str) -> Given:
    """As a turn is given them: packed into what a prompt has room for, and nothing where memory holds nothing on it."""
    from chat.prompting.given import given
    from chat.prompting.packing import packed
    from memory.recall import Query, recall

    found = packed(recall(owner, Query(case.question, policy=policy, for_prompt=True)))
    return Given(case, tuple(row.entry.text for row in given(found)), found.nothing)


def accepted(case: Case, text: str) -> bool:
    """Of a question that has no answer: does it say so?"""
    if not case.accept:
        return is_refusal(text) or is_non_answer(text)
    folded = text.casefold()
    return all(any(term.casefold() in folded for term in group) for group in case.accept)


def report(found: dict[str, list[Given]], door: ModelDoor | None) -> dict[str, Any]:
    return {
        "schema": SCHEMA,
        "fixture": FIXTURE,
        "messages": len(told()),
        "model": name_of(door) if door else None,
        "strategies": [strategy(name, given, door) for name, given in found.items()],
        "scope": "Evidence: the accepted terms are in the texts given. Answers: they are in what the model said.",
    }


def strategy(name: str, given: Sequence[Given], door: ModelDoor | None) -> dict[str, Any]:
    said = answers(door, [(SYSTEM, asked(each)) for each in given], TOKENS) if door else [None] * len(given)
    results = [result(each, text) for each, text in zip(given, said, strict=True)]
    known = [each for each in results if each["known"]]
    counted = {"evidence_hits": sum(each["evidence"] for each in known)}
    if door:
        counted |= {"answer_hits": sum(each["answer"] for each in known)}
        counted |= {"abstentions": sum(each["answer"] for each in results if not each["known"])}
    return {"strategy": name, **counted, "known": len(known), "cases": len(results), "results": results}


def result(given: Given, said: str | None) -> dict[str, Any]:
    told_of = {"answer": accepted(given.case, said), "said": said} if said is not None else {}
    return {
        "case": given.case.name,
        "known": bool(given.case.accept),
        "evidence": given.evidence(),
        "nothing": given.nothing,
        "stale": given.stale(),
        "bytes": given.bytes,
        **told_of,
    }


def asked(given: Given) -> str:
    notes = fenced([Datum(f"note {number}", text) for number, text in enumerate(given.texts, 1)])
    return f"Notes:\n{notes if given.texts else 'none'}\n\nQuestion: {given.case.question}"


if __name__ == "__main__":
    sys.exit(main())
