"""What a model may write in one turn, and what nobody but the person writes again."""

from __future__ import annotations

from typing import Any

import pytest

from forgesite.models import Account
from memory.errors import ForgottenError
from memory.forget import forget
from memory.models import Entry
from memory.remember import Draft, remember, remember_many
from memory.revise import Changes, revise
from memory.tests.entries import saved
from memory.tests.refused import Meanwhile, refused

TEXT = "The test server runs on port 8080"


@pytest.fixture(autouse=True)
def _without_embedder(words_only: None) -> None:
    """What is embedded is no matter here."""


def by_model(text: str = TEXT, **draft: Any) -> Draft:
    return Draft(text, **{"origin": "model", "conversation": "c1", "message": 7, **draft})


def test_a_model_writes_eight_entries_a_turn(ana: Account) -> None:
    for number in range(5):
        remember(ana, by_model(f"Fact number {number} of the evening"), actor="model", cause="test")
    more = [by_model(f"Fact number {number} of the evening") for number in range(5, 8)]
    remember_many(ana, more, actor="model", cause="test")
    with refused("model_limit") as error:
        remember(ana, by_model("One too many"), actor="model", cause="test")
    assert error.value.detail == {"size": 9, "limit": 8}
    remember(ana, by_model("Fact number 3 of the evening"), actor="model", cause="test")  # said again, none more
    remember(ana, by_model("The next turn", message=8), actor="model", cause="test")
    saved(ana, "And what the person says in it", conversation="c1", message=7)
    assert Entry.objects.count() == 10


def test_a_batch_of_nine_by_a_model_is_refused_whole(ana: Account) -> None:
    for message in (7, None):
        drafts = [by_model(f"Fact number {number} of the evening", message=message) for number in range(9)]
        with refused("model_limit"):
            remember_many(ana, drafts, actor="model", cause="test")


@pytest.mark.parametrize(
    ("draft", "size", "limit"),
    [
        ({"text": "é " * 2731}, 8193, 8192),
        ({"key": "é" * 65}, 130, 128),
        ({"sources": tuple(range(1, 34))}, 33, 32),
        ({"kind": "summary", "covers": tuple(range(1, 34))}, 33, 32),
    ],
)
def test_a_model_has_limits_that_are_named(ana: Account, draft: dict[str, Any], size: int, limit: int) -> None:
    with refused("model_limit") as error:
        remember(ana, by_model(**draft), actor="model", cause="test")
    assert error.value.detail == {"size": size, "limit": limit}
    assert error.match(f"{size}.*{limit}")


def test_a_model_makes_no_text_longer_than_it_may_write(ana: Account) -> None:
    entry = remember(ana, by_model(), actor="model", cause="test").entry
    with refused("model_limit"):
        revise(ana, entry.pk, Changes(text="very " * 2000), version=1, actor="model", cause="test")


def test_a_persons_text_is_kept_whole_up_to_a_mebibyte(ana: Account) -> None:
    assert len(saved(ana, "very " * 2000).text) == 10_000
    with refused("too_large") as error:
        saved(ana, "word " * 2_000_000)
    assert error.value.detail == {"size": 10_000_000, "limit": 1_048_576}


@pytest.mark.parametrize("origin", ["model", "compaction", "import"])
def test_what_was_forgotten_is_not_taken_from_its_message_again(ana: Account, ben: Account, origin: str) -> None:
    forget(ana, [saved(ana, TEXT, conversation="c1", message=7).pk], actor="person", cause="test")
    draft = by_model("The server listens at 8080", origin=origin)
    with refused("forgotten") as error:
        remember(ana, draft, actor=origin, cause="test")
    assert "8080" not in str(error.value)
    other = by_model("The cat is called Mia", origin=origin, message=8)
    batch = remember_many(ana, [draft, other], actor=origin, cause="test")
    assert ([entry.text for entry in batch.entries], batch.forgotten, batch.duplicates) == ([other.text], 1, 0)
    remember(ben, draft, actor=origin, cause="test")
    assert saved(ana, TEXT, conversation="c1", message=7).text == TEXT


def test_an_import_brings_nothing_back_from_a_forgotten_source(ana: Account) -> None:
    draft = Draft(TEXT, kind="exchange", origin="import", source="chatgpt:1:2")
    [entry] = remember_many(ana, [draft], actor="import", cause="test").entries
    forget(ana, [entry.pk], actor="person", cause="test")
    assert remember_many(ana, [draft], actor="import", cause="test").forgotten == 1
    with refused("forgotten"):
        remember(ana, draft, actor="import", cause="test")


def test_what_is_forgotten_while_a_model_writes_stays_forgotten(ana: Account) -> None:
    def meanwhile() -> Meanwhile:
        entry = saved(ana, TEXT, conversation="c1", message=7)
        return Meanwhile(lambda: forget(ana, [entry.pk], actor="person", cause="test"))

    with pytest.raises(ForgottenError):
        remember(ana, by_model("It is at 8080"), actor="model", cause="test", door=meanwhile())
    batch = remember_many(ana, [by_model("It is at 80", message=9)], actor="model", cause="test", door=meanwhile())
    assert (batch.forgotten, Entry.objects.count()) == (0, 1)
