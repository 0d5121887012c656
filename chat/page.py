"""What the chat page shows: the list of conversations, and a thread with the proof under each answer."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from chat import history
from chat.models import Conversation, Message, Role, State
from chat.rendering import render
from forgesite.models import Account
from memory.models import DELIBERATE, Entry, Kind, Refusal
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


@dataclass(frozen=True)
class Chip:
    """An entry that a run was given."""

    id: int
    kind: Any
    channel: str
    distance: str
    preview: str


@dataclass(frozen=True)
class Shown:
    """A message as the page shows it."""

    message: Message
    html: str = ""
    run: Run | None = None
    chips: tuple[Chip, ...] = ()
    saved: tuple[Entry, ...] = ()
    refused: tuple[Refusal, ...] = ()

    @property
    def asked(self) -> bool:
        return self.message.role == Role.USER

    @property
    def running(self) -> bool:
        return self.message.state == State.RUNNING

    @property
    def seconds(self) -> float | None:
        return self.run.total_ms / 1000 if self.run else None

    @property
    def mark(self) -> str:
        if self.message.state == State.FAILED or (self.run and not self.run.ok):
            return "bad"
        return "ok" if self.message.answered and self.message.state == State.COMPLETE else "none"


@dataclass(frozen=True)
class Thread:
    shown: tuple[Shown, ...] = ()
    #: The id to ask for what came before, or None at the start.
    before: int | None = None


def sidebar(owner: Account, query: str = "") -> Sidebar:
    found = history.conversations(owner, q=query)
    listed = list(found.order_by("-pinned", "-updated_at", "-id")[: LISTED + 1])
    more = found.count() - LISTED if len(listed) > LISTED else 0
    return Sidebar(_grouped(listed[:LISTED]), more, Entry.objects.of(owner).count(), query)


def _grouped(conversations: Sequence[Conversation]) -> tuple[Group, ...]:
    today = timezone.localdate()
    week = today - timedelta(days=6)
    groups: dict[Any, list[Conversation]] = {name: [] for name in (_("Pinned"), _("Today"), _("This week"), _("Older"))}
    pinned, now, lately, older = groups.values()
    for one in conversations:
        day = timezone.localdate(one.updated_at)
        (pinned if one.pinned else now if day >= today else lately if day >= week else older).append(one)
    return tuple(Group(name, tuple(members)) for name, members in groups.items() if members)


@dataclass
class _Proof:
    """What belongs to the messages of a thread, fetched at once."""

    runs: dict[str, Run] = field(default_factory=dict)
    saved: defaultdict[int, list[Entry]] = field(default_factory=lambda: defaultdict(list))
    refused: defaultdict[str, list[Refusal]] = field(default_factory=lambda: defaultdict(list))


def thread(owner: Account, conversation: Conversation, *, before: int | None = None) -> Thread:
    """The newest messages, oldest first; or those before a message."""
    held = Message.objects.of(owner).filter(conversation=conversation)
    held = held if before is None else held.filter(pk__lt=before)
    messages = list(held.order_by("-id")[: THREAD + 1])[::-1]
    shown = messages[-THREAD:]
    proof = _proof(owner, conversation, shown)
    asked, rows = 0, []
    for message in shown:
        asked = message.pk if message.role == Role.USER else asked
        rows.append(_shown(message, asked, proof))
    return Thread(tuple(rows), shown[0].pk if len(messages) > THREAD else None)


def _proof(owner: Account, conversation: Conversation, messages: Sequence[Message]) -> _Proof:
    proof = _Proof()
    run_ids = [message.run_id for message in messages if message.run_id]
    for run in Run.objects.of(owner).filter(run_id__in=run_ids).prefetch_related("steps"):
        proof.runs[run.run_id] = run
    ids = [message.pk for message in messages]
    said = Entry.objects.of(owner).filter(conversation=conversation.id, message__in=ids, kind__in=DELIBERATE)
    for entry in said.order_by("id"):
        proof.saved[entry.message or 0].append(entry)
    for refusal in Refusal.objects.of(owner).filter(run_id__in=run_ids, saved_as=None).order_by("id"):
        proof.refused[refusal.run_id].append(refusal)
    return proof


def _shown(message: Message, asked: int, proof: _Proof) -> Shown:
    if message.role == Role.USER:
        return Shown(message)
    run = proof.runs.get(message.run_id)
    return Shown(
        message,
        html=render(message.content),
        run=run,
        chips=_chips(run) if run else (),
        saved=tuple(proof.saved.pop(asked, ())),
        refused=tuple(proof.refused.get(message.run_id, ())),
    )


def _chips(run: Run) -> tuple[Chip, ...]:
    given = (row for step in run.steps.all() for row in step.detail.get("entries", ()))
    return tuple(_chip(row) for row in given)


def _chip(row: dict[str, Any]) -> Chip:
    distance = row.get("distance")
    shown = "" if distance is None else f"{distance:.2f}"
    return Chip(row["id"], kind_name(row.get("kind", "")), row.get("channel", ""), shown, row.get("preview", ""))


def kind_name(kind: str) -> Any:
    """In the reader's language; a kind that is no longer known as it is."""
    return dict(Kind.choices).get(kind, kind)


#: An answer still to come, for the page's own modules to fill.
BLANK = Shown(Message(role=Role.ASSISTANT, state=State.RUNNING))
