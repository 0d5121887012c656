"""Google AI Studio: a prompt's `chunkedPrompt.chunks`; no ids, no title, in older files no dates."""

from __future__ import annotations

from chat.importers.imported import Gathering, Head, Note, ReadConversation
from chat.importers.shape import Fields, Json, fields, fields_or_none, items, moment, text, words

FORMAT = "aistudio"
NAME = "Google AI Studio"

NAMED = {"driveImage": "[image]", "inlineImage": "[image]", "driveAudio": "[audio]", "driveVideo": "[video]"}
NAMED |= {"driveDocument": "[file]", "inlineFile": "[file]", "inlineData": "[file]", "youtubeVideo": "[video]"}
CODE = frozenset({"executableCode", "codeExecutionResult"})


def matches(value: Json) -> bool:
    return isinstance(value, dict) and "chunkedPrompt" in value


def conversation(value: Fields) -> ReadConversation:
    into = Gathering()
    system = fields_or_none(value, "systemInstruction")
    into.leave(Note.HIDDEN, 1 if text(system, "text") or system.get("parts") else 0)
    for chunk in items(fields(value["chunkedPrompt"], "chunkedPrompt"), "chunks"):
        _say(into, fields(chunk, "chunks"))
    return into.done(Head(FORMAT))


def _say(into: Gathering, chunk: Fields) -> None:
    if chunk.get("isThought") is True:
        into.leave(Note.THINKING)
        return
    if chunk.keys() & CODE:
        into.leave(Note.TOOL)
        return
    named = [shown for key, shown in NAMED.items() if chunk.get(key) is not None]
    into.leave(Note.ATTACHMENT, len(named))
    whole = "\n".join(part for part in (words(chunk, "text"), *named) if part)
    into.say(text(chunk, "role"), whole, moment(chunk.get("createTime")))
