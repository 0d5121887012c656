"""Accounts, their one-time sign-in links and their bearer tokens: every door asks here who is knocking."""

from __future__ import annotations

import secrets
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any

from django.apps import AppConfig
from django.conf import settings
from django.contrib.auth.models import Group, Permission
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext as _

from forgesite.erasing import Leaver
from forgesite.errors import ConflictError, InvalidError, LinkError, UnknownError
from forgesite.models import Account, SignInLink, Token, digest_of, new_secret

LINK_LIVES = timedelta(hours=1)
#: How stale `last_used_at` may be: a write for every request would make each read a write.
USE_IS_NOTED_AFTER = timedelta(minutes=5)
#: What a token may do: everything its account may, or only read.
SCOPES = ("all", "read")
MEMBERS = "members"
#: Apps whose rows a member sees and changes in the admin, each only their own.
MEMBER_APPS = frozenset({"memory", "chat", "traces", "retention"})
_leavers: list[Leaver] = []


@dataclass(frozen=True)
class Held:
    """What belongs to an account, counted by kind of row."""

    counts: tuple[tuple[str, int], ...]
    folder: Path | None


def ensure_members(app_config: AppConfig, **_: Any) -> None:
    """After a migration: the group of members holds every permission on what a person owns."""
    if app_config.label in MEMBER_APPS:
        group, _created = Group.objects.get_or_create(name=MEMBERS)
        group.permissions.add(*Permission.objects.filter(content_type__app_label=app_config.label))


def create_account(name: str) -> Account:
    """A new account without a password. The first of all is the superuser. Raises InvalidError, ConflictError."""
    if Account.objects.filter(username=name).exists():
        raise ConflictError(_("There is an account named %(name)s already.") % {"name": name})
    account = Account(username=name, is_staff=True, judge_opt_in=settings.FORGE.JUDGE_OPT_IN)
    account.set_unusable_password()
    try:
        account.clean_fields()
    except ValidationError as error:
        raise InvalidError(_("%(name)r is no account name: %(why)s") % {"name": name, "why": _line(error)}) from None
    with transaction.atomic():
        account.is_superuser = not Account.objects.exists()
        account.save()
        account.groups.add(Group.objects.get_or_create(name=MEMBERS)[0])
    return account


def account_named(name: str) -> Account:
    """Raises UnknownError with the names that exist."""
    found = Account.objects.filter(username=name).first()
    if found is None:
        names = ", ".join(Account.objects.order_by("pk").values_list("username", flat=True)[:20])
        raise UnknownError(
            _("No account is named %(name)s. There is: %(names)s.") % {"name": name, "names": names or "-"}
        )
    return found


def first_account() -> Account | None:
    return Account.objects.order_by("pk").first()


def somebody_has_a_password() -> bool:
    """False as long as the one-time link is the only way in."""
    return any(account.has_usable_password() for account in Account.objects.filter(is_active=True))


def set_password(account: Account, password: str) -> None:
    """Raises InvalidError with what is wrong with it. Links not yet used are void from now on."""
    try:
        validate_password(password, account)
    except ValidationError as error:
        raise InvalidError(_line(error)) from None
    account.set_password(password)
    with transaction.atomic():
        account.save(update_fields=["password"])
        SignInLink.objects.of(account).delete()


def folder_of(owner: Account) -> Path:
    """The owner's own folder of `DATA_DIR`; not made here. Named by id, so a renamed account keeps it."""
    return Path(settings.DATA_DIR) / "accounts" / str(owner.pk)


def held_by(account: Account) -> Held:
    """What `delete_account` would remove."""
    counts = [
        (str(model._meta.verbose_name_plural), model._base_manager.filter(**{field: account}).count())
        for model, field in _owned_models()
    ]
    folder = folder_of(account)
    return Held(tuple((name, count) for name, count in counts if count), folder if folder.exists() else None)


def delete_account(account: Account) -> None:
    """The account with every row and file of theirs, for good. Raises ConflictError for the last superuser."""
    others = Account.objects.exclude(pk=account.pk)
    if others.exists() and not others.filter(is_superuser=True).exists():
        raise ConflictError(
            _("%(name)s is the only superuser; make another account one before.") % {"name": account.username}
        )
    folder = folder_of(account)
    with transaction.atomic():
        for leave in _leavers:
            leave(account)
        account.delete()
    shutil.rmtree(folder, ignore_errors=True)


def register_leaver(leave: Leaver) -> None:
    """An app's own part in the deletion of an account, before its row goes. Call it in AppConfig.ready."""
    if leave not in _leavers:
        _leavers.append(leave)


def sign_in_link(owner: Account) -> str:
    """A fresh secret for `/signin/<secret>/`: once, within its hour. Links past theirs are removed."""
    secret = new_secret()
    now = timezone.now()
    with transaction.atomic():
        SignInLink.objects.filter(expires_at__lt=now - LINK_LIVES).delete()
        SignInLink.objects.create(owner=owner, digest=digest_of(secret), expires_at=now + LINK_LIVES)
    return secret


def redeem(secret: str) -> Account:
    """The account of a link, which works this once. Raises LinkError."""
    now = timezone.now()
    link = SignInLink.objects.select_related("owner").filter(digest=digest_of(secret), owner__is_active=True).first()
    unused = Q(digest=digest_of(secret), used_at=None, expires_at__gt=now)
    # One conditional update decides, so of two browsers that open the same link one gets in.
    if link is None or SignInLink.objects.filter(unused).update(used_at=now) != 1:
        raise LinkError(_("This sign-in link was used or is too old. `manage.py signin` prints a fresh one."))
    return link.owner


def new_token(owner: Account, *, name: str = "", scope: str = "all") -> str:
    """The secret of a new token, shown this once. Raises InvalidError for a scope that does not exist."""
    if scope not in SCOPES:
        raise InvalidError(
            _("%(scope)s is no scope. Allowed: %(scopes)s.") % {"scope": scope, "scopes": ", ".join(SCOPES)}
        )
    secret = new_secret()
    Token.objects.create(owner=owner, name=name[:100], scope=scope, digest=digest_of(secret))
    return secret


def tokens(owner: Account | None = None) -> Sequence[Token]:
    """Tokens in force, newest first; of everybody without an owner."""
    found = Token.objects.filter(revoked_at=None).select_related("owner")
    return list(found.of(owner) if owner else found)


def revoke_token(token_id: int) -> Token:
    """Raises UnknownError for one that is not in force."""
    if Token.objects.filter(pk=token_id, revoked_at=None).update(revoked_at=timezone.now()) != 1:
        raise UnknownError(_("No token in force has the id %(id)s. `token list` shows them.") % {"id": token_id})
    return Token.objects.select_related("owner").get(pk=token_id)


def account_of_token(secret: str) -> tuple[Account, Token | None] | None:
    """Whose token this is. The token is None for the fixed one of the settings; None for nobody's."""
    fixed = settings.FORGE.API_TOKEN
    if fixed and secrets.compare_digest(secret.encode(), fixed.encode()):
        account = first_account()
        return (account, None) if account and account.is_active else None
    found = Token.objects.select_related("owner").filter(digest=digest_of(secret), revoked_at=None).first()
    if found is None or not found.owner.is_active:
        return None
    _note_use(found)
    return found.owner, found


def _note_use(token: Token) -> None:
    now = timezone.now()
    if token.last_used_at is None or now - token.last_used_at > USE_IS_NOTED_AFTER:
        Token.objects.filter(pk=token.pk).update(last_used_at=now)


def _owned_models() -> list[tuple[Any, str]]:
    """Every model with a foreign key to an account, and that key's name."""
    relations: list[Any] = list(Account._meta.get_fields(include_hidden=True))
    return [(field.related_model, field.field.name) for field in relations if field.one_to_many and field.auto_created]


def _line(error: ValidationError) -> str:
    return " ".join(error.messages)
