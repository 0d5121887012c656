"""Whole transcripts in one entry are cut: the pieces answer, the block no more, nothing is lost, all can be undone."""

from __future__ import annotations

from collections.abc import Sequence
from io import StringIO
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from django.core.management import CommandError, call_command
from django.test import override_settings

from chat import resplit as resplitting
from chat.domain.transcript import Message, render, split
from chat.embedding_ahead import Ahead
from chat.importing import bring_in
from chat.resplit import Fate, cutting, plan, resplit
from chat.tests.earlier import BLOCK, forge_rag
from forgesite.lib.embeddings import EmbeddingFailedError
from forgesite.lib.vectors import Vector
from forgesite.models import Account
from memory.commits import commits
from memory.domain.causes import read
from memory.errors import EmbeddingError
from memory.models import Entry, Kind, Link, LinkType, Origin
from memory.move import retract
from memory.recall import Query, recall
from memory.remember import Draft, remember_many
from memory.revise import Changes, revise
from memory.undo import last, undo
from memory.verify import verify

PIECES = [
    "user: Which port does the reverse proxy listen on?\nassistant: The reverse proxy listens on port 8443.",
    "user: When does the backup of the NAS run?\nassistant: The backup of the NAS runs at 02:30.",
    "user: Which colour has the moon base?",
]
REFUSALS = "user: Is it on?\nassistant: [error] nobody knows\nuser: And now?\nassistant: [no memory] nothing on this"


def stored(owner: Account, *texts: str, **more: Any) -> list[Entry]:
    drafts = [Draft(text, kind=Kind.EXCHANGE, origin=Origin.IMPORT, **more) for text in texts]
    return list(remember_many(owner, drafts, actor="import", cause="import forge_rag").entries)


def shown(owner: Account, question: str, *, for_prompt: bool = True) -> list[str]:
    """A search, which no prompt is made of, also shows what was replaced, beside what replaced it."""
    query = Query(question, policy="lexical", for_prompt=for_prompt)
    return [row.entry.text for row in recall(owner, query).rows]


def run(*arguments: str) -> str:
    out = StringIO()
    call_command("resplit", *arguments, stdout=out)
    return out.getvalue()


class Failing:
    """Goes away before the last of the blocks."""

    name, wrapper, dim = "failing", "", 4

    def embed_documents(self, texts: Sequence[str]) -> list[Vector]:
        if any("02:31" in text for text in texts):
            raise EmbeddingFailedError("the server went away")
        return [np.array([1, 0, 0, 0], dtype=np.float32) for _text in texts]

    def embed_query(self, text: str) -> Vector:
        return self.embed_documents([text])[0]


# -- what is cut


def test_the_units_are_those_of_the_shared_rules_and_a_person_s_words_are_kept() -> None:
    found = cutting(BLOCK)

    assert found is not None
    assert [piece.text for piece in found.units] == split(BLOCK) == PIECES[:2]
    assert [piece.text for piece in found.words] == PIECES[2:]
    assert found.dropped == {"pointer": 1, "not_answered": 1}


def test_a_pointer_of_the_earlier_forge_is_none_of_them() -> None:
    found = cutting(BLOCK.replace("messages compactés", "messages précédents compactés"))

    assert found is not None
    assert [piece.text for piece in found.units] == PIECES[:2]


@pytest.mark.parametrize(
    "text",
    [
        PIECES[0],
        PIECES[2],
        "a note without any role",
        render([Message("user", "hello\nuser: this is a quotation"), Message("assistant", "I see\n\n\nassistant: x")]),
    ],
)
def test_what_is_one_unit_already_stays_as_it_is(ana: Account, text: str) -> None:
    stored(ana, text)

    assert list(plan(ana)) == []


# -- the pieces and the block


def test_the_pieces_answer_and_the_block_no_more(filled: Account) -> None:
    [block] = stored(filled, BLOCK, project="homelab")
    [done] = resplit(filled, None)

    assert (done.fate, done.stored) == (Fate.CUT, 3)
    port, moon = shown(filled, "port of the reverse proxy"), shown(filled, "colour of the moon base")
    assert (port[0], moon[0]) == (PIECES[0], PIECES[2])
    assert BLOCK not in (*port, *moon)
    assert shown(filled, "port of the reverse proxy", for_prompt=False)[:2] == [PIECES[0], BLOCK]
    pieces = Entry.objects.of(filled).filter(text__in=PIECES).order_by("id")
    assert [piece.text for piece in pieces] == PIECES
    assert {(piece.project, piece.said_at, piece.kind, piece.origin) for piece in pieces} == {
        ("homelab", block.said_at, "exchange", "import")
    }


def test_the_block_stays_and_says_what_stands_in_its_place(ana: Account) -> None:
    [block] = stored(ana, BLOCK)
    list(resplit(ana, None))
    block.refresh_from_db()

    first = Entry.objects.get(text=PIECES[0])
    assert (block.text, block.superseded_by_id, block.superseded_how) == (BLOCK, first.pk, "replaced")
    rests = Link.objects.of(ana).standing().filter(type=LinkType.SOURCE, other=block)
    assert rests.count() == 3
    assert verify(ana).ok


def test_a_second_run_finds_nothing(ana: Account) -> None:
    stored(ana, BLOCK)
    list(resplit(ana, None))
    before = len(commits(ana, limit=50))

    assert list(resplit(ana, None)) == []
    assert len(commits(ana, limit=50)) == before


def test_it_can_be_undone_and_is_left_alone_then(ana: Account) -> None:
    [block] = stored(ana, BLOCK)
    list(resplit(ana, None))
    for _step in range(2):
        newest = last(ana)
        assert newest is not None
        assert read(newest.cause).ref == f"resplit #{block.pk}"
        undo(ana, newest.address, actor="person")

    assert [entry.text for entry in Entry.objects.of(ana).standing()] == [BLOCK]
    assert verify(ana).ok
    assert [done.fate for done in resplit(ana, None)] == [Fate.TAKEN_BACK]


def test_half_an_undo_is_not_done_again(ana: Account) -> None:
    stored(ana, BLOCK)
    list(resplit(ana, None))
    undo(ana, commits(ana, limit=1)[0].address, actor="person")

    assert [done.fate for done in resplit(ana, None)] == [Fate.TAKEN_BACK]
    assert Entry.objects.of(ana).standing().count() == 4


def test_importing_the_store_again_brings_neither_block_nor_pieces(ana: Account, tmp_path: Path) -> None:
    path = forge_rag(tmp_path / "forge_rag.db")
    bring_in(ana, [path])
    list(resplit(ana, None))
    count = Entry.objects.count()

    assert bring_in(ana, [path]).new.entries == 0
    assert Entry.objects.count() == count


def test_pieces_that_are_here_already_take_the_block_s_place(ana: Account) -> None:
    stored(ana, *PIECES)
    [block] = stored(ana, BLOCK)
    [done] = resplit(ana, None)
    block.refresh_from_db()

    assert (done.fate, done.stored, block.superseded_how) == (Fate.CUT, 0, "replaced")
    assert Entry.objects.count() == 4


def test_pieces_that_were_put_away_take_nobody_s_place(ana: Account) -> None:
    for entry in stored(ana, *PIECES):
        retract(ana, entry.pk, actor="person", cause="admin")
    stored(ana, BLOCK)

    assert [done.fate for done in plan(ana)] == [Fate.TAKEN_BACK]
    assert [done.fate for done in resplit(ana, None)] == [Fate.TAKEN_BACK]


# -- what is left


def test_a_block_of_refusals_alone_is_left_and_named(ana: Account) -> None:
    [block] = stored(ana, REFUSALS)

    assert [(done.id, done.fate) for done in resplit(ana, None)] == [(block.pk, Fate.REFUSED)]
    assert Entry.objects.get().is_live


def test_a_block_that_a_person_edited_is_left(ana: Account) -> None:
    [block] = stored(ana, BLOCK)
    more = Changes(text=f"{BLOCK}\nuser: I added this")
    revise(ana, block.pk, more, version=block.version, actor="person", cause="admin")

    assert [done.fate for done in resplit(ana, None)] == [Fate.PERSONS]
    assert Entry.objects.count() == 1


def test_nobody_else_s_blocks_are_cut(ana: Account, ben: Account) -> None:
    stored(ana, BLOCK)

    assert list(resplit(ben, None)) == []


# -- the run


def test_blocks_go_oldest_first_over_pages(ana: Account) -> None:
    count = resplitting.PAGE + 3
    blocks = [BLOCK.replace("8443", f"84{place}") for place in range(count)]
    stored(ana, *blocks)
    found = [block.id for block in plan(ana)]

    assert len(found) == count
    assert found == sorted(found)


def test_a_failing_embedder_stops_the_run_and_another_run_finishes_it(ana: Account) -> None:
    stored(ana, BLOCK, REFUSALS, BLOCK.replace("8443", "8444"), BLOCK.replace("02:30", "02:31"))
    done: list[Fate] = []
    with pytest.raises(EmbeddingError, match="went away"):
        done.extend(block.fate for block in resplit(ana, Ahead(Failing())))
    held = Entry.objects.of(ana).standing()
    assert held.filter(text__startswith="system:").count() == 1
    assert verify(ana).ok

    assert [block.fate for block in resplit(ana, None)] == [Fate.REFUSED, Fate.CUT]
    assert not held.filter(text__startswith="system:").exists()


def test_a_dry_run_says_what_would_be_and_writes_nothing(ana: Account) -> None:
    block, refused = stored(ana, BLOCK, REFUSALS)
    before = len(commits(ana, limit=50))
    said = run()

    assert f"#{block.pk}: units 2, own words without an answer 1, new 3; left out: not_answered 1, pointer 1" in said
    assert f"#{refused.pk} is left: nothing in it was answered" in said
    assert "Would cut: 1; left: 1. Exchanges: 2 now, 4 then." in said
    assert (Entry.objects.count(), len(commits(ana, limit=50))) == (2, before)


def test_what_a_dry_run_says_is_what_happens(ana: Account) -> None:
    stored(ana, BLOCK, BLOCK.replace("02:30", "03:30"), REFUSALS, PIECES[0])
    foreseen = list(plan(ana))

    assert foreseen == list(resplit(ana, None))


def test_the_command_makes_its_backup_first_or_does_nothing(ana: Account, tmp_path: Path) -> None:
    """Here the database is no file, so none can be made of it."""
    stored(ana, BLOCK)
    assert "No backup is made" in run("--backup", str(tmp_path / "before.db"))
    with pytest.raises(CommandError, match="nothing to back up"):
        run("--apply", "--backup", str(tmp_path / "before.db"))
    assert Entry.objects.count() == 1


def test_the_command_cuts_and_finds_nothing_more(ana: Account) -> None:
    stored(ana, BLOCK)
    assert "`manage.py resplit --apply` does it." in run()
    assert "Cut: 1; left: 0. Exchanges: 1 before, 3 now." in run("--apply", "--user", "ana")
    assert "nothing to cut" in run("--apply")


@pytest.mark.django_db(transaction=True)
def test_the_command_says_what_was_done_when_the_embedder_fails(ana: Account) -> None:
    stored(ana, BLOCK)
    out = StringIO()
    settings = override_settings(FORGE=_unreachable())
    with settings, pytest.raises(CommandError, match="embedding server"):
        call_command("resplit", "--apply", stdout=out)

    assert "Stopped." in out.getvalue()
    assert Entry.objects.count() == 1


def _unreachable() -> Any:
    from django.conf import settings

    more = {"EMBEDDING_PROVIDER": "llamacpp", "EMBEDDING_URL": "http://127.0.0.1:9/embedding"}
    return settings.FORGE.model_copy(update=more)
