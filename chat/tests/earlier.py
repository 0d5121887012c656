"""What an earlier Forge left in its folders, made for a test: a history, a store, sessions and notes."""

from __future__ import annotations

import json
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

from forgesite.sqlite3_vec.driver import Database

Row = tuple[Any, ...]

SCHEMA = """
CREATE TABLE memory_entries (
    id INTEGER PRIMARY KEY AUTOINCREMENT, kind TEXT NOT NULL, content TEXT NOT NULL, project TEXT,
    created_at TEXT NOT NULL, status TEXT NOT NULL DEFAULT 'active', superseded_by INTEGER
);
CREATE VIRTUAL TABLE memory_fts USING fts5(content, content='memory_entries', content_rowid='id');
"""
WRITTEN = "2026-03-01T09:00:00+00:00"
#: As compaction wrote it before it knew of exchanges: a whole conversation in one entry, a pointer first.
BLOCK = "\n".join(
    [
        "system: [12 messages compactés -- voir mémoire vectorielle #1, cherchable via !recall]",
        "user: Which port does the reverse proxy listen on?",
        "assistant: The reverse proxy listens on port 8443.",
        "user: When does the backup of the NAS run?",
        "assistant: The backup of the NAS runs at 02:30.",
        "user: Which colour has the moon base?",
        "assistant: [error] the search failed",
    ]
)
DECISION: Row = (1, "decision", "We chose Podman over Docker for the home server", "homelab", WRITTEN, "active", None)
ROWS: tuple[Row, ...] = (
    DECISION,
    (2, "fact", "The NiPoGi has 32 GB of RAM", None, WRITTEN, "active", 4),
    (3, "todo", "Replace the fan of the NAS", None, WRITTEN, "active", None),
    (4, "fact", "The NiPoGi AM06PRO has 32 GB of RAM and runs Arch", None, WRITTEN, "active", None),
    (5, "history_summary", BLOCK, None, WRITTEN, "active", None),
)
HISTORY: tuple[dict[str, Any], ...] = (
    {"id": 3, "role": "user", "content": "Keep in mind that the router stands in the hall", "pinned": True},
    {"id": 1, "role": "system", "content": "[2 messages précédents compactés -- voir mémoire vectorielle #5]"},
    {"id": 4, "role": "assistant", "content": "The router stands in the hall.", "pinned": False},
    {"id": 5, "role": "user", "content": "List the files in /nowhere please", "index": False},
    {"id": 6, "role": "assistant", "content": "There is no such folder on this machine.", "index": False},
)
SESSION: dict[str, Any] = {
    "task_id": "task/42",
    "summary": "## State\nThe certificate was looked at.",
    "created_at": "2026-02-01T10:00:00Z",
    "updated_at": "2026-02-01T10:05:00Z",
    "messages": [
        {"role": "user", "content": "When does the certificate expire?"},
        {"role": "user", "content": "When does the certificate expire?"},
        {"role": "assistant", "tool_calls": [{"id": "c1", "type": "function", "function": {"name": "cli_execute"}}]},
        {"role": "tool", "tool_call_id": "c1", "name": "cli_execute", "content": "notAfter=Nov 30"},
        {"role": "assistant", "content": "The certificate expires on 30 November."},
        {"role": "assistant", "content": ""},
        {"role": "assistant", "tool_calls": [{"id": "c2", "type": "function", "function": {"name": "cli_execute"}}]},
    ],
}
MEMORY_MD = """# Agent Memory

What stands here is evergreen.

## Key Facts

<!-- Add facts here -->
- The staging cluster is called Kestrel
- Releases go out on Tuesdays
  after lunch

## Old server

- It has 8 GB of RAM
"""
LOG = """
## 14:03:09
- [tool:web_search] The release notes of Postgres 18 mention asynchronous reads.
- [decision] The upgrade waits until the pgvector packages are there.

## 18:30:00
Ask Marie about the new switch
"""


def forge_rag(path: Path, rows: Sequence[Row] = ROWS, schema: str = SCHEMA) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    with closing(Database.connect(str(path))) as shell, shell:
        shell.executescript(schema)
        shell.executemany("INSERT INTO memory_entries VALUES (?, ?, ?, ?, ?, ?, ?)", rows)
    return path


def memory_json(path: Path, history: Any = HISTORY, **more: Any) -> Path:
    facts = [{"key": "coffee", "value": "black, no sugar"}]
    return written(path, json.dumps({"history": history, "facts": facts, "next_id": 7} | more))


def session(path: Path, **more: Any) -> Path:
    return written(path, json.dumps(SESSION | more))


def written(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def left_behind(folder: Path) -> Path:
    """All four, as they lay there."""
    memory_json(folder / "data" / "memory.json")
    forge_rag(folder / "data" / "forge_rag.db")
    session(folder / ".forge" / "sessions" / "task_42.json")
    written(folder / ".forge" / "memory" / "MEMORY.md", MEMORY_MD)
    written(folder / ".forge" / "memory" / "2026-02-03.md", LOG)
    written(folder / ".forge" / "memory" / "network.md", "# Network\n\nThe switch has 8 ports, two of them are free.\n")
    return folder
