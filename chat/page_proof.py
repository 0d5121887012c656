"""What belongs to the messages of a thread: the runs behind the answers, what they were given, saved and refused."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from django.db.models import Q

from chat.models import Continuation, Conversation, Message
from forgesite.language import number
from forgesite.models import Account
from memory.given.words import CHANNEL_WORDS
from memory.histories import made
from memory.models import DELIBERATE, Entry, Kind, Refusal
from traces.models import Run


@dataclass(frozen=True)
class Chip:
    """An entry that a run was given."""

    id: int
    kind: Any
    channel: Any
    distance: str
    preview: str


@dataclass(frozen=True)
class Hot:
    """What a run was given at the head of its prompt: so many entries, and how many found no room there."""

    entries: int
    left_out: int
    complete: bool


@dataclass(frozen=True)
class Kept:
    """What was saved in a run: the entry, the commit that made it, and the one that undid that, or empty.

    No commit where the entry was there before and is only confirmed: undoing that would take it away.
    """

    entry: Entry
    commit: str = ""
    undone_by: str = ""
    notes: tuple[str, ...] = ()


@dataclass
class Proof:
    """Fetched at once. `earlier`: the runs that an answer had before its own.

    `by_message`: what was saved from a person's message, and no run says that it saved it.
    """

    runs: dict[str, Run] = field(default_factory=dict)
    earlier: defaultdict[int, list[str]] = field(default_factory=lambda: defaultdict(list))
    by_run: defaultdict[str, list[Kept]] = field(default_factory=lambda: defaultdict(list))
    by_message: defaultdict[int, list[Kept]] = field(default_factory=lambda: defaultdict(list))
    refused: defaultdict[str, list[Refusal]] = field(default_factory=lambda: defaultdict(list))

    def runs_of(self, answer: Message) -> list[str]:
        """The oldest first, its own last."""
        return [*self.earlier.get(answer.pk, ()), answer.run_id]

    def saved(self, answer: Message, asked: int) -> tuple[Kept, ...]:
        """What no run claims stands under the first answer to its message."""
        named = (kept for run in self.runs_of(answer) for kept in self.by_run.get(run, ()))
        return (*named, *self.by_message.pop(asked, ()))

    def turned_down(self, answer: Message) -> tuple[Refusal, ...]:
        return tuple(refusal for run in self.runs_of(answer) for refusal in self.refused.get(run, ()))


def proof_of(
    owner: Account, conversation: Conversation, messages: Sequence[Message], beside: Collection[int] = ()
) -> Proof:
    """`beside`: the messages of other branches that are alternatives to these. What their runs saved is theirs."""
    proof = Proof()
    ids = [message.pk for message in messages]
    for answer, run_id in Continuation.objects.of(owner).filter(message__in=ids).values_list("message", "after"):
        proof.earlier[answer].append(run_id)
    all_runs = {run for message in messages for run in proof.runs_of(message) if run}
    if beside:
        others = Message.objects.of(owner).filter(pk__in=beside).exclude(run_id="")
        all_runs.update(others.values_list("run_id", flat=True))
    for run in Run.objects.of(owner).filter(run_id__in=all_runs).prefetch_related("steps"):
        proof.runs[run.run_id] = run
    _saved(proof, owner, conversation, ids)
    for refusal in Refusal.objects.of(owner).filter(run_id__in=all_runs, saved_as=None).order_by("id"):
        proof.refused[refusal.run_id].append(refusal)
    return proof


def _saved(proof: Proof, owner: Account, conversation: Conversation, ids: Sequence[int]) -> None:
    """As the steps name them; and of a run without a trace what was saved from its message."""
    named = {run_id: _named(run) for run_id, run in proof.runs.items()}
    claimed = {pk for saves in named.values() for pk in saves}
    here = Q(conversation=conversation.id, message__in=ids)
    said = Entry.objects.of(owner).filter(Q(pk__in=claimed) | (here & Q(kind__in=DELIBERATE))).order_by("id")
    kept = {one.entry.pk: one for one in _kept(owner, list(said), conversation, frozenset(ids))}
    for run_id, saves in named.items():
        proof.by_run[run_id] = [replace(kept[pk], notes=notes) for pk, notes in saves.items() if pk in kept]
    for pk, one in kept.items():
        if pk not in claimed:
            proof.by_message[one.entry.message or 0].append(one)


def _named(run: Run) -> dict[int, tuple[str, ...]]:
    """The entries that its steps saved, each with what was noted about it."""
    saves = (row for detail in _details(run) for row in detail.get("saved", ()))
    return {row["id"]: tuple(row.get("notes", ())) for row in saves}


def _kept(owner: Account, entries: Sequence[Entry], talk: Conversation, ids: frozenset[int]) -> list[Kept]:
    born_here = [entry.pk for entry in entries if entry.conversation == talk.id and entry.message in ids]
    known = made(owner, born_here) if born_here else {}
    return [Kept(entry, *((of.commit, of.undone_by) if (of := known.get(entry.pk)) else ())) for entry in entries]


def chips(run: Run) -> tuple[Chip, ...]:
    return tuple(_chip(row) for detail in _details(run) for row in detail.get("entries", ()))


def hot(run: Run) -> Hot | None:
    """None where nothing was given at the head of the prompt."""
    found = next((block for detail in _details(run) if (block := detail.get("hot_block"))), None)
    return Hot(found["entries"], found.get("left_out", 0), found.get("complete", False)) if found else None


def _details(run: Run) -> Iterable[dict[str, Any]]:
    return (step.detail for step in run.steps.all())


def _chip(row: dict[str, Any]) -> Chip:
    distance = row.get("distance")
    shown = "" if distance is None else number(distance, 2)
    channel = channel_name(row.get("channel", ""))
    return Chip(row["id"], kind_name(row.get("kind", "")), channel, shown, row.get("preview", ""))


def kind_name(kind: str) -> Any:
    """In the reader's language; a kind that is no longer known as it is."""
    return dict(Kind.choices).get(kind, kind)


def channel_name(channel: str) -> Any:
    return CHANNEL_WORDS.get(channel, channel)
