"""ChatGPT: a `mapping` of nodes with a hidden root; `current_node` names the end of the conversation as it was left."""

from __future__ import annotations

from chat.importers.imported import Gathering, Head, Note, ReadConversation
from chat.importers.shape import Fields, Json, fields, fields_or_none, items, moment, text
from chat.importers.tree import path

FORMAT = "chatgpt"
NAME = "ChatGPT"

THOUGHTS = frozenset({"thoughts", "reasoning_recap"})
CONTEXT = frozenset({"user_editable_context", "model_editable_context"})
OUTPUTS = frozenset({"execution_output", "computer_output", "system_error", "tether_browsing_display", "tether_quote"})
#: Content whose recipient says whether it is a call. Of a type we do not know the words are kept.
ADDRESSED = frozenset({"text", "code", "multimodal_text"})
NAMED_PARTS = {
    "image_asset_pointer": "[image]",
    "audio_asset_pointer": "[audio]",
    "video_container_asset_pointer": "[video]",
}


def matches(value: Json) -> bool:
    return isinstance(value, dict) and "mapping" in value


def conversation(value: Fields) -> ReadConversation:
    nodes = {key: fields(node, key) for key, node in fields(value["mapping"], "mapping").items()}
    trunk = path({key: text(node, "parent") or None for key, node in nodes.items()}, text(value, "current_node"))
    into, aside = Gathering(), Gathering()
    for key in trunk:
        _say(into, key, nodes[key])
    for key in nodes.keys() - set(trunk):
        _say(aside, key, nodes[key])
    into.leave(Note.BRANCH, len(aside.said))
    return into.done(
        Head(
            FORMAT,
            text(value, "id", "conversation_id"),
            text(value, "title"),
            moment(value.get("create_time")),
            moment(value.get("update_time")),
            value.get("is_archived") is True,
        )
    )


def _say(into: Gathering, key: str, node: Fields) -> None:
    message = fields_or_none(node, "message")
    content = fields_or_none(message, "content")
    said = _words(content)
    if not said.strip() and text(content, "content_type") not in THOUGHTS:
        return
    role = text(fields_or_none(message, "author"), "role")
    note = _left_out(role, message, content)
    if note:
        into.leave(note)
        return
    files = _files(message)
    into.leave(Note.ATTACHMENT, len(files) + sum(isinstance(part, dict) for part in items(content, "parts")))
    into.say(role, "\n".join([said, *files]), moment(message.get("create_time")), key)


def _left_out(role: str, message: Fields, content: Fields) -> Note | None:
    kind = text(content, "content_type")
    if kind in THOUGHTS:
        return Note.THINKING
    hidden = fields_or_none(message, "metadata").get("is_visually_hidden_from_conversation") is True
    if hidden or role == "system" or kind in CONTEXT:
        return Note.HIDDEN
    called = role == "assistant" and kind in ADDRESSED and text(message, "recipient") not in ("", "all")
    return Note.TOOL if called or role == "tool" or kind in OUTPUTS else None


def _words(content: Fields) -> str:
    """The parts, a line apart; what is no text is named."""
    if text(content, "content_type") == "code":
        return f"```{_language(content)}\n{text(content, 'text')}\n```" if text(content, "text") else ""
    parts = [_part(part) for part in items(content, "parts")]
    return "\n".join(part for part in parts if part) or text(content, "text", "user_instructions", "result")


def _language(content: Fields) -> str:
    language = text(content, "language")
    return "" if language == "unknown" else language


def _part(part: Json) -> str:
    if part is None or isinstance(part, str):
        return part or ""
    inside = fields(part, "parts")
    return NAMED_PARTS.get(text(inside, "content_type"), "") or text(inside, "text")


def _files(message: Fields) -> list[str]:
    """A line for each attached file; an image is named among the parts already."""
    attached = [fields(file, "attachments") for file in items(fields_or_none(message, "metadata"), "attachments")]
    names = [text(file, "name") for file in attached if not text(file, "mime_type", "mimeType").startswith("image/")]
    return [f"[file: {name}]" for name in names]
