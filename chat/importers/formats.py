"""Which format an export has, told by its shape, and its conversations one by one, the damaged ones named."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from chat.importers import aistudio, chatgpt, claude, grok, memory_json, openwebui, session_json
from chat.importers.entries import ReadEntries
from chat.importers.imported import DamagedError, ReadConversation, Skipped
from chat.importers.reading import NotAnExportError


@dataclass(frozen=True)
class Format:
    key: str
    name: str
    matches: Callable[[Any], bool]
    conversation: Callable[[Any], ReadConversation]
    #: What it remembers besides.
    entries: Callable[[Any], ReadEntries] | None = None


#: The first that matches wins: Open WebUI takes anything with a `history`.
FORMATS = (
    Format(memory_json.FORMAT, memory_json.NAME, memory_json.matches, memory_json.conversation, memory_json.entries),
    *(
        Format(module.FORMAT, module.NAME, module.matches, module.conversation)
        for module in (session_json, chatgpt, claude, grok, aistudio, openwebui)
    ),
)


def conversations(value: Any, name: str) -> Iterator[ReadConversation | ReadEntries | Skipped]:
    """Every conversation of a parsed export, and what it remembers beside. Raises NotAnExportError for any other."""
    found = _items(value)
    known = [_format_of(item) for item in found]
    if found and not any(known):
        raise NotAnExportError(_expected(name))
    for place, (item, form) in enumerate(zip(found, known, strict=True), 1):
        yield _one(item, form, place)
        if form and form.entries:
            yield form.entries(item)


def _items(value: Any) -> list[Any]:
    if isinstance(value, list):
        return value
    if isinstance(value, dict) and isinstance(value.get("conversations"), list):
        return list(value["conversations"])
    return [value]


def _format_of(item: Any) -> Format | None:
    return next((form for form in FORMATS if form.matches(item)), None)


def _one(item: Any, form: Format | None, place: int) -> ReadConversation | Skipped:
    if form is None:
        return Skipped(_named(item, place), _("it has the shape of no conversation"))
    try:
        read = form.conversation(item)
    except DamagedError as error:
        return Skipped(_named(item, place), str(error))
    return read if read.said else Skipped(_named(item, place), _("it holds no words"), damaged=False)


def _named(item: Any, place: int) -> str:
    """A title or an id, so that a person finds it again; else its place in the file."""
    about = item.get("conversation") if isinstance(item, dict) and isinstance(item.get("conversation"), dict) else item
    for key in ("title", "name", "uuid", "id", "conversation_id"):
        if isinstance(about, dict) and isinstance(about.get(key), str) and about[key].strip():
            return f"#{place} {about[key].strip()[:80]}".encode("utf-8", "replace").decode()
    return f"#{place}"


def _expected(name: str) -> str:
    return _(
        "%(name)s is no export that Forge knows. Expected: the conversations.json or the whole .zip of ChatGPT or "
        "Claude, a chat export of Open WebUI, an export of Grok, a prompt of Google AI Studio, what Forge itself "
        "exported, or of an earlier Forge memory.json, forge_rag.db, a file of .forge/sessions, or a .md of "
        ".forge/memory."
    ) % {"name": name}
