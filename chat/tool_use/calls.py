"""What a model calls, whichever way it wrote it; and what came of it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from chat.domain import envelope
from chat.domain.frames import Frame
from forgesite.lib.language_models import Tool, ToolCall

#: Characters of a call that a trace keeps, and calls of one answer that are carried out.
KEPT, AT_ONCE = 500, 8


@dataclass(frozen=True)
class Call:
    """`wrong`: why it cannot be carried out, for the model; empty for a good one. `raw`: as the model wrote it.

    `native`: by the server's own means, to be answered by its id.
    """

    name: str
    arguments: dict[str, Any]
    raw: str = ""
    wrong: str = ""
    native: ToolCall | None = None
    done: bool = False

    @property
    def same(self) -> str:
        """Equal for calls that ask for the same."""
        return f"{self.name} {json.dumps(self.arguments, sort_keys=True, ensure_ascii=False)}"


@dataclass(frozen=True)
class Performed:
    """`result` is for the model, `spoken` for the person where the run ends here.

    `ends`: why it does, as no answer; empty: it need not.
    """

    result: str
    frames: tuple[Frame, ...] = ()
    ends: str = ""
    spoken: str = ""
    empty: bool = False


def native(call: ToolCall, tools: Sequence[Tool]) -> Call:
    arguments = envelope.arguments_of(call)
    if arguments is None:
        return Call(call.name, {}, call.arguments, "its arguments are no JSON object", native=call)
    arguments = _plain(call.name, arguments, tools)
    return Call(call.name, arguments, call.arguments, _against(call.name, arguments, tools), native=call)


def written(text: str, tools: Sequence[Tool]) -> Call | None:
    """The call that a model wrote as text: the last that fits a tool, else the last of all; None: it wrote none."""
    found = envelope.read(text, tools) or envelope.read(text)
    if found is None:
        return None
    arguments = _plain(found.name, found.arguments, tools)
    wrong = _against(found.name, arguments, tools)
    return Call(found.name, arguments, text, wrong, done=found.done and _says_done(text))


def _plain(name: str, arguments: dict[str, Any], tools: Sequence[Tool]) -> dict[str, Any]:
    """Without what is given as nothing; a number that is written as text, `#12` too, as a number where one is meant."""
    declared: dict[str, Any] = next((tool.parameters.get("properties", {}) for tool in tools if tool.name == name), {})
    numbers = {field for field, shape in declared.items() if shape.get("type") == "integer"}
    given = {field: value for field, value in arguments.items() if value is not None}
    return {field: _number(value) if field in numbers else value for field, value in given.items()}


def _number(value: Any) -> Any:
    digits = value.strip().removeprefix("#") if isinstance(value, str) else ""
    return int(digits) if digits.isascii() and digits.isdigit() and len(digits) < 19 else value


def _against(name: str, arguments: dict[str, Any], tools: Sequence[Tool]) -> str:
    tool = next((tool for tool in tools if tool.name == name), None)
    if tool is None:
        return f"there is no tool {name[:40]!r}; there are: {', '.join(tool.name for tool in tools)}"
    if not envelope.fits(arguments, tool):
        return f"the arguments do not fit; their schema is {json.dumps(dict(tool.parameters))}"
    return ""


def _says_done(text: str) -> bool:
    """In so many words: where it says nothing of it, it wants to see what comes of the call."""
    return '"done":true' in "".join(text.split()).lower()
