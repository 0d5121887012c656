"""The API's document: complete, sound, and shown by a page that needs nothing from elsewhere."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from forgesite.api import api
from forgesite.tests.operations import OPEN, REQUESTS
from forgesite.tests.web import nobody

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def document() -> dict[str, Any]:
    found: dict[str, Any] = nobody().ask("GET", "/openapi.json").json()
    return found


def operations(document: dict[str, Any]) -> dict[tuple[str, str], dict[str, Any]]:
    return {
        (method.upper(), path): operation
        for path, methods in document["paths"].items()
        for method, operation in methods.items()
    }


def test_every_operation_is_named_described_and_guarded(document: dict[str, Any]) -> None:
    found = operations(document)

    assert set(found) == set(REQUESTS)
    for named, operation in found.items():
        assert operation["summary"], named
        assert len(operation["description"]) > 20, named
        assert bool(operation.get("security")) == (named not in OPEN), named
    assert len({operation["operationId"] for operation in found.values()}) == len(found)


def test_every_answer_has_a_shape_and_every_error_the_same_one(document: dict[str, Any]) -> None:
    for named, operation in operations(document).items():
        for status, response in operation["responses"].items():
            [content] = response["content"].values()
            schema = content["schema"]
            assert schema.keys() & {"$ref", "items", "anyOf"}, (named, status)
            assert int(status) < 400 or schema["$ref"].endswith("/ErrorOut"), (named, status)
        assert named in OPEN or {"200", "401", "403", "422", "500"} <= operation["responses"].keys(), named


def test_every_reference_leads_somewhere(document: dict[str, Any]) -> None:
    text = json.dumps(document)
    for name in set(re.findall(r'"#/components/schemas/(\w+)"', text)):
        assert name in document["components"]["schemas"], name
    assert document["openapi"].startswith("3.")


def test_bodies_refuse_what_they_do_not_know(document: dict[str, Any]) -> None:
    for named, operation in operations(document).items():
        body = operation.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema", {})
        if "$ref" in body:
            shape = document["components"]["schemas"][body["$ref"].rpartition("/")[2]]
            assert shape["additionalProperties"] is False, named


def test_the_page_loads_nothing_from_elsewhere_and_runs_nothing_inline() -> None:
    page = nobody().ask("GET", "/docs", Accept="text/html")

    assert page.status_code == 200
    assert api.title in page.text
    assert not re.search(r'(src|href)="(https?:)?//', page.text)
    assert not re.search(r"<script(?![^>]*(src=|application/json))", page.text)
    assert "<style" not in page.text
    for path in re.findall(r'(?:src|href)="(/static/[^"]+)"', page.text):
        assert nobody().ask("GET", path).status_code == 200, path
