"""What stands where an answer should be: a gap to fill in, a tool call as text, the error of a server."""

from __future__ import annotations

import re
from typing import Any

from chat.domain.envelope import looks_like_one, read
from forgesite.lib.loose_json import decoded

#: A bare name of a tool, as a small model writes it that means to call it.
TOOLS = frozenset({"remember", "recall", "memory_search", "memory_get"})

_FILL_IN = re.compile(
    r"""^(?P<open>[\[<({]{1,2})\s*
    (?=[^\]>)}]*\b(?:answers?|responses?|repl(?:y|ies)|text|content|message|insert|your|placeholder|output|name
      |réponses?|texte|contenu|insérer|insérez|votre|ta)\b)
    [^\[\]<>(){}\n":=]{1,60}
    [\]>)}]{1,2}[.!]?$""",
    re.IGNORECASE | re.VERBOSE,
)
_EMPTY_TAG = re.compile(r"^<(\w{1,20})>\s*</\1>$")
_MARKS = re.compile(r"^[.…!?_\-=*#~`<>\[\](){}|/\\\s]+$")
_CALL = re.compile(r"^`*(\w{1,40})(?:\s*\(\s*\))?`*$")
_PAGE = re.compile(r"^\s*<(?:!doctype\s+html|html|head)\b", re.IGNORECASE)
_TITLE = re.compile(r"<(title|h1)[^>]*>([^<]{0,200})</\1>", re.IGNORECASE)
_FAILED = re.compile(
    r"\b[45]\d\d\b|error|not found|bad gateway|unavailable|forbidden|denied|time-?out|unauthori[sz]ed", re.IGNORECASE
)
_STATUS = re.compile(
    r"^(?:(?:http|error)\W*)?(?:[45]\d\d\W+)?(?:internal server error|bad gateway|service (?:temporarily )?unavailable"
    r"|gateway time-?out|upstream (?:connect|request) \w+|too many requests|error code:? \d+)\b[^\n]{0,80}$",
    re.IGNORECASE,
)
_ERROR_KEYS = ("error", "errors", "detail", "error_message", "traceback")
#: Keys beside an error that belong to it.
_BESIDE = frozenset(
    {*_ERROR_KEYS, "message", "code", "status", "type", "param", "success", "ok", "request_id", "object"}
)


def is_placeholder(text: str) -> bool:
    """Is the whole reply a gap to fill in, marks without a word, or a call of a tool?"""
    plain = text.strip()
    if _MARKS.match(plain) or (len(plain) <= 100 and any(form.match(plain) for form in (_FILL_IN, _EMPTY_TAG))):
        return True
    bare = _CALL.match(plain)
    return (bare is not None and bare[1] in TOOLS) or _is_call(plain)


def _is_call(plain: str) -> bool:
    """In a fence, a call of a tool that is not ours may be what was asked for."""
    if not looks_like_one(plain):
        return False
    call = read(plain)
    if plain[0] in "`~":
        return call is not None and call.name in TOOLS and plain.endswith(plain[:3])
    return call is None or plain[-1] in "}]>`~\"'"


def is_error_body(text: str) -> bool:
    """Is the whole reply what a server says that failed: an error page, an error object, a line of a proxy?"""
    plain = text.strip()
    if _PAGE.match(plain):
        return any(_FAILED.search(said) for _tag, said in _TITLE.findall(plain[:20_000]))
    if plain[:1] in ("{", "["):
        value = decoded(plain)
        return _is_error(value[0] if isinstance(value, list) and len(value) == 1 else value)
    return _STATUS.match(plain) is not None


def _is_error(value: Any) -> bool:
    if not isinstance(value, dict) or not value.keys() <= _BESIDE:
        return False
    return any(value.get(key) for key in _ERROR_KEYS)
