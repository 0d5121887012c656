"""Open WebUI: a chat holds a tree (`history.messages`, `currentId`), or only the flat list of older versions."""

from __future__ import annotations

from chat.importers.imported import Gathering, Head, Note, ReadConversation
from chat.importers.shape import Fields, Json, fields, fields_or_none, items, moment, text, words
from chat.importers.tree import path

FORMAT = "openwebui"
NAME = "Open WebUI"


def matches(value: Json) -> bool:
    return isinstance(value, dict) and ("chat" in value or _is_chat(value))


def _is_chat(value: Fields) -> bool:
    return "history" in value or ("messages" in value and ("models" in value or "title" in value))


def conversation(value: Fields) -> ReadConversation:
    chat = fields(value["chat"], "chat") if "chat" in value else value
    into = Gathering()
    history = fields_or_none(chat, "history")
    if history.get("messages"):
        _from_tree(into, history)
    else:
        for message in items(chat, "messages"):
            _say(into, fields(message, "messages"))
    return into.done(
        Head(
            FORMAT,
            text(value, "id") or text(chat, "id"),
            text(value, "title") or text(chat, "title"),
            moment(value.get("created_at")) or moment(chat.get("timestamp")),
            moment(value.get("updated_at")),
            value.get("archived") is True,
        )
    )


def _from_tree(into: Gathering, history: Fields) -> None:
    nodes = {key: fields(node, key) for key, node in fields(history["messages"], "messages").items()}
    trunk = path({key: text(node, "parentId") or None for key, node in nodes.items()}, text(history, "currentId"))
    for key in trunk:
        _say(into, nodes[key], key)
    aside = Gathering()
    for key in nodes.keys() - set(trunk):
        _say(aside, nodes[key], key)
    into.leave(Note.BRANCH, len(aside.said))


def _say(into: Gathering, message: Fields, key: str = "") -> None:
    role = text(message, "role")
    if role == "system":
        into.leave(Note.HIDDEN, 1)
        return
    said = "\n".join(part for part in (_said(into, message), *_files(into, message)) if part)
    into.say(role, said, moment(message.get("timestamp")), key or text(message, "id"))


def _said(into: Gathering, message: Fields) -> str:
    if not isinstance(message.get("content"), list):
        return words(message, "content")
    return "\n".join(_part(into, fields(part, "content")) for part in items(message, "content"))


def _part(into: Gathering, part: Fields) -> str:
    if text(part, "type") == "image_url":
        into.leave(Note.ATTACHMENT)
        return "[image]"
    return words(part, "text")


def _files(into: Gathering, message: Fields) -> list[str]:
    files = [fields(file, "files") for file in items(message, "files")]
    into.leave(Note.ATTACHMENT, len(files))
    return ["[image]" if text(file, "type") == "image" else f"[file: {text(file, 'name') or '?'}]" for file in files]
