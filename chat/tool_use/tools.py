"""The tools that a model may call, as it is told of them, and when they are offered."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.conf import settings

from chat.prompting.system import has_room
from forgesite.lib.language_models import Tool
from memory.models import DELIBERATE

if TYPE_CHECKING:
    from chat.progress import Progress

#: Entries that one search gives, at most and by itself.
MOST_RESULTS, RESULTS = 20, 5
KINDS = [str(kind) for kind in DELIBERATE]
#: What models call a kind of ours. What a model says of an opinion is kept as what it is, a note.
SYNONYMS = {"commitment": "todo", "task": "todo", "opinion": "note", "episode": "event", "reminder": "prospective"}


def _tool(name: str, description: str, required: list[str], **fields: dict[str, Any]) -> Tool:
    return Tool(name, description, {"type": "object", "properties": fields, "required": required})


def _text(description: str) -> dict[str, Any]:
    return {"type": "string", "description": description}


REMEMBER = _tool(
    "remember",
    "Save one thing the person states: in their words and language, every name and number as they wrote it, saying "
    "whom it is about. Never what they only ask, what you said, or what memory holds.",
    ["content"],
    kind=_text(f"{', '.join(KINDS)}. Without it: fact"),
    content=_text("One sentence, understood by itself"),
    project=_text("As the person calls it; mostly left out"),
    key=_text("Short name, if a later entry is to replace this one"),
)
RECALL = _tool(
    "recall",
    "Look into memory for what an answer needs and this prompt does not hold.",
    ["query"],
    query=_text("In the words that the entry may have"),
    kind=_text("Only of this kind"),
    project=_text("Only of this project"),
)
SEARCH = _tool(
    "memory_search",
    "List entries as JSON: text, id, kind, score; best first.",
    ["query"],
    query={"type": "string"},
    max_results={"type": "integer", "description": f"1 to {MOST_RESULTS}; without it {RESULTS}"},
)
GET = _tool("memory_get", "One entry, whole.", ["id"], id={"type": "integer", "description": "12 of #12"})
TOOLS: tuple[Tool, ...] = (REMEMBER, RECALL, SEARCH, GET)


def offerable(room: int | None) -> tuple[Tool, ...]:
    """Where memory and its tools are on. None where they would leave too little of what a prompt may have.

    `room` None: nobody says how much.
    """
    if not (settings.FORGE.MEMORY_ENABLED and settings.FORGE.ENABLED_TOOLS == "memory"):
        return ()
    return TOOLS if room is None or has_room(TOOLS, room) else ()


def offered(progress: Progress) -> tuple[Tool, ...]:
    """None where an answer is gone on with. A temporary conversation writes nothing."""
    if progress.begun.so_far:
        return ()
    tools = offerable(progress.model.room if progress.model else None)
    return tuple(tool for tool in tools if tool is not REMEMBER or not progress.begun.temporary)
