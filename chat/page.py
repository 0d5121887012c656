"""What the chat page shows: the list of conversations, and a thread with the proof under each answer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from chat import history
from chat.branches import Placed, held, sight_of
from chat.domain.branches import NOTHING
from chat.endings import BELOW, ENDINGS
from chat.models import Conversation, Message, Role, State
from chat.once_more import UNFINISHED
from chat.page_folds import Fold, parts
from chat.page_proof import Chip, Hot, Kept, Proof, chips, hot, proof_of
from chat.rendering import render
from forgesite.models import Account
from memory.models import Entry, Refusal
from memory.todos import Waiting, waiting
from traces.models import Run

#: Most conversations in the list, and messages in a thread: the rest is a search or a click away.
LISTED, THREAD = 100, 200


@dataclass(frozen=True)
class Group:
    name: Any
    conversations: tuple[Conversation, ...]


@dataclass(frozen=True)
class Sidebar:
    groups: tuple[Group, ...]
    more: int
    entries: int
    query: str
    archived: bool = False
    #: How many are in the other list, with the same words: the archived ones beside the others, and the reverse.
    elsewhere: int = 0
    todos: Waiting = field(default_factory=Waiting)


@dataclass(frozen=True)
class Shown:
    """A message as the page shows it.

    `parent`: the message it follows, 0 where it begins the conversation; sent with an edit, it makes a branch.
    `siblings`: its alternatives in order, itself included; empty where it has none. `last`: nothing follows it.
    """

    message: Message
    parent: int = 0
    siblings: tuple[int, ...] = ()
    last: bool = False
    html: str = ""
    run: Run | None = None
    chips: tuple[Chip, ...] = ()
    hot: Hot | None = None
    saved: tuple[Kept, ...] = ()
    refused: tuple[Refusal, ...] = ()

    @property
    def asked(self) -> bool:
        return self.message.role == Role.USER

    @property
    def running(self) -> bool:
        return self.message.state == State.RUNNING

    @property
    def cut(self) -> bool:
        return self.message.state == State.CUT

    @property
    def note(self) -> str:
        """What is amiss with an answer that came to its end; empty where nothing is."""
        why = self.run.not_answered if self.run else ""
        return str(ENDINGS[why]) if self.message.state == State.COMPLETE and why in BELOW else ""

    @property
    def can_go_on(self) -> bool:
        return self.last and self.message.state in UNFINISHED

    @property
    def model(self) -> str:
        return self.message.model

    @property
    def seconds(self) -> float | None:
        return self.run.total_ms / 1000 if self.run else None

    @property
    def speed(self) -> float | None:
        """Tokens a second once the model had begun; None where nobody counted, or it was over at once."""
        llm = (self.run and self.run.llm) or {}
        took = (llm.get("ms", 0) - (llm.get("first_ms") or 0)) / 1000
        tokens = llm.get("completion_tokens") or 0
        return tokens / took if tokens > 1 and took >= 0.05 else None

    @property
    def mark(self) -> str:
        if self.message.state == State.FAILED or (self.run and not self.run.ok):
            return "bad"
        return "ok" if self.message.answered and self.message.state == State.COMPLETE else "none"


@dataclass(frozen=True)
class Thread:
    """`before`: the id to ask for what came before, or None at the start. `tip`: what the branch shown ends with.

    `message`: the one that was asked for, if any; a link to what came before names it too, and stays on its branch.
    `standing`: the pointers and summaries of the branch, where something of it left the window.
    """

    shown: tuple[Shown, ...] = ()
    before: int | None = None
    tip: int = NOTHING
    message: int | None = None
    standing: tuple[Message, ...] = ()

    @property
    def parts(self) -> list[Shown | Fold]:
        return parts(self.shown, self.standing, self.message)


def sidebar(owner: Account, query: str = "", *, archived: bool = False) -> Sidebar:
    """Those of a search carry `hit`, the newest message that holds it, on whichever branch."""
    found = history.conversations(owner, q=query, archived=archived)
    listed = list(found.order_by("-pinned", "-updated_at", "-id")[: LISTED + 1])
    more = found.count() - LISTED if len(listed) > LISTED else 0
    elsewhere = history.conversations(owner, q=query, archived=not archived).count()
    entries, todos = Entry.objects.of(owner).count(), waiting(owner)
    return Sidebar(_grouped(listed[:LISTED]), more, entries, query, archived, elsewhere, todos)


def _grouped(conversations: Sequence[Conversation]) -> tuple[Group, ...]:
    today = timezone.localdate()
    week = today - timedelta(days=6)
    groups: dict[Any, list[Conversation]] = {name: [] for name in (_("Pinned"), _("Today"), _("This week"), _("Older"))}
    pinned, now, lately, older = groups.values()
    for one in conversations:
        day = timezone.localdate(one.updated_at)
        (pinned if one.pinned else now if day >= today else lately if day >= week else older).append(one)
    return tuple(Group(name, tuple(members)) for name, members in groups.items() if members)


def thread(
    owner: Account, conversation: Conversation, *, before: int | None = None, message: int | None = None
) -> Thread:
    """The newest messages of the branch in sight, oldest first; or those before one.

    With a `message`: of the branch that holds it, and as far back as it takes to show it.
    """
    sight = sight_of(conversation, of=message)
    rows = sight.rows(before=before, limit=THREAD + 1)
    if before is None and message is not None and rows and message < rows[-THREAD:][0].message.pk:
        rows = sight.rows(before=_somewhat_after(conversation, message), limit=THREAD + 1)
    shown = rows[-THREAD:]
    beside = {one for row in shown for one in row.siblings} - {row.message.pk for row in shown}
    proof = proof_of(owner, conversation, [row.message for row in shown], beside)
    asked, drawn = 0, []
    for row in shown:
        asked = row.message.pk if row.message.role == Role.USER else asked
        drawn.append(_shown(row, asked, proof, last=row.message.pk == sight.end))
    standing = tuple(sight.pointers()) if any(row.message.compacted for row in shown) else ()
    before = shown[0].message.pk if len(rows) > THREAD else None
    return Thread(tuple(drawn), before, sight.end, message, standing)


def _somewhat_after(conversation: Conversation, message: int) -> int | None:
    """Where to end, so that half a page of what followed a message is shown with it."""
    later = held(conversation).filter(pk__gt=message).order_by("id").values_list("id", flat=True)
    return later[THREAD // 2 : THREAD // 2 + 1].first()


def _shown(row: Placed, asked: int, proof: Proof, *, last: bool) -> Shown:
    message = row.message
    if message.role == Role.USER:
        return Shown(message, row.parent, row.siblings, last)
    run = proof.runs.get(message.run_id)
    return Shown(
        message,
        row.parent,
        row.siblings,
        last,
        html=render(message.content),
        run=run,
        chips=chips(run) if run else (),
        hot=hot(run) if run else None,
        saved=proof.saved(message, asked),
        refused=proof.turned_down(message),
    )


#: An answer still to come, for the page's own modules to fill.
BLANK = Shown(Message(role=Role.ASSISTANT, state=State.RUNNING))
