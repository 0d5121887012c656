"""Why a commit was made, read from the short text that it keeps."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

Kind = Literal["desk", "kept", "chat", "api", "import", "refusal", "undo", "vectors", "baseline", "other"]


@dataclass(frozen=True)
class Cause:
    """`ref`: what it names, a run, a request, an import's source, a refusal, a commit; the text itself of `other`.

    `receipt`: the address of what the run had been given until then; empty where that was nothing, or is not known.
    """

    kind: Kind
    ref: str = ""
    receipt: str = ""


#: Entries that look alike were kept, each by itself (see duplicates.py). To the letter: it is looked for by this.
KEPT = "admin kept all of them"
#: First match wins. A group is what the cause names, a second one its receipt.
READ: tuple[tuple[Kind, re.Pattern[str]], ...] = (
    ("desk", re.compile(r"admin")),
    ("kept", re.compile(KEPT)),
    ("chat", re.compile(r"chat (\w+)(?:, receipt ([0-9a-f]{64}))?")),
    ("api", re.compile(r"((?:POST|PUT|PATCH|DELETE) /.*)")),
    ("import", re.compile(r"import (.+)")),
    ("refusal", re.compile(r"refusal (\d+) saved anyway")),
    ("undo", re.compile(r"undo ([0-9a-f]{12})(?: .*)?")),
    ("vectors", re.compile(r"vectors")),
    ("baseline", re.compile(r"the ledger states whole entries from here on")),
)


def of_run(run_id: str, receipt: str = "") -> str:
    """Why a run of the chat made a commit, with the receipt of what it was given until then, if anything."""
    return f"chat {run_id}, receipt {receipt}" if receipt else f"chat {run_id}"


def read(cause: str) -> Cause:
    """What is not known is told as it stands."""
    for kind, pattern in READ:
        if found := pattern.fullmatch(cause):
            return Cause(kind, *(group or "" for group in found.groups()))
    return Cause("other", cause)
