"""A tool call that a model writes as text, where its server takes no `tools`: {"tool": name, "content": {…}}.

Read leniently, because small models write it in many ways; what is no whole object is no call.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from forgesite.lib.language_models import Tool, ToolCall
from forgesite.lib.loose_json import decoded, objects

#: The name under which a model that must write JSON says plain words.
ANSWER = "answer"
#: What models call a reply that calls nothing.
WORDS = frozenset({ANSWER, "chat", "reply", "respond", "response", "final", "final_answer", "say", "message", "none"})

NAMES = ("tool", "tool_name", "name", "function", "function_name", "action")
GIVEN = ("content", "arguments", "parameters", "args", "params", "input", "tool_input", "action_input")
#: Read past on the way to the call itself.
ASIDE = ("done", "id", "type", "thought", "thoughts", "thinking", "reasoning", "call_id", "tool_call_id")
#: A word that names a call by itself; `name` and `action` are said of many things.
SURE = frozenset(NAMES) - {"name", "action"}
AROUND = ("tool_calls", "tool_call", "function_call", "calls", "tools")

_NAME = re.compile(r"[\w.:-]{1,64}")
#: A tag that some models put around a call.
_TAG = re.compile(r"<\|?(?:tool_calls?|tools?|function_calls?|tool_code|python_tag)(?:\|?>|(?=\|?\Z))|\[TOOL_CALLS?\]")
_TAGS: tuple[str, ...] = (
    "<tool_call>",
    "<tool_calls>",
    "<|tool_call|>",
    "<|tool_call>",
    "<|python_tag|>",
    "<function_call>",
)
_TAGS += ("<tools>", "<tool>", "<tool_code>", "[TOOL_CALLS]", "[TOOL_CALL]")
_FENCE = re.compile(
    r"(?:`{3,}|~{3,})[ \t]*(?:json[c5]?|tool_calls?|tool_code|tool|javascript|js)?[ \t]*(?:\r?\n\s*|\Z)"
)
_FENCES = ("json", "jsonc", "json5", "tool_call", "tool_calls", "tool_code", "tool", "javascript", "js")
_OPENING = re.compile(r"\{\s*(?:[\"'“](?P<key>[^\"'”{}]{0,64})[\"'”]|(?P<bare>\w{1,64}))\s*:\s*")
_BEGUN = re.compile(r"\{\s*(?:[\"'“]?(?P<key>[\w ]{0,64})[\"'”]?\s*)?\Z")
_SECOND = re.compile(
    r"[\"'“](?P<name>[^\"'”]{0,80})[\"'”]\s*(?P<then>,\s*[\"'“]?(?P<key>\w{0,64})(?P<over>[\"'”:])?|\})"
)


@dataclass(frozen=True)
class Envelope:
    """`done`: it asks for no further step; so too where it does not say."""

    name: str
    arguments: dict[str, Any]
    done: bool


def read(text: str, tools: Sequence[Tool] = ()) -> Envelope | None:
    """The last whole call in the text; with `tools`, the last that names one of them and fits it. None: there is none.

    Who asked for words in an envelope gets one that is named as in `WORDS`; `words_of` has them.
    """
    found = [envelope for each in objects(text) for envelope in _envelopes(each)]
    return next((envelope for envelope in reversed(found) if not tools or _fits_one(envelope, tools)), None)


def words_of(envelope: Envelope) -> str | None:
    """What it says where it calls no tool: the answer itself, which may be in an envelope once more. None: a call."""
    if envelope.name.lower() not in WORDS:
        return None
    if inner := _envelopes(envelope.arguments):
        return words_of(inner[-1])
    return next((value for value in envelope.arguments.values() if isinstance(value, str)), "")


def arguments_of(call: ToolCall) -> dict[str, Any] | None:
    """Of a call by the server's own means. Nothing written is no arguments; None: it is no whole object."""
    return _object(call.arguments) if call.arguments.strip() not in ("", "null", "None") else {}


def fits(arguments: dict[str, Any], tool: Tool) -> bool:
    """Has it what the tool requires, each of the type that the tool names?"""
    declared = tool.parameters.get("properties") or {}
    required = tool.parameters.get("required") or ()
    return all(name in arguments for name in required) and all(
        _is(value, declared[name]) for name, value in arguments.items() if name in declared
    )


def instructions(tools: Sequence[Tool]) -> str:
    """How to call them, for the system message. Empty without tools."""
    if not tools:
        return ""
    lines = [f"- {tool.name}: {tool.description} content: {json.dumps(tool.parameters)}" for tool in tools]
    return "\n".join(
        [
            "You may use a tool. To use one, write one JSON object and nothing else, no other word before or after it:",
            '{"tool": "name of the tool", "content": {its parameters}}',
            "Forge does it and shows you the result; then answer. Where no tool is needed, answer in plain words and "
            "write no JSON.",
            "The tools, each with the JSON schema of its content:",
            *lines,
        ]
    )


def schema(tools: Sequence[Tool]) -> dict[str, Any]:
    """What fits a call of one of them, or an answer in words, for a server that constrains what a model writes."""
    said: dict[str, Any] = {"type": "string"}
    return {"anyOf": [*(_shape(tool.name, dict(tool.parameters)) for tool in tools), _shape(ANSWER, said)]}


def _shape(name: str, content: dict[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": {"tool": {"const": name}, "content": content},
        "required": ["tool", "content"],
        "additionalProperties": False,
    }


def looks_like_one(text: str) -> bool:
    """May this beginning of a reply be that of a call, so that it is to be held back? So too while it is blank.

    Only the head of the text is looked at: it costs the same however long the text has grown.
    """
    head = text[:400].lstrip()
    if not head:
        return not text[400:].strip()
    if head[0] in "<[" and (tag := _tagged(head)) is not None:
        head = tag.lstrip()
    if head[:1] in ("`", "~"):
        fenced = _fenced(head)
        return fenced if isinstance(fenced, bool) else _opens(fenced)
    return not head or _opens(head)


def _tagged(head: str) -> str | None:
    """What follows the tag around a call: nothing where the tag itself is not whole yet. None: there is none."""
    if tag := _TAG.match(head):
        return head[tag.end() :]
    return "" if any(tag.startswith(head) for tag in _TAGS) else None


def _fenced(head: str) -> str | bool:
    """What stands in the fence, once its first line is over."""
    if fence := _FENCE.match(head):
        return head[fence.end() :] or True
    named = head.lstrip("`~").strip(" \t")
    return "\n" not in head and (not named or any(name.startswith(named) for name in _FENCES))


def _opens(head: str) -> bool:
    """Does an object begin here whose first words are those of a call?"""
    if head[0] == "[":
        head = head[1:].lstrip() or "{"
    if head[0] != "{":
        return False
    if not (first := _OPENING.match(head)):
        begun = _BEGUN.match(head)
        key = (begun["key"] or "") if begun else ""
        return begun is not None and any(known.startswith(key) for known in (*NAMES, *GIVEN, *ASIDE, *AROUND))
    key = first["key"] or first["bare"] or ""
    if key not in ("name", "action", "id", "type", "input", "content"):
        return key in (*NAMES, *GIVEN, *ASIDE, *AROUND)
    return _goes_on(head[first.end() :])


def _goes_on(rest: str) -> bool:
    """Is what follows `{"name":` that of a call? The value says it, or the key behind it."""
    second = _SECOND.match(rest)
    if second is None:
        return not rest or rest[0] in "{\"'“["
    known = (*NAMES, *GIVEN, *ASIDE)
    if second["key"] is None:
        return second["then"] == "}"
    return second["key"] in known if second["over"] else any(name.startswith(second["key"]) for name in known)


def _envelopes(found: dict[str, Any]) -> list[Envelope]:
    """The calls in an object: itself, or those that it wraps."""
    for name in AROUND:
        inside = found.get(name)
        if isinstance(inside, dict):
            return _envelopes(inside)
        if isinstance(inside, list):
            return [one for each in inside if isinstance(each, dict) for one in _envelopes(each)]
    envelope = _envelope(found)
    return [envelope] if envelope else []


def _envelope(found: dict[str, Any]) -> Envelope | None:
    if isinstance(inner := found.get("function"), dict):
        return _envelope(inner)
    key = next((key for key in NAMES if isinstance(found.get(key), str)), "")
    given = next((name for name in GIVEN if name in found), "")
    if not key or not _NAME.fullmatch(found[key].strip()) or (key not in SURE and not given):
        return None
    arguments = _arguments(found, key, given)
    return None if arguments is None else Envelope(found[key].strip(), arguments, _done(found.get("done")))


def _arguments(found: dict[str, Any], key: str, given: str) -> dict[str, Any] | None:
    """What it gives the tool: an object, a text that is one, a text; or what stands beside the name."""
    if not given:
        return {name: value for name, value in found.items() if name != key and name not in ASIDE}
    value = found[given]
    beside = {name: more for name, more in found.items() if name not in (key, given, *ASIDE, *NAMES, *GIVEN)}
    if isinstance(value, str):
        return beside | (_object(value) or {"content": value})
    if isinstance(value, list):
        value = value[0] if len(value) == 1 else None
    if value is None and found[given] is None:
        return beside
    return beside | value if isinstance(value, dict) else None


def _object(text: str) -> dict[str, Any] | None:
    """The one object that a text is; read once more where it is JSON inside JSON."""
    value = decoded(text)
    if isinstance(value, str):
        value = decoded(value)
    if isinstance(value, list) and len(value) == 1:
        value = value[0]
    if isinstance(value, dict):
        return value
    found = objects(text) if text.lstrip()[:1] in ("{", "`") else []
    return found[0] if len(found) == 1 else None


def _done(said: object) -> bool:
    return str(said).lower() not in ("false", "no", "0") if said is not None else True


def _fits_one(envelope: Envelope, tools: Sequence[Tool]) -> bool:
    return any(tool.name == envelope.name and fits(envelope.arguments, tool) for tool in tools)


TYPES: dict[str, Callable[[Any], bool]] = {
    "string": lambda value: isinstance(value, str),
    "integer": lambda value: isinstance(value, int) and not isinstance(value, bool),
    "number": lambda value: isinstance(value, int | float) and not isinstance(value, bool),
    "boolean": lambda value: isinstance(value, bool),
    "object": lambda value: isinstance(value, dict),
    "array": lambda value: isinstance(value, list),
    "null": lambda value: value is None,
}


def _is(value: object, declared: dict[str, Any]) -> bool:
    """Is it of the declared type, and one of the declared values? Of what is not declared, anything is."""
    if "enum" in declared and value not in declared["enum"]:
        return False
    kinds = declared.get("type", ())
    kinds = [kinds] if isinstance(kinds, str) else kinds
    return not kinds or any(TYPES[kind](value) for kind in kinds if kind in TYPES)
