"""!fold and !unfold: shown, done, and taken back; and the fold that a compaction asks for."""

from __future__ import annotations

from typing import Any

import pytest
from django.conf import settings as django_settings
from django.test import override_settings
from django_q.models import OrmQ
from pytest_django import Settings

from chat.leaving.compaction import compact
from chat.tests.talks import talk_of
from chat.tests.test_commands import say
from forgesite.models import Account
from memory.folds.job import FOLD
from memory.golden import star
from memory.tests.entries import saved
from memory.tests.folds import DECK, DECK_MORE, HARDWARE, RAM, TELEGRAM, block, notes, standing

pytestmark = pytest.mark.django_db(transaction=True)


def test_a_fold_is_shown_then_done_then_taken_back(ana: Account) -> None:
    deck, more = notes(ana, DECK, DECK_MORE)
    before = block(ana)

    shown = say(ana, "!fold").output
    assert f"#{more.pk} says it all and speaks for #{deck.pk}" in shown
    assert block(ana) == before

    assert f"#{more.pk} speaks for #{deck.pk} now" in say(ana, "!fold apply").output
    assert len(standing(ana)) == 1
    assert "Nothing to fold" in say(ana, "!fold apply").output

    assert f"#{deck.pk}" in say(ana, f"!unfold {more.pk}").output
    assert (block(ana), standing(ana)) == (before, set())


def test_a_misused_fold_says_how_it_is_used(ana: Account) -> None:
    assert "!fold [apply [force]]" in say(ana, "!fold all").output
    assert "speaks for no other" in say(ana, f"!unfold {notes(ana, DECK)[0].pk}").output


def test_a_fold_by_which_an_answer_would_lose_has_to_be_forced(ana: Account, settings: Settings) -> None:
    more: dict[str, Any] = {"RECALL_TOP_K": 1, "EMBEDDING_PROVIDER": "none"}
    settings.FORGE = settings.FORGE.model_copy(update=more)
    notes(ana, RAM, HARDWARE, TELEGRAM)
    right = saved(ana, "Paul aime le processeur Ryzen et Arch")
    star(ana, "processeur Ryzen Arch Ansible Podman", [right.pk])

    refused = say(ana, "!fold apply").output
    assert f"would lose #{right.pk}" in refused
    assert "`!fold apply force`" in refused
    assert standing(ana) == set()

    assert "speaks for" in say(ana, "!fold apply force").output
    assert len(standing(ana)) == 3


@pytest.mark.parametrize("on", [True, False])
def test_a_compaction_asks_for_a_fold_where_that_is_on(ana: Account, on: bool) -> None:
    small: dict[str, Any] = {"COMPACTION_THRESHOLD": 8, "COMPACTION_KEEP_RECENT": 4, "COMPACTION_AGGREGATE": on}
    with override_settings(FORGE=django_settings.FORGE.model_copy(update=small)):
        assert compact(ana, talk_of(ana, 5).pk).removed

    queued = [task.task["args"][0] for task in OrmQ.objects.all() if task.task]
    assert (FOLD in queued) == on
