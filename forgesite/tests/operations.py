"""One valid request for every operation of the API."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from chat.history import create_conversation
from chat.models import Message, Role, new_id
from forgesite.api import api
from forgesite.models import Account
from memory.given.gathered import Found, Gathered
from memory.golden import star
from memory.models import Commit, Entry, GoldenQuestion, Link, Refusal
from memory.recall import Query, recall
from memory.receipts import seal
from memory.refuse import refuse
from memory.relate import relate, unrelate
from memory.remember import Draft, remember
from retention.models import Proposal
from traces.models import Run

#: Open to all. Nothing else is.
OPEN = {("GET", "/health")}


@dataclass(frozen=True)
class Scene:
    """One account with a row of everything, each of them holding its canary."""

    owner: Account
    canary: str
    entry: Entry
    other: Entry
    refusal: Refusal
    conversation: str
    message: int
    run_id: str
    golden: GoldenQuestion


@dataclass(frozen=True)
class Call:
    path: str
    body: Any = None


def scene(owner: Account, canary: str) -> Scene:
    draft = Draft(text=f"The code of the shed is {canary}", project=canary)
    entry = remember(owner, draft, actor="person", cause="test").entry
    other = remember(owner, Draft(text=f"Nobody knows {canary}"), actor="person", cause="test").entry
    refusal = refuse(owner, "question", f"Is {canary} the code of the shed?")
    talk = create_conversation(owner, title=f"Shed {canary}")
    said = Message.objects.create(owner=owner, conversation=talk, role=Role.USER, content=f"I said {canary}")
    run = Run.objects.create(
        owner=owner, run_id=new_id(), started_at=entry.said_at, ok=True, total_ms=3, user_input_preview=canary
    )
    found = Found("recall", recall(owner, Query(f"What is the code of the shed of {canary}?")))
    seal(owner, Gathered([found]), run_id=run.run_id)
    golden = star(owner, f"What is the code of the shed of {canary}?", [entry.pk])
    return Scene(owner, canary, entry, other, refusal, talk.id, said.pk, run.run_id, golden)


def change_of(scene: Scene) -> str:
    """The address of a commit that nothing came after: each call makes one."""
    draft = Draft(text=f"The shed of {scene.canary} was painted on {new_id()}")
    entry = remember(scene.owner, draft, actor="person", cause="test").entry
    return Commit.objects.get(touched__entry=entry.pk).address


def absorbed(scene: Scene) -> int:
    """An entry that speaks for the scene's other one."""
    draft = Draft(text=f"Nobody in the house knows {scene.canary}, {new_id()}")
    entry = remember(scene.owner, draft, actor="person", cause="test").entry
    for link in Link.objects.standing().filter(other=scene.other, type="speaks_for"):
        unrelate(scene.owner, link.pk, actor="person", cause="test")
    relate(scene.owner, entry.pk, "speaks_for", scene.other.pk, actor="person", cause="test")
    return entry.pk


def proposed(scene: Scene) -> int:
    """A proposal that waits, on an entry of its own."""
    draft = Draft(text=f"The loan car of {scene.canary} is ours, {new_id()}")
    entry = remember(scene.owner, draft, actor="person", cause="test").entry
    seen = {str(entry.pk): [entry.version, entry.digest]}
    row = Proposal(owner=scene.owner, memory=entry, form="single", action="archive", probability=0.9, seen=seen)
    row.save()
    return row.pk


#: The smallest export that Open WebUI writes.
EXPORT = [
    {
        "id": "a",
        "title": "Shed",
        "chat": {
            "title": "Shed",
            "history": {
                "currentId": "2",
                "messages": {
                    "1": {"id": "1", "parentId": None, "role": "user", "content": "Where is the key?"},
                    "2": {"id": "2", "parentId": "1", "role": "assistant", "content": "Behind the door."},
                },
            },
        },
    }
]
REQUESTS: dict[tuple[str, str], Callable[[Scene], Call]] = {
    ("GET", "/health"): lambda s: Call("/health"),
    ("POST", "/chat"): lambda s: Call("/chat", {"message": "!help", "conversation": s.conversation}),
    ("GET", "/models"): lambda s: Call("/models"),
    ("GET", "/conversations"): lambda s: Call("/conversations?q=shed"),
    ("POST", "/conversations"): lambda s: Call("/conversations", {"title": "Holidays", "model": "tiny"}),
    ("GET", "/conversations/{conversation_id}"): lambda s: Call(f"/conversations/{s.conversation}"),
    ("PATCH", "/conversations/{conversation_id}"): lambda s: Call(
        f"/conversations/{s.conversation}", {"pinned": True, "server": ""}
    ),
    ("GET", "/history"): lambda s: Call(f"/history?conversation={s.conversation}&branch=all"),
    ("POST", "/drawer/pin"): lambda s: Call("/drawer/pin", {"message_id": s.message}),
    ("GET", "/context"): lambda s: Call(f"/context?conversation={s.conversation}"),
    ("GET", "/drawer"): lambda s: Call(f"/drawer?conversation={s.conversation}"),
    ("POST", "/drawer/unpin"): lambda s: Call("/drawer/unpin", {"message_id": s.message}),
    ("POST", "/compact"): lambda s: Call("/compact", {"conversation": s.conversation}),
    ("POST", "/history/clear"): lambda s: Call("/history/clear", {"conversation": s.conversation}),
    ("DELETE", "/conversations/{conversation_id}"): lambda s: Call(f"/conversations/{s.conversation}"),
    ("POST", "/remember"): lambda s: Call("/remember", {"content": "The server has 32 GB of RAM"}),
    ("GET", "/search"): lambda s: Call("/search?q=code+of+the+shed&top_k=50&all=true"),
    ("POST", "/search"): lambda s: Call("/search", {"q": "code of the shed", "top_k": 50, "all": True}),
    ("GET", "/memory"): lambda s: Call("/memory?limit=500"),
    ("GET", "/memory/refused"): lambda s: Call("/memory/refused"),
    ("POST", "/memory/refused/{refusal_id}/save"): lambda s: Call(f"/memory/refused/{s.refusal.pk}/save"),
    ("GET", "/memory/{ref}"): lambda s: Call(f"/memory/{s.entry.pk}"),
    ("PATCH", "/memory/{ref}"): lambda s: Call(f"/memory/{s.entry.pk}", {"pinned": True, "version": s.entry.version}),
    ("POST", "/memory/{ref}/archive"): lambda s: Call(f"/memory/{s.entry.pk}/archive"),
    ("POST", "/memory/{ref}/retract"): lambda s: Call(f"/memory/{s.entry.pk}/retract"),
    ("POST", "/memory/{ref}/restore"): lambda s: Call(f"/memory/{s.entry.pk}/restore"),
    ("POST", "/memory/{ref}/reaffirm"): lambda s: Call(f"/memory/{s.entry.pk}/reaffirm"),
    ("POST", "/memory/{ref}/links"): lambda s: Call(
        f"/memory/{s.entry.pk}/links", {"type": "conflicts", "other": s.other.address}
    ),
    ("GET", "/golden"): lambda s: Call("/golden?limit=500"),
    ("POST", "/golden"): lambda s: Call("/golden", {"question": "Who painted it?", "entries": [s.other.pk]}),
    ("POST", "/golden/replay"): lambda s: Call("/golden/replay", {"top_k": 5}),
    ("DELETE", "/golden/{question_id}"): lambda s: Call(f"/golden/{s.golden.pk}"),
    ("DELETE", "/memory/{ref}"): lambda s: Call(f"/memory/{s.entry.address}"),
    ("GET", "/proposals"): lambda s: Call("/proposals?status=proposed&limit=100"),
    ("GET", "/proposals/waiting"): lambda s: Call("/proposals/waiting"),
    ("POST", "/proposals/{proposal_id}/accept"): lambda s: Call(f"/proposals/{proposed(s)}/accept", {}),
    ("POST", "/proposals/{proposal_id}/reject"): lambda s: Call(f"/proposals/{proposed(s)}/reject"),
    ("POST", "/retention/run"): lambda s: Call("/retention/run", {"dry_run": True}),
    ("GET", "/commits"): lambda s: Call("/commits?limit=500"),
    ("POST", "/commits/{address}/undo"): lambda s: Call(f"/commits/{change_of(s)}/undo"),
    ("GET", "/folds"): lambda s: Call("/folds"),
    ("GET", "/folds/preview"): lambda s: Call("/folds/preview"),
    ("POST", "/folds"): lambda s: Call("/folds", {}),
    ("POST", "/folds/{ref}/unwind"): lambda s: Call(f"/folds/{absorbed(s)}/unwind", {}),
    ("POST", "/verify"): lambda s: Call("/verify"),
    ("GET", "/traces"): lambda s: Call("/traces?n=200"),
    ("GET", "/traces/{run_id}"): lambda s: Call(f"/traces/{s.run_id}"),
    ("GET", "/traces/{run_id}/receipt"): lambda s: Call(f"/traces/{s.run_id}/receipt"),
    ("GET", "/traces/{run_id}/why-not"): lambda s: Call(f"/traces/{s.run_id}/why-not?entry={s.other.pk}"),
    ("GET", "/me"): lambda s: Call("/me"),
    ("PATCH", "/me"): lambda s: Call("/me", {"language": "fr"}),
    ("GET", "/jobs"): lambda s: Call("/jobs?limit=500"),
    ("GET", "/export"): lambda s: Call("/export"),
    ("POST", "/import"): lambda s: Call("/import", EXPORT),
}


def operations() -> Iterator[tuple[str, str]]:
    """What the API serves, whether its document names it or not."""
    for router in api._get_bound_routers():
        for path, view in router.path_operations.items():
            for operation in view.operations:
                yield from ((method, path) for method in operation.methods)
