"""Grok: `responses` of a `conversation`, each naming the one it answers."""

from __future__ import annotations

from chat.importers.imported import Gathering, Head, Note, ReadConversation
from chat.importers.shape import Fields, Json, fields, items, moment, text, words
from chat.importers.tree import path

FORMAT = "grok"
NAME = "Grok"


def matches(value: Json) -> bool:
    return isinstance(value, dict) and "responses" in value and "conversation" in value


def conversation(value: Fields) -> ReadConversation:
    about = fields(value["conversation"], "conversation")
    said = [fields(fields(item, "responses").get("response"), "response") for item in items(value, "responses")]
    trunk, aside = _parted(said, text(about, "leaf_response_id"))
    into, beside = Gathering(), Gathering()
    for response in trunk:
        _say(into, response)
    for response in aside:
        _say(beside, response)
    into.leave(Note.BRANCH, len(beside.said))
    return into.done(
        Head(
            FORMAT,
            text(about, "conversation_id", "id"),
            text(about, "title"),
            moment(about.get("create_time")),
            moment(about.get("modify_time")),
        )
    )


def _parted(said: list[Fields], leaf: str) -> tuple[list[Fields], list[Fields]]:
    """The conversation and its side branches. Exports whose responses name no parents are plain lists."""
    by_id = {_id(response) or str(place): response for place, response in enumerate(said)}
    parents = {key: text(response, "parent_response_id") or None for key, response in by_id.items()}
    if not any(parent in parents for parent in parents.values()):
        return said, []
    trunk = path(parents, leaf)
    return [by_id[key] for key in trunk], [by_id[key] for key in by_id.keys() - set(trunk)]


def _id(response: Fields) -> str:
    return text(response, "response_id", "_id", "id")


def _say(into: Gathering, response: Fields) -> None:
    into.leave(Note.THINKING, 1 if text(response, "thinking_trace") else 0)
    if text(response, "sender").lower() == "system" or response.get("is_control") is True:
        into.leave(Note.HIDDEN)
        return
    whole = "\n".join(part for part in (words(response, "message"), *_attached(into, response)) if part)
    into.say(text(response, "sender"), whole, moment(response.get("create_time")), _id(response))


def _attached(into: Gathering, response: Fields) -> list[str]:
    images = len(items(response, "image_attachments")) + len(items(response, "generated_image_urls"))
    files = [_file(file) for file in items(response, "file_attachments")]
    into.leave(Note.ATTACHMENT, images + len(files))
    return ["[image]"] * images + [f"[file: {name}]" for name in files]


def _file(file: Json) -> str:
    """Older exports list ids, newer ones objects."""
    return file if isinstance(file, str) else text(fields(file, "file_attachments"), "file_name", "name") or "?"
