"""After an edit by any way the vectors are those of the text as it is now, one a part (B3)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from forgesite.lib.vectors import packed
from forgesite.models import Account
from forgesite.testing_embedders import ScriptedEmbedder
from forgesite.tests.web import Web, by_token
from memory import embedding, jobs
from memory.models import Entry
from memory.remember import Draft, remember
from memory.revise import Changes, revise
from memory.tests.embedding_service import BICYCLE, LADDER, Service
from memory.tests.entries import by_sql, saved
from memory.verify import verify

pytestmark = pytest.mark.django_db(transaction=True)
LONG = "\n".join(f"line {number} is about the bicycle in the cellar" for number in range(80))


@pytest.fixture
def web(ana: Account) -> Web:
    return by_token(ana)


def by_verb(owner: Account, entry: Entry, text: str, **_doors: Any) -> None:
    revise(owner, entry.pk, Changes(text=text), version=None, actor="person", cause="test")


def by_rest(_owner: Account, entry: Entry, text: str, *, web: Web, **_doors: Any) -> None:
    assert web.ask("PATCH", f"/memory/{entry.pk}", {"content": text, "version": entry.version}).status_code == 200


def by_desk(_owner: Account, entry: Entry, text: str, *, desk: Client, **_doors: Any) -> None:
    form = {"text": text, "kind": "fact", "project": "", "event_at_0": "", "event_at_1": "", "seen": entry.version}
    assert desk.post(reverse("admin:memory_entry_change", args=[entry.pk]), form).status_code == 302


def by_key(owner: Account, _entry: Entry, text: str, **_doors: Any) -> None:
    remember(owner, Draft(text, key="where"), actor="person", cause="test")


def by_shell(_owner: Account, entry: Entry, text: str, **_doors: Any) -> None:
    by_sql("UPDATE memory_entry SET text = %s WHERE id = %s", text, entry.pk)
    jobs.embed_pending(asked=True)


@pytest.mark.parametrize("edit", [by_verb, by_rest, by_desk, by_key, by_shell])
@pytest.mark.parametrize("text", [LADDER, LONG], ids=["one part", "several"])
def test_the_vectors_are_those_of_the_text_as_it_is_now(
    desk: Client, web: Web, ana: Account, embedder: ScriptedEmbedder, edit: Callable[..., None], text: str
) -> None:
    entry = saved(ana, BICYCLE, key="where" if edit is by_key else "")
    edit(ana, entry, text, desk=desk, web=web)
    door = embedding.served()
    now = Entry.objects.get(text=text)
    [due] = embedding.embedded(door, [text])
    kept = now.vectors.order_by("part")
    assert [bytes(row.vector) for row in kept] == [packed(vector) for vector in due.vectors]
    assert (len(due.vectors) > 1) == (text is LONG)
    assert (now.pk == entry.pk) == (edit is not by_key)
    assert [row.part for row in kept] == list(range(len(due.vectors)))


def test_what_changes_no_word_is_not_embedded_again(ana: Account, embedder: ScriptedEmbedder) -> None:
    entry = saved(ana, BICYCLE)
    before, kept = len(embedder.requests), list(entry.vectors.values_list("pk", "vector"))
    revise(ana, entry.pk, Changes(kind="note", project="house"), version=None, actor="person", cause="test")
    assert (len(embedder.requests), list(entry.vectors.values_list("pk", "vector"))) == (before, kept)
    assert verify().ok


@pytest.mark.usefixtures("queue")
def test_vectors_that_failed_leave_a_mark_and_a_line(
    ana: Account, service: Service, caplog: pytest.LogCaptureFixture
) -> None:
    entry = saved(ana, BICYCLE)
    service.goes("fail")
    revise(ana, entry.pk, Changes(text=LADDER), version=None, actor="person", cause="test")
    assert "entries wait for their vectors" in caplog.text
    jobs.embed_pending(asked=True)
    assert (entry.vectors.count(), "entry has no vectors yet" in caplog.text) == (0, True)
