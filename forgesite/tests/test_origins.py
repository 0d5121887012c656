"""Which addresses are ours."""

from __future__ import annotations

import pytest
from pytest_django import Settings

from forgesite.origins import host_allowed, same_site


@pytest.mark.parametrize(
    "host", ["localhost:8000", "LOCALHOST", "127.0.0.1:8000", "[::1]:8000", "192.168.1.20:8000", "10.0.0.7"]
)
def test_this_machine_and_any_address_are_ours(host: str) -> None:
    assert host_allowed(host)


@pytest.mark.parametrize(
    "host",
    [
        "evil.example",
        "127.0.0.1.evil.example",
        "localhost.evil.example",
        "",
        ":8000",
        "a b",
        "localhost@evil",
        "[::1",
        "localhost:x",
        "localhost/x",
        "2130706433",
        "localhost\x00",
        "localhost:99999",
    ],
)
def test_any_other_name_is_not(host: str) -> None:
    assert not host_allowed(host)


def test_the_public_address_is_ours_under_its_name(settings: Settings) -> None:
    settings.FORGE = settings.FORGE.model_copy(update={"PUBLIC_URL": "https://forge.example.org"})
    settings.ALLOWED_HOSTS = ["*", "localhost", "forge.example.org"]

    assert host_allowed("forge.example.org")
    assert same_site("https://forge.example.org", "forge.example.org")
    assert same_site("https://forge.example.org", "127.0.0.1:8000"), "a proxy that names itself as the host"
    assert not same_site("http://forge.example.org:8000", "127.0.0.1:8000")


@pytest.mark.parametrize(
    ("origin", "host"),
    [
        ("http://localhost:8000", "localhost:8000"),
        ("http://LOCALHOST:8000", "localhost:8000"),
        ("http://192.168.1.20", "192.168.1.20"),
        ("http://192.168.1.20", "192.168.1.20:80"),
        ("https://localhost", "localhost:443"),
        ("http://[::1]:8000", "[::1]:8000"),
    ],
)
def test_a_page_of_the_host_it_asks_is_ours(origin: str, host: str) -> None:
    assert same_site(origin, host)


@pytest.mark.parametrize(
    ("origin", "host"),
    [
        ("null", "localhost:8000"),
        ("", "localhost:8000"),
        ("http://evil.example", "localhost:8000"),
        ("http://evil.example", "evil.example"),
        ("http://localhost:9000", "localhost:8000"),
        ("http://127.0.0.1:8000", "localhost:8000"),
        ("http://localhost", "localhost:443"),
        ("file://localhost:8000", "localhost:8000"),
        ("http://localhost:8000.evil.example", "localhost:8000"),
        ("http://localhost:8000/", "localhost:8000"),
    ],
)
def test_any_other_page_is_foreign(origin: str, host: str) -> None:
    assert not same_site(origin, host)
