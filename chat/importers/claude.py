"""Claude: a list of `chat_messages`, each made of typed blocks; attachments come with the text taken from them."""

from __future__ import annotations

from chat.importers.imported import Gathering, Head, Note, ReadConversation
from chat.importers.shape import Fields, Json, fields, items, moment, text, words

FORMAT = "claude"
NAME = "Claude"

LEFT_OUT = {
    "thinking": Note.THINKING,
    "redacted_thinking": Note.THINKING,
    "tool_use": Note.TOOL,
    "tool_result": Note.TOOL,
}


def matches(value: Json) -> bool:
    return isinstance(value, dict) and "chat_messages" in value


def conversation(value: Fields) -> ReadConversation:
    into = Gathering()
    for message in items(value, "chat_messages"):
        _say(into, fields(message, "chat_messages"))
    return into.done(
        Head(
            FORMAT,
            text(value, "uuid", "conversation_id"),
            text(value, "name", "title"),
            moment(value.get("created_at", value.get("create_time"))),
            moment(value.get("updated_at", value.get("update_time"))),
        )
    )


def _say(into: Gathering, message: Fields) -> None:
    blocks = [fields(block, "content") for block in items(message, "content")]
    for note in filter(None, (LEFT_OUT.get(text(block, "type")) for block in blocks)):
        into.leave(note)
    said = [words(block, "text") for block in blocks if text(block, "type") == "text"]
    # The flat text repeats the blocks with placeholders for those it cannot show: it counts only where there are none.
    spoken = "\n".join(part for part in said if part) if blocks else words(message, "text")
    whole = "\n".join(part for part in (spoken, *_attached(into, message)) if part)
    into.say(text(message, "sender"), whole, moment(message.get("created_at")), text(message, "uuid"))


def _attached(into: Gathering, message: Fields) -> list[str]:
    """Attachments with their text, files by name. A file that is also an attachment is named once."""
    attachments = [fields(file, "attachments") for file in items(message, "attachments")]
    shown = [f"[file: {_name(file)}]\n{text(file, 'extracted_content')}".rstrip() for file in attachments]
    known = {_name(file) for file in attachments}
    files = [_name(fields(file, "files")) for file in items(message, "files")]
    shown += [f"[file: {name}]" for name in files if name not in known]
    into.leave(Note.ATTACHMENT, len(shown))
    return shown


def _name(file: Fields) -> str:
    return text(file, "file_name", "file_uuid") or "?"
