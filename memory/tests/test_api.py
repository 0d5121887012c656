"""Memory through the API: what is said comes back, is found, changed, and gone."""

from __future__ import annotations

from http.client import HTTPConnection
from urllib.parse import quote

import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st
from pytest_django import Settings

from forgesite.models import Account
from forgesite.testing_server import LiveForge
from forgesite.tests.web import Web, by_token
from memory.models import Entry
from memory.refuse import refuse

pytestmark = pytest.mark.django_db(transaction=True)
HOSTILE = [
    '"',
    "''",
    "don't",
    "C++",
    "node.js",
    "pre-edit",
    "v0.8.1",
    "GB/s",
    "AND",
    "OR NOT NEAR",
    "NEAR(a b, 3)",
    "text:port",
    "port*",
    "^port",
    "(((",
    "a AND",
    "-port",
    "@ana",
    "\x00port\x00",
    "😀",
    "👩‍👩‍👧‍👦",
    "東京",
    "\u202eport",
    "' OR 1=1 --",
    "%",
    "\\",
    "é" * 5_000,
    "port " * 4_000,
    "\x7f\x1b[31m",
    "\ufffe\uffff",
    "{}[]<>|&;$`!#~=+,?",
]


@pytest.fixture
def web(ana: Account, settings: Settings) -> Web:
    settings.FORGE = settings.FORGE.model_copy(update={"RATE_LIMIT_REQUESTS": 0})
    return by_token(ana)


def test_what_is_remembered_is_found_by_its_words_and_by_its_meaning(web: Web) -> None:
    saved = web.ask("POST", "/remember", {"content": "Le NiPoGi a 32 Go de RAM", "project": "maison"}).json()
    assert saved["content"] == "Le NiPoGi a 32 Go de RAM"
    assert (saved["kind"], saved["project"], saved["count_of_kind"]) == ("fact", "maison", 1)

    [row] = web.ask("GET", "/search?q=NiPoGi&policy=lexical").json()
    assert (row["id"], row["channel"], row["distance"], row["rank"]) == (saved["id"], "lexical", None, 1)
    [row] = web.ask("POST", "/search", {"q": "How much memory does the NiPoGi have?"}).json()
    assert (row["address"], row["current"]) == (saved["address"], True)
    assert 0 <= row["distance"] <= 2


def test_filters_and_synonyms_of_kinds_are_understood(web: Web) -> None:
    todo = web.ask("POST", "/remember", {"content": "Renew the passport", "kind": "task"}).json()
    web.ask("POST", "/remember", {"content": "The passport is blue"})

    assert todo["kind"] == "todo"
    assert [row["id"] for row in web.ask("GET", "/search?q=passport&kind=task").json()] == [todo["id"]]
    listed = web.ask("GET", "/memory?kind=todo&status=open").json()
    assert (listed["total"], listed["entries"][0]["id"]) == (1, todo["id"])


def test_a_time_without_an_offset_is_the_owners(ana: Account, web: Web) -> None:
    web.ask("PATCH", "/me", {"time_zone": "Europe/Paris"})

    saved = web.ask(
        "POST", "/remember", {"content": "Dentist with Zoé", "kind": "event", "event_at": "2027-01-05T09:00"}
    )

    entry = Entry.objects.of(ana).get(pk=saved.json()["id"])
    assert entry.event_at is not None
    assert entry.event_at.isoformat() == "2027-01-05T08:00:00+00:00"


def test_a_change_needs_the_version_that_was_read(web: Web) -> None:
    saved = web.ask("POST", "/remember", {"content": "The test server runs on port 8080"}).json()
    path = f"/memory/{saved['id']}"

    changed = web.ask("PATCH", path, {"content": "The test server runs on port 9090", "version": 1}).json()
    assert (changed["content"], changed["version"]) == ("The test server runs on port 9090", 2)
    assert len(changed["history"]) == 2
    stale = web.ask("PATCH", path, {"content": "Port 1", "version": 1})
    assert (stale.status_code, stale.json()["error"]["code"]) == (409, "stale_version")
    assert web.ask("PATCH", path, {"pinned": True}).status_code == 422


def test_what_is_forgotten_is_gone_and_the_next_best_takes_its_place(web: Web) -> None:
    first = web.ask("POST", "/remember", {"content": "The shed has a green door"}).json()
    second = web.ask("POST", "/remember", {"content": "The shed has a red roof"}).json()
    ask = "/search?q=shed+green+door&top_k=1&policy=lexical"
    assert [row["id"] for row in web.ask("GET", ask).json()] == [first["id"]]

    gone = web.ask("DELETE", f"/memory/{first['address']}").json()

    assert (gone["ok"], gone["id"]) == (True, first["id"])
    assert [row["id"] for row in web.ask("GET", ask).json()] == [second["id"]]
    assert web.ask("GET", f"/memory/{first['id']}").status_code == 404


def test_a_refusal_is_saved_anyway_once(ana: Account, web: Web) -> None:
    refusal = refuse(ana, "question", "Is the server called Atlas?")
    [row] = web.ask("GET", "/memory/refused").json()
    assert (row["id"], row["rule"], row["content"]) == (refusal.pk, "question", "Is the server called Atlas?")

    saved = web.ask("POST", f"/memory/refused/{refusal.pk}/save").json()

    assert saved["content"] == "Is the server called Atlas?"
    assert web.ask("POST", f"/memory/refused/{refusal.pk}/save").status_code == 409


def test_half_an_emoji_is_read_as_a_replacement_character(web: Web) -> None:
    saved = web.ask("POST", "/remember", b'{"content": "The cat is called \\ud83d"}')

    assert saved.json()["content"] == "The cat is called \ufffd"


@pytest.mark.parametrize("text", HOSTILE, ids=lambda text: ascii(text)[:30])
def test_any_text_is_a_question_by_body_and_by_address(web: Web, text: str) -> None:
    web.ask("POST", "/remember", {"content": "The test server runs on port 8080"})

    answers = web.ask("POST", "/search", {"q": text}), web.ask("GET", f"/search?q={quote(text)}")

    assert [answer.status_code for answer in answers] == [200, 200]


@given(text=st.text(alphabet=st.characters(), min_size=1, max_size=60))
@hypothesis_settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_text_at_all_is_a_question(web: Web, text: str) -> None:
    answer = web.ask("POST", "/search", {"q": text})

    assert answer.status_code == (
        200 if text.encode("utf-16", "surrogatepass").decode("utf-16", "replace").strip() else 400
    )
    assert web.ask("GET", f"/search?q={quote(text, errors='replace')}").status_code in (200, 400)


@pytest.mark.parametrize(
    ("content", "question"),
    [
        ("The parser is written in C++", "C++"),
        ("We serve it with node.js", "node.js"),
        ("The pre-edit hook runs first", "pre-edit"),
        ("Windows don't open upstairs", "don't"),
        ("Pin sqlite-vec at v0.8.1", "v0.8.1"),
        ("The disk reads 3 GB/s", "GB/s"),
    ],
)
def test_terms_with_signs_in_them_are_found(web: Web, content: str, question: str) -> None:
    saved = web.ask("POST", "/remember", {"content": content}).json()
    web.ask("POST", "/remember", {"content": "The bicycle stands in the cellar"})

    rows = web.ask("POST", "/search", {"q": question, "policy": "lexical"}).json()

    assert [row["id"] for row in rows] == [saved["id"]]


def test_a_question_of_256_kib_fits_an_address(forge: LiveForge) -> None:
    headers = {"Authorization": f"Bearer {forge.token()}"}
    path = f"/search?policy=lexical&q={quote('é' * 131_072)}"
    for address, status in ((path, 200), (path + "x", 413)):
        connection = HTTPConnection("127.0.0.1", forge.port, timeout=60)
        connection.request("GET", address, headers=headers)
        answer = connection.getresponse()
        assert (answer.status, answer.read()[:8]) == (status, b"[]" if status == 200 else b'{"error"')
        connection.close()


def test_a_long_question_is_searched_and_the_answer_says_by_what(web: Web) -> None:
    saved = web.ask("POST", "/remember", {"content": "The test server runs on port 8080"}).json()
    long = "port " + " ".join(f"word{number}" for number in range(25_000))
    assert 200_000 < len(long) < 256 * 1024

    answer = web.ask("POST", "/search", {"q": long, "policy": "lexical"})

    assert [row["id"] for row in answer.json()] == [saved["id"]]
    assert "32" in answer.headers["Forge-Notice"]


def test_a_search_and_the_list_mean_the_same_by_their_times(ana: Account, web: Web) -> None:
    told = {"content": "the old boiler was red", "said_at": "2020-05-01T10:00:00Z"}
    web.ask("POST", "/remember", told)
    [found] = web.ask("GET", "/search?q=boiler").json()
    [listed] = web.ask("GET", "/memory").json()["entries"]
    assert found["said_at"] == listed["said_at"] == told["said_at"]
    assert found["created_at"] == listed["created_at"] > told["said_at"]
