"""A reply that shows what passes between a model and its tools: the tags and tokens that its template writes there.

In code, in a quoted line, or in the middle of a sentence such a tag is what the reply is about.
"""

from __future__ import annotations

import re

_NAMES = r"(?:tool|function)_(?:call|response|result|output|use)s?|tool_code|tools"
#: As the templates of Qwen, Hermes, Llama, Mistral and DeepSeek write them; the last one has bars of full width.
_MARK = (
    rf"(?:</?(?:{_NAMES})>|<[|｜]/?(?:tool|python_tag|function)[^|｜<>\n]{{0,40}}[|｜]>|\[/?TOOL_(?:CALL|RESULT)S?\])"
)
_ASIDE = re.compile(
    r"""
    ^[ \t]*(`{3,}|~{3,})[^\n]*\n.*?(?:^[ \t]*\1|\Z) | ^(?:\ {4}|\t)[^\n]* | ^\ {0,3}>[^\n]*
    | ``[^\n]+?`` | `[^`\n]+`
    """,
    re.VERBOSE | re.MULTILINE | re.DOTALL,
)
_SHOWN = re.compile(rf"^[ \t]*{_MARK}|{_MARK}[ \t]*$", re.MULTILINE | re.IGNORECASE)


def is_machinery(text: str) -> bool:
    """Does a line of its prose begin or end with such a tag?"""
    return ("_" in text or "<" in text) and _SHOWN.search(_ASIDE.sub("`", text)) is not None
