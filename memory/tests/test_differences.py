"""What changed between two versions of a text."""

from __future__ import annotations

import subprocess
import sys

import pytest
import regex
from hypothesis import given
from hypothesis import strategies as st

from memory.domain.differences import LONGEST, Piece, differences

#: Short pieces, so that two texts have some in common; some of them join into one character, or look as if they did.
MARKS = "\n \0.1\u0301\u200d\ufe0f\u0600é東京👍🏽👩💻🇫🇷"
PARTS = st.sampled_from([*MARKS, "the ", "disk", " 16", "\r\n", "サーバー", "커피", "ข้าว", "क्षि", "don't"]) | st.text(
    max_size=3
)
TEXTS = st.lists(PARTS, max_size=20).map("".join)


def shown(before: str, after: str) -> str:
    marks = {"same": "{}", "gone": "[{}]", "new": "<{}>"}
    return "".join(marks[piece.kind].format(piece.text) for piece in differences(before, after))


def side(pieces: tuple[Piece, ...], other: str) -> str:
    return "".join(piece.text for piece in pieces if piece.kind != other)


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ("Le NiPoGi a 16 Go de RAM.", "Le NiPoGi a 32 Go de RAM.", "Le NiPoGi a [16]<32> Go de RAM."),
        ("Deploys are allowed", "Deploys are not allowed", "Deploys are <not >allowed"),
        ("Call Ana before noon", "Call before noon", "Call [Ana ]before noon"),
        ("Rue Monge 12, Paris", "Rue des Écoles 4, Paris", "Rue [Monge 12]<des Écoles 4>, Paris"),
        ("I like tea.", "The rain stopped.", "[I like tea]<The rain stopped>."),
        ("一台东京服务器", "一台大阪服务器", "一台[东京]<大阪>服务器"),
        ("サーバーは夜に止まる", "サーバーは朝に止まる", "サーバーは[夜]<朝>に止まる"),
        ("ข้าวผัดกุ้ง", "ข้าวผัดหมู", "ข้าวผัด[กุ้ง]<หมู>"),
        ("flat 🇫🇷 👩‍💻 ok", "flat 🇫🇮 👩‍🔬 ok", "flat [🇫🇷 👩‍💻]<🇫🇮 👩‍🔬> ok"),
        ("un cafe noir", "un cafe\u0301 noir", "un [cafe]<cafe\u0301> noir"),
        ("same", "same", "same"),
        ("", "new", "<new>"),
        ("gone", "", "[gone]"),
        ("", "", ""),
    ],
)
def test_what_changed_is_told_by_words(before: str, after: str, expected: str) -> None:
    assert shown(before, after) == expected


@given(TEXTS, TEXTS)
def test_the_pieces_make_up_both_texts_exactly(before: str, after: str) -> None:
    pieces = differences(before, after)

    assert side(pieces, "new") == before
    assert side(pieces, "gone") == after
    assert all(piece.text for piece in pieces)
    assert {piece.kind for piece in pieces} <= {"same", "gone", "new"}


@given(TEXTS, TEXTS)
def test_no_piece_ends_inside_a_character_as_a_person_sees_it(before: str, after: str) -> None:
    pieces = differences(before, after)

    assert ends(before, pieces, "new") <= characters(before)
    assert ends(after, pieces, "gone") <= characters(after)


def ends(text: str, pieces: tuple[Piece, ...], other: str) -> set[int]:
    found, at = {0}, 0
    for piece in pieces:
        at += len(piece.text) * (piece.kind != other)
        found.add(at)
    return found


def characters(text: str) -> set[int]:
    return {0, *(match.end() for match in regex.finditer(r"\X", text))}


@given(TEXTS)
def test_a_text_does_not_differ_from_itself(text: str) -> None:
    assert differences(text, text) == ((Piece("same", text),) if text else ())


def test_a_long_stretch_is_one_piece() -> None:
    text = "The NiPoGi has 16 GB. " * 2_000

    assert differences(text, text + "It hums.") == (Piece("same", text), Piece("new", "It hums."))


def test_a_text_too_long_for_words_is_compared_by_lines() -> None:
    lines = [f"Line {number} of the log\n" for number in range(LONGEST // 20)]
    before, after = "".join(lines), "".join([*lines[:9], "Line nine\n", *lines[10:]])

    assert differences(before, after) == (
        Piece("same", "".join(lines[:9])),
        Piece("gone", lines[9]),
        Piece("new", "Line nine\n"),
        Piece("same", "".join(lines[10:])),
    )


def test_words_that_are_too_many_to_compare_are_compared_by_lines_and_those_not_at_all() -> None:
    before, after = "a\n" * 64_000 + "end", "b " * 64_000 + "\nend"

    assert shown(before, after) == f"[{before[:-3]}]<{after[:-3]}>end"
    assert [piece.kind for piece in differences("a\n" * 64_000, "b\n" * 64_000)] == ["gone", "new"]


def test_a_process_that_compares_nothing_loads_no_library() -> None:
    code = "import sys, memory.domain.differences; sys.exit(bool({'regex', 'rapidfuzz'} & set(sys.modules)))"

    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
