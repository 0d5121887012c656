"""Keys, sources, moves and relations through the API: shapes, codes, and that a refusal writes nothing."""

from __future__ import annotations

from typing import Any

import pytest
from pytest_django import Settings

from forgesite.models import Account
from forgesite.tests.web import Web, by_token
from memory.models import Entry
from memory.tests.entries import saved
from memory.tests.refused import everything

pytestmark = pytest.mark.django_db(transaction=True)
PORT, NEW_PORT = "The test server runs on port 8080", "The test server runs on port 9443"


@pytest.fixture
def web(ana: Account, settings: Settings) -> Web:
    settings.FORGE = settings.FORGE.model_copy(update={"RATE_LIMIT_REQUESTS": 0, "EMBEDDING_PROVIDER": "none"})
    return by_token(ana)


def sent(web: Web, content: str, **body: Any) -> dict[str, Any]:
    answer = web.ask("POST", "/remember", {"content": content, **body})
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


def test_a_version_by_key_is_told_listed_and_searched_as_such(web: Web) -> None:
    old, new = sent(web, PORT, key="port"), sent(web, NEW_PORT, key="port")
    assert (old["replaced"], new["replaced"], new["key"], new["count_of_kind"]) == (None, old["id"], "port", 1)
    first, second = web.ask("GET", "/memory").json()["entries"]
    assert (first["superseded_by"], first["superseded_how"], first["key"]) == (None, None, "port")
    assert (second["superseded_by"], second["superseded_how"]) == (new["id"], "replaced")
    rows = web.ask("GET", "/search?q=8080+9443&all=true").json()
    assert [(row["id"], row["current"], row["superseded_how"], row["key"]) for row in rows] == [
        (new["id"], True, None, "port"),
        (old["id"], False, "replaced", "port"),
    ]
    [line, *_rest] = web.ask("GET", "/export").text.splitlines()
    assert f'"superseded_by":{new["id"]}' in line


def test_sources_and_covers_are_named_by_id_or_address(web: Web) -> None:
    one, two = sent(web, PORT), sent(web, NEW_PORT)
    made = sent(web, "Two ports", kind="summary", sources=[one["id"]], covers=[two["address"]])
    links = web.ask("GET", f"/memory/{made['id']}").json()["links"]
    assert {(link["type"], link["entry"], link["other"], link["direction"]) for link in links} == {
        ("source", made["id"], one["id"], "out"),
        ("source", made["id"], two["id"], "out"),
        ("covers", made["id"], two["id"], "out"),
    }
    [back] = web.ask("GET", f"/memory/{one['address']}").json()["links"]
    assert (back["type"], back["entry"], back["other"], back["direction"]) == ("source", one["id"], made["id"], "in")
    web.ask("PATCH", f"/memory/{one['id']}", {"content": "The test server is gone", "version": 1})
    assert web.ask("GET", f"/memory/{made['id']}").json()["summary_stale"] is True


def test_a_time_of_the_words_is_shown_with_them(web: Web) -> None:
    saved_ = sent(web, "I ran 5 km yesterday", said_at="2026-11-30T08:00:00Z")
    assert (saved_["event_at"], saved_["notes"]) == (
        "2026-11-29T00:00:00Z",
        ["“yesterday” is read as 29 November 2026."],
    )
    assert web.ask("GET", f"/memory/{saved_['id']}").json()["event_words"] == "yesterday"


@pytest.mark.parametrize("verb", ["archive", "retract", "restore", "reaffirm"])
def test_an_act_answers_the_entry(web: Web, verb: str) -> None:
    entry = sent(web, PORT)
    answer = web.ask("POST", f"/memory/{entry['address']}/{verb}").json()
    assert answer["id"] == entry["id"]
    assert answer["status"] == {"archive": "archived", "retract": "retracted"}.get(verb, "active")
    assert (answer["last_reviewed_at"] is not None) == (verb == "reaffirm")


def test_two_entries_are_related_and_the_old_one_restored(web: Web) -> None:
    old, new = sent(web, PORT), sent(web, NEW_PORT)
    answer = web.ask("POST", f"/memory/{new['id']}/links", {"type": "supersedes", "other": old["address"]}).json()
    assert [(link["type"], link["other"], link["direction"]) for link in answer["links"]] == [
        ("supersedes", old["id"], "out")
    ]
    confirmed = web.ask("POST", f"/memory/{old['id']}/reaffirm")
    assert (confirmed.status_code, confirmed.json()["error"]["code"]) == (409, "not_live")
    assert web.ask("POST", f"/memory/{old['id']}/restore").json()["superseded_by"] is None


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        ({"key": ""}, 422, "invalid"),
        ({"key": "é" * 65}, 422, "invalid"),
        ({"key": "po\0rt"}, 422, "invalid"),
        ({"key": "todo"}, 409, "open_todo"),
        ({"sources": [4711]}, 404, "unknown"),
        ({"sources": ["f" * 64]}, 404, "unknown"),
        ({"sources": [10**30]}, 404, "unknown"),
        ({"sources": ["BEN"]}, 404, "unknown"),
        ({"sources": [True]}, 422, "invalid"),
        ({"sources": ["ANA", "ANA"]}, 422, "invalid"),
        ({"sources": list(range(1, 34))}, 422, "invalid"),
        ({"covers": ["ANA"]}, 422, "covers_need_summary"),
        ({"kind": "summary", "covers": ["TODO"]}, 409, "covers_open_todo"),
        ({"kind": "summary", "covers": ["ANA"]}, 422, "longer_summary"),
        ({"kind": "summary", "sources": ["SUMMARY"]}, 422, "recursive_summary"),
        ({"kind": "procedure", "sources": ["SUMMARY"]}, 422, "needs_source"),
        ({"content": "word " * 2_000_000}, 413, "too_large"),
    ],
    ids=lambda value: str(value)[:40],
)
def test_a_bad_write_has_its_code_and_writes_nothing(
    ana: Account, ben: Account, web: Web, body: dict[str, Any], status: int, code: str
) -> None:
    names = {
        "ANA": saved(ana, "The cat is Mia").pk,
        "BEN": saved(ben, "The dog is Rex").pk,
        "TODO": saved(ana, "Renew the passport of the whole family before July", kind="todo", key="todo").pk,
        "SUMMARY": saved(ana, "All about cats", kind="summary").pk,
    }
    for field in ("sources", "covers"):
        if field in body:
            body = {**body, field: [names.get(ref, ref) if isinstance(ref, str) else ref for ref in body[field]]}
    before = everything()
    answer = web.ask("POST", "/remember", {"content": "The cat was a gift of Zoé's", **body})
    assert (answer.status_code, answer.json()["error"]["code"]) == (status, code), answer.text[:300]
    assert everything() == before


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        ({"type": "contradicts", "other": "ANA"}, 422, "invalid"),
        ({"type": "conflicts", "other": "ITSELF"}, 422, "self_link"),
        ({"type": "conflicts", "other": "BEN"}, 404, "unknown"),
        ({"type": "supersedes", "other": "EVENT"}, 409, "event"),
        ({"type": "version_of", "other": "ANA"}, 422, "invalid"),
        ({"type": "conflicts"}, 422, "invalid"),
    ],
    ids=lambda value: str(value)[:40],
)
def test_a_bad_relation_has_its_code_and_writes_nothing(
    ana: Account, ben: Account, web: Web, body: dict[str, Any], status: int, code: str
) -> None:
    itself = saved(ana, "The cat was a gift of Zoé's")
    names = {
        "ANA": saved(ana, "The cat is Mia").pk,
        "ITSELF": itself.pk,
        "BEN": saved(ben, "The dog is Rex").pk,
        "EVENT": saved(ana, "The cat ran away", kind="event").pk,
    }
    if "other" in body:
        body = {**body, "other": names[body["other"]]}
    before = everything()
    answer = web.ask("POST", f"/memory/{itself.pk}/links", body)
    assert (answer.status_code, answer.json()["error"]["code"]) == (status, code), answer.text[:300]
    assert everything() == before


def test_nul_and_half_pairs_are_taken_out_and_said(web: Web) -> None:
    answer = web.ask("POST", "/remember", b'{"content": "The cat\\u0000 is called \\ud83d"}').json()
    assert (answer["content"], len(answer["notes"])) == ("The cat is called \ufffd", 1)
    assert Entry.objects.get().text == "The cat is called \ufffd"
