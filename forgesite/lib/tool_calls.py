"""Tool calls as OpenAI's chat API writes them: in pieces in a stream, whole in one piece, and back in the next prompt.

Pure. Servers differ: some leave out the index or the id, some number every call 0, some give arguments as an object.
"""

from __future__ import annotations

import hashlib
import json
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from forgesite.lib.language_models import Tool, ToolCall


@dataclass
class _Call:
    id: str = ""
    name: str = ""
    arguments: str = ""
    extra: dict[str, Any] = field(default_factory=dict)
    #: The arguments came as an object, and nothing follows.
    given: bool = False


@dataclass
class Calls:
    """What a model calls in one answer. Falsy as long as it called nothing."""

    _calls: list[_Call] = field(default_factory=list)
    _at: dict[int, _Call] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return bool(self._calls)

    def feed(self, pieces: Any) -> None:
        """The `tool_calls` of one delta, or of a whole message."""
        for piece in pieces if isinstance(pieces, list) else [pieces]:
            if isinstance(piece, dict):
                self._piece(piece)

    def whole(self, *, ended: bool) -> list[ToolCall]:
        """The calls that are whole. Where the answer was cut, half of one may look like another."""
        kept = [call for call in self._calls if call.name and (ended or _object(call.arguments) is not None)]
        ids = [call.id for call in kept]
        return [_call(call, number, ids.count(call.id) > 1) for number, call in enumerate(kept)]

    def _piece(self, piece: dict[str, Any]) -> None:
        named = piece.get("function")
        function = named if isinstance(named, dict) else piece
        call = self._of(piece, function)
        call.id = call.id or str(piece.get("id") or "")
        if isinstance(extra := piece.get("extra_content"), dict):
            call.extra |= extra
        _name(call, str(function.get("name") or ""))
        _give(call, function.get("arguments"))

    def _of(self, piece: dict[str, Any], function: dict[str, Any]) -> _Call:
        """The call that a piece is of: by its index, else by its id, else the last one unless another begins."""
        index, known_as = piece.get("index", function.get("index")), piece.get("id")
        name = function.get("name")
        if isinstance(index, int) and index in self._at:
            held = self._at[index]
            if not (known_as and held.id and known_as != held.id and name):
                return held
        elif not isinstance(index, int) and self._calls:
            same = next((call for call in self._calls if known_as and call.id == known_as), None)
            last = self._calls[-1]
            if same and not (name and same.given):
                return same
            if not known_as and not (name and _over(last)):
                return last
        call = _Call()
        self._calls.append(call)
        if isinstance(index, int):
            self._at[index] = call
        return call


def _name(call: _Call, name: str) -> None:
    """Some servers say it again with every piece."""
    if not call.arguments and name != call.name:
        call.name += name


def _give(call: _Call, arguments: Any) -> None:
    if isinstance(arguments, str):
        call.arguments += arguments
    elif arguments is not None:
        call.arguments, call.given = json.dumps(arguments, ensure_ascii=False), True


def _over(call: _Call) -> bool:
    return bool(call.name) and (call.given or _object(call.arguments) is not None)


def _object(written: str) -> dict[str, Any] | None:
    with suppress(ValueError, RecursionError):
        value = json.loads(written)
        return value if isinstance(value, dict) else None
    return None


def _call(call: _Call, number: int, repeated: bool) -> ToolCall:
    extra = json.dumps(call.extra, ensure_ascii=False) if call.extra else ""
    # Nine letters and digits, which even Mistral takes; the same call has the same one in every prompt.
    ours = hashlib.sha256(f"{number} {call.name} {call.arguments}".encode("utf-8", "replace")).hexdigest()[:9]
    return ToolCall(ours if repeated or not call.id else call.id, call.name, call.arguments, extra)


def offered(tool: Tool) -> dict[str, Any]:
    function = {"name": tool.name, "description": tool.description, "parameters": _plain(dict(tool.parameters))}
    return {"type": "function", "function": function}


def _plain(schema: Any) -> Any:
    """The schema with one type for each field. Gemini refuses all tools for a list of types, or for `const`; and what a
    model gives of another type is read all the same.
    """
    if isinstance(schema, list):
        return [_plain(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    plain = {name: _plain(each) for name, each in schema.items() if name != "const"}
    if "const" in schema:
        plain["enum"] = [schema["const"]]
    if isinstance(types := schema.get("type"), list):
        plain["type"] = next((each for each in types if each != "null"), "string")
    return plain


def called(call: ToolCall) -> dict[str, Any]:
    """A call as a prompt shows it. Where its arguments are no JSON it has none: some servers refuse such a prompt."""
    arguments = call.arguments if _object(call.arguments) is not None else "{}"
    said: dict[str, Any] = {"id": call.id, "type": "function"}
    said["function"] = {"name": call.name, "arguments": arguments}
    return said | ({"extra_content": json.loads(call.extra)} if call.extra else {})
