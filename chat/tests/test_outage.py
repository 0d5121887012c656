"""What a person sees in chat, in the terminal and of an import while the embedding server is gone (B9)."""

from __future__ import annotations

import asyncio
import io
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.conf import settings
from django.core.management import CommandError, call_command
from django.test import override_settings

from chat.embedding_ahead import ahead
from chat.importing import bring_in
from chat.models import Conversation
from chat.outcome import TurnResult, complete
from chat.tests.test_importing import BACKUP, PORT, REPLY, chatgpt, written
from chat.turn_request import TurnRequest
from forgesite.lib.embeddings import EmbeddingFailedError
from forgesite.models import Account
from forgesite.testing_embedders import ScriptedEmbedder, served_by
from memory import jobs
from memory.errors import EmbeddingError
from memory.models import Entry, Vector
from memory.regime import pending
from memory.remember import Draft, remember
from traces.records import record, run_of

pytestmark = pytest.mark.django_db(transaction=True)
KNOWN = "The bicycle stands in the cellar"


@pytest.fixture
def embedder() -> Iterator[ScriptedEmbedder]:
    with ScriptedEmbedder() as server, served_by(server, EMBEDDING_TIMEOUT=0.5):
        yield server


@pytest.fixture
def known(ana: Account, embedder: ScriptedEmbedder) -> Account:
    """Ana, who has saved something while the server was there. Now it is out of order."""
    remember(ana, Draft(KNOWN), actor="person", cause="test")
    embedder.mode = "drop"
    return ana


@pytest.fixture
def queued(known: Account) -> Iterator[None]:
    with override_settings(FORGE=settings.FORGE.model_copy(update={"EMBEDDING_OUTAGE": "queue"})):
        yield


def ask(owner: Account, text: str) -> TurnResult:
    return asyncio.run(complete(TurnRequest(owner, text)))


@pytest.mark.parametrize(
    "text", ["!remember fact - The ladder hangs in the shed", "!recall bicycle", "!search bicycle"]
)
def test_a_command_prints_one_line_and_stores_nothing(known: Account, text: str) -> None:
    result = ask(known, text)
    assert (result.output.count("\n"), "broke off in the middle" in result.output) == (0, True)
    assert ("Nothing was stored" in result.output) == text.startswith("!remember")
    assert Entry.objects.count() == 1


def test_a_plain_ask_to_save_is_an_error_that_says_so(known: Account) -> None:
    result = ask(known, "Remember that the ladder hangs in the shed")
    assert (result.ok, (result.error or {})["code"], Entry.objects.count()) == (False, "embedding", 1)


def test_an_ordinary_turn_goes_on_with_words_and_says_since_when(known: Account) -> None:
    result = ask(known, "Where is the bicycle?")
    assert (result.ok, KNOWN in result.output) == (True, True)
    assert "Search by meaning is off since " in result.output
    assert record(run_of(known, result.run_id))["degraded"] == "embedding"


@pytest.mark.usefixtures("queued")
@pytest.mark.parametrize(
    "text", ["!remember fact - The ladder hangs in the shed", "Remember that the ladder hangs in the shed"]
)
def test_kept_it_is_saved_with_a_note(known: Account, embedder: ScriptedEmbedder, text: str) -> None:
    result = ask(known, text)
    [saved] = result.saved
    assert (result.ok, saved["entry"]["indexed"]) == (True, False)
    assert any("found by its words" in note for note in saved["notes"])
    embedder.mode = ""
    jobs.embed_pending(asked=True)
    assert (Vector.objects.count(), pending.count()) == (2, 0)


def test_the_terminal_prints_the_reason(known: Account) -> None:
    with pytest.raises(SystemExit):
        call_command("ask", "Remember that the ladder hangs in the shed", stderr=(err := io.StringIO()))
    assert "Nothing was stored" in err.getvalue()
    out = io.StringIO()
    call_command("repl", stdin=io.StringIO("!recall bicycle\nexit\n"), stdout=out, stderr=io.StringIO())
    assert "broke off in the middle" in out.getvalue()


def test_an_import_is_refused_whole_and_goes_on_when_it_is_back(
    known: Account, embedder: ScriptedEmbedder, tmp_path: Path
) -> None:
    export = written(tmp_path, [chatgpt(PORT, REPLY), chatgpt(BACKUP, id="c2")])
    with pytest.raises(EmbeddingError):
        bring_in(known, export)
    with pytest.raises(CommandError, match="broke off"):
        call_command("import", *map(str, export), stdout=io.StringIO())
    assert (Conversation.objects.count(), Entry.objects.count()) == (0, 1)
    embedder.mode = ""
    bring_in(known, export)
    assert (Conversation.objects.count(), Entry.objects.count(), Vector.objects.count()) == (2, 3, 3)


@pytest.mark.usefixtures("queued")
def test_an_import_that_is_kept_asks_once_and_says_how_many_wait(
    known: Account, embedder: ScriptedEmbedder, tmp_path: Path
) -> None:
    export = written(tmp_path, [chatgpt(PORT, REPLY), chatgpt(BACKUP, id="c2")])
    before = len(embedder.requests)
    call_command("import", *map(str, export), stdout=(out := io.StringIO()))
    assert "until the embedding server is back: exchanges 2." in out.getvalue()
    assert (Entry.objects.count(), pending.count(), len(embedder.requests) - before) == (3, 2, 1)
    embedder.mode = ""
    jobs.embed_pending(asked=True)
    assert (Vector.objects.count(), pending.count()) == (3, 0)


@pytest.mark.usefixtures("queued")
def test_what_failed_ahead_of_a_transaction_is_not_asked_for_inside_it(embedder: ScriptedEmbedder) -> None:
    door = ahead()
    assert door is not None
    door.prepare([KNOWN])
    before = len(embedder.requests)
    with pytest.raises(EmbeddingFailedError):
        door.embed_documents([KNOWN])
    assert len(embedder.requests) == before
