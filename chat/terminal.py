"""What the terminal's two commands share: whose memory it is, and how lines become messages."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from django.utils.translation import gettext as _

from chat.endings import ENDINGS
from chat.outcome import TurnResult
from forgesite.accounts import account_named, first_account
from forgesite.errors import UnknownError
from forgesite.models import Account

FENCE = "```"


def remark(result: TurnResult) -> str:
    """What the terminal says below an answer: its error, or how it fell short; empty where nothing is amiss."""
    if result.error:
        return str(result.error["message"])
    return str(ENDINGS.get(result.not_answered or "", ""))


def account_of(name: str) -> Account:
    """The account of that name, or the first. Raises UnknownError."""
    account = account_named(name) if name else first_account()
    if account is None:
        raise UnknownError(_("There is no account yet. `manage.py up` makes the first one."))
    return account


def messages(line: Callable[[], str | None]) -> Iterator[str]:
    """What to send, until the end, `exit` or `quit`. A line ending in a fence goes on until a fence alone.

    `line` reads one, with its line feed or without; the end is None, or the empty text of a file.
    """
    while (typed := line()) and typed.strip() not in ("exit", "quit"):
        text = _block(typed.rstrip("\n"), line) if _opens(typed) else typed.rstrip("\n")
        if text and text.strip():
            yield text


def _opens(typed: str) -> bool:
    """A lone fence, or a question and then a fence with its language: not a pair on one line."""
    return typed.count(FENCE) == 1 and " " not in typed.rstrip().rpartition(FENCE)[2]


def _block(first: str, line: Callable[[], str | None]) -> str:
    """A lone fence is a frame and not sent; `cancel` alone gives the block up."""
    lines = [] if first.strip() == FENCE else [first]
    while (typed := line()) and typed.strip() != FENCE:
        if typed.strip() == "cancel":
            return ""
        lines.append(typed.rstrip("\n"))
    return "\n".join([*lines, FENCE] if lines and FENCE in lines[0] else lines)
