"""Static files through the ASGI application, with DEBUG off and nothing collected."""

from __future__ import annotations

import httpx
import pytest
from psutil import Process

from forgesite.testing_server import LiveForge
from forgesite.tests.web import nobody

PATH = "/static/admin/css/base.css"


def test_a_file_is_served_and_then_not_modified() -> None:
    first = nobody().ask("GET", PATH)
    again = nobody().ask("GET", PATH, **{"If-None-Match": first.headers["ETag"]})

    assert (first.status_code, again.status_code) == (200, 304)
    assert first.headers["Content-Type"].startswith("text/css")
    assert first.headers["X-Content-Type-Options"] == "nosniff"
    assert again.content == b""


def test_text_is_packed_for_those_who_take_it() -> None:
    plain = nobody().ask("GET", PATH, **{"Accept-Encoding": "identity"})
    packed = nobody().ask("GET", PATH, **{"Accept-Encoding": "gzip"})

    assert packed.content == plain.content
    assert int(packed.headers["Content-Length"]) < len(plain.content) / 2
    assert packed.headers["Vary"] == "Accept-Encoding"


def test_a_range_and_a_head_are_answered() -> None:
    assert nobody().ask("GET", PATH, Range="bytes=0-9").status_code == 206
    head = nobody().ask("HEAD", PATH)
    assert (head.status_code, head.content) == (200, b"")


def test_a_wrong_method_is_refused() -> None:
    assert nobody().ask("POST", PATH).status_code == 405


@pytest.mark.django_db(transaction=True)
def test_nothing_outside_the_listed_files_is_served() -> None:
    for path in ("/static/../manage.py", "/static/%2e%2e/manage.py", "/static//etc/passwd", "/static/"):
        assert nobody().ask("GET", path).status_code == 404


def test_a_running_forge_serves_its_files_without_a_warning(forge: LiveForge) -> None:
    for path in (PATH, "/static/forge.css", "/static/ninja/swagger-ui.css"):
        first = httpx.get(f"{forge.url}{path}")
        again = httpx.get(f"{forge.url}{path}", headers={"If-None-Match": first.headers["ETag"]})
        assert (first.status_code, again.status_code) == (200, 304)
        assert first.headers["Content-Encoding"] == "gzip"
    lines = httpx.get(f"{forge.url}/export", headers={"Authorization": f"Bearer {forge.token()}"})

    assert lines.headers["Content-Type"] == "application/jsonl"
    assert "Warning" not in forge.said()


def test_requests_leave_no_file_open(forge: LiveForge) -> None:
    headers = {"Authorization": f"Bearer {forge.token()}"}
    assert forge.process
    [web] = [child for child in Process(forge.process.pid).children(recursive=True) if "web" in child.cmdline()]
    with httpx.Client(base_url=forge.url, headers=headers) as client:
        for _ in range(20):
            client.get("/me")
        before = web.num_fds()
        for _ in range(200):
            client.get("/me")
        assert web.num_fds() <= before + 3
