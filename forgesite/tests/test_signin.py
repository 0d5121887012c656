"""The way in: a name and a password, or a link that works once. And the settings of one's own account."""

import pytest
from django.test import Client
from django.utils import translation

from forgesite.accounts import sign_in_link
from forgesite.models import Account

PASSWORD = "a long enough password"


@pytest.fixture
def client() -> Client:
    """A browser: it asks for pages."""
    return Client(headers={"accept": "text/html"})


def test_a_link_signs_in_once(client: Client, ana: Account) -> None:
    link = f"/signin/{sign_in_link(ana)}/"

    assert client.get(link)["Location"] == "/"
    assert client.get("/settings/").status_code == 200
    spent = Client(headers={"accept": "text/html"}).get(link)
    assert spent.status_code == 403
    assert "manage.py signin" in spent.content.decode()


def test_a_link_that_never_was_says_what_to_do(client: Client, db: None) -> None:
    answer = client.get("/signin/no-such-token/")

    assert answer.status_code == 403
    assert "This link does not sign in" in answer.content.decode()


def test_name_and_password_sign_in_and_a_wrong_one_is_told(client: Client, ana: Account) -> None:
    wrong = client.post("/signin/", {"username": "ana", "password": "not hers"})
    right = client.post("/signin/", {"username": "ana", "password": PASSWORD})

    assert "Please enter a correct username and password" in wrong.content.decode()
    assert right["Location"] == "/"


def test_nobody_sees_a_page_without_signing_in(client: Client, db: None) -> None:
    for page in ("/", "/c/0123456789ab/", "/settings/", "/admin/", "/admin/memory/entry/"):
        assert client.get(page)["Location"].startswith(("/signin/", "/admin/login/"))


def test_whoever_came_by_a_link_sets_a_password_without_an_old_one(client: Client, ana: Account) -> None:
    ana.set_unusable_password()
    ana.save()
    client.force_login(ana)

    client.post(
        "/settings/password/", {"new_password1": "correct horse battery", "new_password2": "correct horse battery"}
    )

    ana.refresh_from_db()
    assert ana.check_password("correct horse battery")
    assert client.get("/settings/").status_code == 200


def test_a_password_is_changed_only_with_the_old_one(client: Client, ana: Account) -> None:
    client.force_login(ana)
    new = {"new_password1": "correct horse battery", "new_password2": "correct horse battery"}

    assert client.post("/settings/password/", {**new, "old_password": "guess"}).status_code == 400
    assert client.post("/settings/password/", {**new, "old_password": PASSWORD}).status_code == 302


def test_a_weak_password_is_refused_with_the_reason(client: Client, ana: Account) -> None:
    ana.set_unusable_password()
    ana.save()
    client.force_login(ana)

    answer = client.post("/settings/password/", {"new_password1": "password", "new_password2": "password"})

    assert "too common" in answer.content.decode()


def test_the_page_speaks_the_accounts_language(client: Client, ana: Account) -> None:
    client.force_login(ana)

    client.post("/settings/", {"language": "fr", "time_zone": "Europe/Paris"})

    page = client.get("/settings/", headers={"accept-language": "en"})
    assert "Langue et heure" in page.content.decode()
    assert '<html lang="fr"' in page.content.decode()
    translation.activate("en")


def test_the_first_sign_in_takes_the_browsers_language_and_a_later_one_does_not(client: Client, ana: Account) -> None:
    for browser in ("fr-FR,fr;q=0.9", "en"):
        client.get(f"/signin/{sign_in_link(ana)}/", headers={"Accept-Language": browser})
        ana.refresh_from_db()

        assert ana.language == "fr"


def test_signing_out_takes_a_post(client: Client, ana: Account) -> None:
    client.force_login(ana)

    assert client.get("/signout/").status_code == 405
    client.post("/signout/")
    assert client.get("/settings/").status_code == 302


def test_pages_carry_a_policy_without_inline_script_or_style(client: Client, ana: Account) -> None:
    client.force_login(ana)

    policy = client.get("/settings/")["Content-Security-Policy"]

    assert "script-src 'self'" in policy
    assert "style-src 'self'" in policy
    assert "unsafe" not in policy
