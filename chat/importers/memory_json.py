"""`memory.json` of an earlier Forge: one conversation without an end, and a few facts by their keys.

It was written whole at every turn, by versions that knew neither ids nor pins, so nearly anything may be missing or of
another shape: what cannot be a message is counted and left out, and the rest is taken.
"""

from __future__ import annotations

import json
import re
from typing import Any

from django.utils.translation import gettext as _

from chat.domain.pointer import is_pointer
from chat.importers.entries import ReadEntries, ReadEntry, Remembering
from chat.importers.imported import Gathering, Head, Note, ReadConversation, digest
from chat.importers.shape import Fields, Json, moment
from memory.domain.wording import size
from memory.drafts import KEY_BYTES

FORMAT = "memory_json"
NAME = "memory.json"
#: There was one conversation, and it had no id.
ONLY = "history"

#: That system's own words where a summary stood for compacted messages.
SUMMARY = re.compile(r"\s*\[Résumé de \d+ messages?\b")
WRITTEN_AT = ("timestamp", "created_at", "time", "at")


def matches(value: Json) -> bool:
    if not isinstance(value, dict):
        return False
    counted = "next_id" in value and ("history" in value or "facts" in value)
    return counted or isinstance(value.get("history"), list)


def conversation(value: Fields) -> ReadConversation:
    """In the order of the ids: pinned messages were moved to the front of the file."""
    into = Gathering()
    listed = value.get("history")
    messages = [one for one in listed if _is_message(one)] if isinstance(listed, list) else []
    into.leave(Note.DAMAGED, len(listed) - len(messages) if isinstance(listed, list) else 0)
    for message in _in_order(messages):
        _say(into, message)
    return into.done(Head(FORMAT, ONLY))


def _is_message(item: Json) -> bool:
    said = isinstance(item, dict) and (item.get("content") is None or isinstance(item["content"], str))
    return said and (item.get("role") is None or isinstance(item["role"], str))


def _in_order(messages: list[Fields]) -> list[Fields]:
    """One without an id stays behind the message before it."""
    places: list[int] = []
    for message in messages:
        places.append(_id(message) or (places[-1] if places else 0))
    return [messages[at] for at in sorted(range(len(messages)), key=lambda at: places[at])]


def _id(message: Fields) -> int:
    """0 for none. Truth values are whole numbers in Python, and no ids."""
    number = message.get("id")
    return number if isinstance(number, int) and not isinstance(number, bool) and number > 0 else 0


def _say(into: Gathering, message: Fields) -> None:
    role, text = message.get("role") or "", message.get("content") or ""
    pinned = message.get("pinned") is True
    if note := _left_out(role, text, pinned=pinned):
        into.leave(note)
        return
    marked = message.get("index") is False or message.get("answered") is False
    at = next((found for name in WRITTEN_AT if (found := moment(message.get(name)))), None)
    into.say(role, text, at, _source_id(message, role, text), pinned=pinned, indexable=not marked)


def _left_out(role: str, text: str, *, pinned: bool) -> Note | None:
    if is_pointer(text):
        return Note.POINTER
    if role.lower() != "system":
        return None
    return Note.SUMMARY if SUMMARY.match(text) else None if pinned else Note.HIDDEN


def _source_id(message: Fields, role: str, text: str) -> str:
    """Ids begin anew in another machine's file, so the words count too. Empty for a message without an id."""
    number = _id(message)
    words = digest(f"{role}\n{text}".encode("utf-8", "replace").decode())
    return f"{number}-{words}" if number else ""


# -- facts


def entries(value: Fields) -> ReadEntries:
    into = Remembering(FORMAT)
    for place, item in enumerate(_listed(value.get("facts")), 1):
        _fact(into, item, _("fact %(place)d") % {"place": place})
    return into.done()


def _listed(facts: Json) -> list[Any]:
    if isinstance(facts, dict):
        return [{"key": key, "value": said} for key, said in facts.items()]
    return facts if isinstance(facts, list) else []


def _fact(into: Remembering, item: Json, name: str) -> None:
    key = item.get("key") if isinstance(item, dict) else None
    if not isinstance(key, str) or not isinstance(item, dict) or item.get("value") is None:
        into.skip(name, _("it is no key with a value"))
        return
    try:
        key, said = into.mended(key).strip(), into.mended(_words(item["value"])).strip()
    except RecursionError:
        into.skip(name, _("it is nested too deeply"))
        return
    if not said:
        into.skip(f"{name} {key[:80]}", _("it holds no words"), damaged=False)
        return
    text = f"{key}: {said}" if key else said
    held = key if size(key) <= KEY_BYTES else ""
    into.entries.append(ReadEntry(f"fact:{digest(text)}", f"{name} {key[:80]}", "fact", text, key=held))


def _words(value: Json) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
