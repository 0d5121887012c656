"""A model inside Forge: what is said where it cannot run."""

from __future__ import annotations

from pathlib import Path

import pytest

from forgesite.lib.model_doors import door
from forgesite.tests.asking import failure


@pytest.mark.parametrize(("name", "cause"), [("none.gguf", "No such file"), ("notes.txt", "no GGUF file")])
async def test_what_is_no_model_is_told_with_what_to_do(tmp_path: Path, name: str, cause: str) -> None:
    (tmp_path / "notes.txt").write_text("Le NiPoGi a 32 Go de RAM")

    error = await failure(door("local", str(tmp_path / name)))

    assert error.failure == "unreachable"
    assert cause in error.cause
    assert "LLM_URL" in error.cause


async def test_no_path_is_told() -> None:
    health = await door("local", "").health()

    assert (health.ready, health.detail) == (False, "LLM_URL names no GGUF file")


async def test_a_file_that_is_broken_is_told_in_llama_cpp_s_words(tmp_path: Path) -> None:
    broken = tmp_path / "broken.gguf"
    broken.write_bytes(b"GGUF" + bytes(60))

    error = await failure(door("local", str(broken), timeout=60))

    assert error.failure == "unreachable"
    assert "bad GGUF version" in error.cause
