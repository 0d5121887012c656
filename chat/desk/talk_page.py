"""The page of a conversation: its messages a page at a time, the runs behind them, and what memory keeps of it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.core.paginator import Page, Paginator
from django.db.models import QuerySet
from django.db.models.functions import Left, Length
from django.utils import timezone
from django.utils.text import Truncator
from django.utils.translation import gettext as _

from chat.domain.branches import NOTHING
from chat.leaving.expiry import expired
from chat.models import Conversation, Message, Role, State
from memory.models import Entry
from traces.models import Run

if TYPE_CHECKING:
    from django.contrib.auth.models import AbstractBaseUser, AnonymousUser

    from forgesite.models import Account

#: Messages on a page, characters of each, and entries that are listed.
SHOWN, CHARACTERS, LISTED = 50, 2000, 20


@dataclass(frozen=True)
class Made:
    """An entry on one line."""

    entry: Entry
    line: str


@dataclass(frozen=True)
class Said:
    """A message with the run that it belongs to and the entries made from it. `cut`: its text goes on."""

    message: Message
    text: str
    cut: bool
    tags: Sequence[str]
    run: Run | None
    made: Sequence[Made]


@dataclass(frozen=True)
class TalkPage:
    """`more`: entries that are not listed. `pages`: numbers to choose from, with gaps where there are many."""

    talk: Conversation
    tags: Sequence[str]
    page: Page[Message]
    pages: Sequence[int | str]
    said: Sequence[Said]
    made: Sequence[Made]
    more: int


def talk_page(talk: Conversation, asked: Mapping[str, str]) -> TalkPage:
    """`asked["p"]` is the page, or `asked["message"]` the message that it holds; of neither, or nonsense, the first."""
    rows = messages_of(talk)
    paginator = Paginator(rows, SHOWN)
    page = paginator.get_page(_page_of(rows, asked.get("message", "")) or asked.get("p", 1))
    entries = entries_of(talk.owner, talk.pk).order_by("id")
    return TalkPage(
        talk=talk,
        tags=_talk_tags(talk),
        page=page,
        pages=list(paginator.get_elided_page_range(page.number)),
        said=_said(talk, list(page.object_list)),
        made=[made(entry) for entry in entries[:LISTED]],
        more=max(0, entries.count() - LISTED),
    )


def messages_of(talk: Conversation) -> QuerySet[Message]:
    """Oldest first, pointers and summaries too; of each text its beginning alone, and how long it is."""
    rows = Message.objects.filter(owner_id=talk.owner_id, conversation=talk).order_by("id")
    return rows.defer("content").annotate(begins=Left("content", CHARACTERS), size=Length("content"))


def entries_of(owner: Account | AbstractBaseUser | AnonymousUser, conversation: str) -> QuerySet[Entry]:
    """What memory keeps of a conversation."""
    return Entry.objects.of(owner).filter(conversation=conversation)


def made(entry: Entry) -> Made:
    return Made(entry, Truncator(" ".join(entry.text[:600].split())).chars(160))


def _page_of(rows: QuerySet[Message], message: str) -> int:
    """0 for no message of it."""
    if not (message.isascii() and message.isdigit() and len(message) < 19):
        return 0
    before = rows.filter(pk__lte=int(message)).count()
    return (before - 1) // SHOWN + 1 if before else 0


def kept_how(talk: Conversation) -> list[str]:
    words = {_("pinned"): talk.pinned, _("archived"): talk.archived, _("temporary"): talk.temporary}
    return [word for word, holds in words.items() if holds]


def _talk_tags(talk: Conversation) -> list[str]:
    gone = expired(timezone.now()).filter(pk=talk.pk).exists()
    return [*kept_how(talk), *([_("has expired")] if gone else [])]


def _said(talk: Conversation, messages: Sequence[Message]) -> list[Said]:
    runs = _runs(talk, {message.run_id for message in messages if message.run_id})
    entries = _made(talk, [message.pk for message in messages])
    return [_line(message, runs.get(message.run_id), entries[message.pk]) for message in messages]


def _line(message: Any, run: Run | None, entries: Sequence[Made]) -> Said:
    answers = message.role == Role.ASSISTANT
    cut = message.size > CHARACTERS
    return Said(message, message.begins, cut, tags_of(message), run if answers else None, entries)


def tags_of(message: Message) -> list[str]:
    """What is said of a message in a word or two."""
    stands = message.place is not None
    return [
        word
        for word, holds in (
            (_("stands for what is compacted"), stands),
            (_("compacted"), message.compacted),
            (_("pinned"), message.pinned),
            (str(State(message.state).label), message.state != State.COMPLETE),
            (_("a branch begins"), message.parent is not None and not stands),
            (_("begins anew"), message.parent == NOTHING),
            (_("no answer"), not message.answered),
        )
        if holds
    ]


def _runs(talk: Conversation, ids: Collection[str]) -> dict[str, Run]:
    return {run.run_id: run for run in Run.objects.filter(owner_id=talk.owner_id, run_id__in=ids)}


def _made(talk: Conversation, ids: Collection[int]) -> defaultdict[int, list[Made]]:
    found: defaultdict[int, list[Made]] = defaultdict(list)
    for entry in entries_of(talk.owner, talk.pk).filter(message__in=ids).order_by("id"):
        found[entry.message or 0].append(made(entry))
    return found
