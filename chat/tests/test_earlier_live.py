"""From an earlier Forge to this one, by commands alone: import, prove, ask, cut, prove, take it back."""

from __future__ import annotations

from pathlib import Path

from chat.tests.earlier import left_behind
from forgesite.testing_server import LiveForge


def done(forge: LiveForge, *arguments: str) -> str:
    ran = forge.run(*arguments)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    return ran.stdout


def test_what_an_earlier_forge_kept_is_here_and_proved(tmp_path: Path) -> None:
    with LiveForge(started=False) as forge:
        done(forge, "account", "create", "amelie")
        imported = done(forge, "import", str(left_behind(tmp_path)))
        assert imported.endswith("entries: decision 1, exchange 3, fact 6, note 2, todo 1.\n")
        done(forge, "verify")
        done(forge, "consistency")
        assert "Podman over Docker" in done(forge, "recall", "Which container engine did we choose?")

        backup = forge.folder / "before.db"
        assert "Cut: 1; left: 0" in done(forge, "resplit", "--apply", "--backup", str(backup))
        assert backup.exists()
        done(forge, "verify")

        for _half in range(2):
            assert done(forge, "ask", "!undo").startswith("Undone:")
        assert "is left: it was cut before" in done(forge, "resplit")
