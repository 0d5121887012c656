"""The shape of the checkout: what a newcomer sees first."""

import subprocess

from forgesite.config import ROOT

FOLDERS = {"forgesite", "chat", "memory", "retention", "traces", "templates", "static", "bench", "docs"}
FILES = {
    *("manage.py", "pyproject.toml", "README.md", "CHANGELOG.md", "LICENSE"),
    *("requirements.lock", "requirements-test.lock", "requirements-local.lock", "requirements-weights.lock"),
}


def test_the_top_level_holds_the_apps_and_the_named_files_only() -> None:
    tracked = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=False)
    names = {line.split("/")[0] for line in tracked.stdout.splitlines()}

    assert {name for name in names if not name.startswith(".")} <= FOLDERS | FILES | {"tests"}


def test_the_lock_is_hashed_and_names_no_index() -> None:
    for lock in ("requirements.lock", "requirements-test.lock"):
        text = (ROOT / lock).read_text()
        pins = [line for line in text.splitlines() if line[:1].isalnum()]

        assert len(pins) > 20
        assert all("==" in line for line in pins)
        assert text.count("--hash=sha256:") >= len(pins)
        assert "://" not in text
