"""The main job on a running Forge: import at the terminal, then ask, and be answered from what was imported."""

from __future__ import annotations

from typing import Any

import httpx

from chat.tests.test_importing import EXPORTS
from forgesite.testing_server import LiveForge


def ask(forge: LiveForge, token: str, message: str) -> dict[str, Any]:
    headers = {"Authorization": f"Bearer {token}"}
    answer = httpx.post(f"{forge.url}/chat", json={"message": message}, headers=headers, timeout=60)
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


def test_what_was_imported_answers_and_only_its_owner(forge: LiveForge) -> None:
    reader, stranger = forge.token("reader"), forge.token("stranger")
    imported = forge.run("import", str(EXPORTS), "--user", "reader")
    assert imported.returncode == 0, imported.stderr
    assert imported.stdout.endswith("Imported: conversations 10, messages 47, exchanges 24.\n")

    assert "Goldwater Rule" in ask(forge, reader, "What is the Goldwater Rule?")["output"]
    assert "Goldwater" not in ask(forge, stranger, "What is the Goldwater Rule?")["output"]


def test_a_file_that_is_no_export_fails_with_one_line(forge: LiveForge) -> None:
    refused = forge.run("import", "pyproject.toml")

    assert refused.returncode == 1
    assert refused.stderr.count("\n") == 1
    assert "pyproject.toml is not valid JSON" in refused.stderr
