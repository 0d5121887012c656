"""A text is found wherever it stands in a file: between blocks, escaped, in pieces; and of many the right one."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memory.erasing import scan as erasure_scan
from memory.erasing.scan import FEW, KEY, Looked, count, look

SHED = "The code of the shed is 4711, été comme hiver"


def places(folder: Path, *texts: str) -> dict[str, int]:
    looked = look(sorted(folder.iterdir()), texts, seconds=60)
    return {hit.path.name: hit.count for hit in looked.hits}


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("plain", f"x{SHED}x".encode()),
        ("json", b'{"a":"The code of the shed is 4711, \\u00e9t\\u00e9 comme hiver"}'),
        ("twice", f"{SHED}{SHED}".encode()),
        ("other", "The code of the shed is 4712, été comme hiver".encode()),
    ],
)
def test_a_text_is_found_as_it_is_and_as_json_writes_it(tmp_path: Path, name: str, data: bytes) -> None:
    (tmp_path / name).write_bytes(data)
    assert places(tmp_path, SHED) == {"plain": {name: 1}, "json": {name: 1}, "twice": {name: 2}, "other": {}}[name]


@pytest.mark.parametrize("many", [1, FEW + 10])
def test_a_text_that_two_blocks_share_is_found_once(tmp_path: Path, many: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(erasure_scan, "BLOCK", 64)
    for before in range(40, 70):
        (tmp_path / f"{before}").write_bytes(b"." * before + SHED.encode() + b"." * 50)
    texts = [SHED, *(f"Some other text, number {number}" for number in range(many - 1))]
    assert places(tmp_path, *texts) == {str(before): 1 for before in range(40, 70)}


def test_a_long_text_is_found_by_any_of_its_pieces(tmp_path: Path) -> None:
    long = " ".join(f"the {number} sheep of the flock" for number in range(400))
    for name, kept in (("begin", long[:300]), ("middle", long[len(long) // 2 - 200 :][:400]), ("end", long[-200:])):
        (tmp_path / name).write_text(kept)
    assert places(tmp_path, long) == {"begin": 1, "middle": 1, "end": 1}


def test_what_cannot_be_read_or_is_gone_is_no_error(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    looked = look([tmp_path / "folder", tmp_path / "nowhere"], [SHED], seconds=60)
    assert (looked.skipped, looked.hits, looked.files) == ([tmp_path / "folder"], [], 0)
    assert look([], [], seconds=60) == Looked()


WORDS = st.binary(min_size=1, max_size=20)


@given(st.lists(WORDS, max_size=30), st.lists(WORDS, min_size=1, max_size=40), st.integers(0, 30))
@settings(suppress_health_check=[HealthCheck.too_slow])
def test_many_patterns_are_counted_as_each_would_be(parts: list[bytes], patterns: list[bytes], old: int) -> None:
    block = b"".join([*parts, *patterns[:5], *parts])
    asked = sorted({*patterns, *(b"%02d and its pad" % number for number in range(FEW))}, key=len)
    counts = dict.fromkeys(asked, 0)
    count(block, asked, old, counts)
    for pattern in asked:
        there = [at for at in range(len(block)) if block.startswith(pattern, at) and at + len(pattern) > old]
        once = block.count(pattern) - block.count(
            pattern, 0, old
        )  # a short one is not counted where it overlaps itself
        assert counts[pattern] == (len(there) if len(pattern) >= KEY else once)
