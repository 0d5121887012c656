"""Accounts, sign-in links and tokens."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from django.db import connection
from django.utils import timezone

from forgesite import accounts
from forgesite.errors import ConflictError, InvalidError, LinkError, UnknownError
from forgesite.models import Account, SignInLink, Token
from memory.models import Entry
from traces import jsonl


def test_the_first_account_is_the_superuser_and_the_second_a_member(db: None) -> None:
    first, second = accounts.create_account("Amélie"), accounts.create_account("jean.luc")

    assert (first.is_superuser, second.is_superuser) == (True, False)
    assert first.is_staff
    assert second.is_staff


@pytest.mark.parametrize("permission", ["memory.change_entry", "chat.delete_conversation", "traces.view_run"])
def test_a_member_may_curate_what_is_theirs(db: None, permission: str) -> None:
    accounts.create_account("amelie")

    member = accounts.create_account("luc")

    assert member.has_perm(permission)
    assert not member.has_perm("forgesite.change_account")


@pytest.mark.parametrize("name", ["", "two words", "../etc", "x" * 151])
def test_a_senseless_name_is_refused(db: None, name: str) -> None:
    with pytest.raises(InvalidError):
        accounts.create_account(name)


def test_a_name_is_given_once(ana: Account) -> None:
    with pytest.raises(ConflictError, match="ana"):
        accounts.create_account("ana")


def test_a_link_signs_in_once(ana: Account) -> None:
    secret = accounts.sign_in_link(ana)

    assert accounts.redeem(secret) == ana
    with pytest.raises(LinkError):
        accounts.redeem(secret)


def test_a_link_is_kept_as_a_digest_only(ana: Account) -> None:
    secret = accounts.sign_in_link(ana)

    assert secret not in SignInLink.objects.get().digest


def test_a_link_past_its_hour_is_refused(ana: Account) -> None:
    secret = accounts.sign_in_link(ana)
    SignInLink.objects.update(expires_at=timezone.now() - timedelta(seconds=1))

    with pytest.raises(LinkError):
        accounts.redeem(secret)


def test_a_link_of_an_inactive_account_is_refused(ana: Account) -> None:
    secret = accounts.sign_in_link(ana)
    Account.objects.update(is_active=False)

    with pytest.raises(LinkError):
        accounts.redeem(secret)


@pytest.mark.django_db(transaction=True)
def test_of_eight_browsers_that_open_one_link_one_gets_in(ana: Account) -> None:
    secret = accounts.sign_in_link(ana)

    def opens(_: int) -> bool:
        try:
            accounts.redeem(secret)
        except LinkError:
            return False
        finally:
            connection.close()
        return True

    with ThreadPoolExecutor(8) as browsers:
        assert sum(browsers.map(opens, range(8))) == 1


def test_a_new_password_voids_the_links_not_yet_used(ana: Account) -> None:
    secret = accounts.sign_in_link(ana)

    accounts.set_password(ana, "Un mot de passe assez long")

    with pytest.raises(LinkError):
        accounts.redeem(secret)


def test_a_weak_password_is_refused_with_the_reason(ana: Account) -> None:
    with pytest.raises(InvalidError, match="short"):
        accounts.set_password(ana, "kurz")


def test_a_token_opens_its_account_until_it_is_revoked(ana: Account) -> None:
    secret = accounts.new_token(ana, name="script")
    [token] = accounts.tokens(ana)

    assert accounts.account_of_token(secret) == (ana, token)
    accounts.revoke_token(token.pk)
    assert accounts.account_of_token(secret) is None


def test_a_token_is_kept_as_a_digest_only(ana: Account) -> None:
    secret = accounts.new_token(ana)

    assert secret not in str(Token.objects.values().get())


def test_the_use_of_a_token_is_noted(ana: Account) -> None:
    secret = accounts.new_token(ana)

    accounts.account_of_token(secret)

    assert Token.objects.get().last_used_at is not None


@pytest.mark.parametrize("secret", ["", "no such token", "é" * 40])
def test_what_is_no_token_opens_nothing(ana: Account, secret: str) -> None:
    assert accounts.account_of_token(secret) is None


def test_a_scope_that_does_not_exist_is_refused(ana: Account) -> None:
    with pytest.raises(InvalidError, match="all, read"):
        accounts.new_token(ana, scope="everything")


def test_a_token_is_revoked_once(ana: Account) -> None:
    accounts.new_token(ana)
    token_id = Token.objects.get().pk
    accounts.revoke_token(token_id)

    with pytest.raises(UnknownError):
        accounts.revoke_token(token_id)


def test_a_deleted_account_takes_everything_of_its_own(ana: Account, ben: Account) -> None:
    Account.objects.filter(pk=ben.pk).update(is_superuser=True)
    for owner in (ana, ben):
        accounts.new_token(owner)
        Entry.objects.create(owner=owner, address=f"{owner.pk:064}", text="Le NiPoGi a 32 Go de RAM", sameness="0")
        jsonl.append(jsonl.file_of(owner), "{}")

    accounts.delete_account(ana)

    assert Entry.objects.get().owner == ben
    assert Token.objects.get().owner == ben
    assert not accounts.folder_of(ana).exists()
    assert accounts.folder_of(ben).exists()


def test_what_an_account_holds_is_counted_before_it_goes(ana: Account) -> None:
    accounts.new_token(ana)

    assert ("tokens", 1) in accounts.held_by(ana).counts


def test_the_last_superuser_stays_while_others_are_there(ana: Account, ben: Account) -> None:
    Account.objects.filter(pk=ana.pk).update(is_superuser=True)

    with pytest.raises(ConflictError, match="superuser"):
        accounts.delete_account(ana)
