"""A reply that goes in circles is known by what follows itself at once; refrains, lists, tables and code are not."""

from __future__ import annotations

import random
import time

import pytest

from chat.domain.loops import goes_in_circles

SENTENCE = "The boiler in the cellar leaks, and the plumber comes on Friday. "
PARAGRAPH = " ".join(f"word{number}" for number in range(60)) + ".\n\n"
VERSE, SECOND, THIRD = (
    "".join(f"Line {number} of the song tells of {name} and the sea.\n" for number, name in enumerate(names))
    for names in ("abcdefgh", "ijklmnop", "qrstuvwx")
)
REFRAIN = (
    "Row, row, row your boat,\nGently down the stream,\nMerrily, merrily, merrily, merrily,\nLife is but a dream.\n"
)

CIRCLES = {
    "a sentence": SENTENCE * 4,
    "a sentence after a start": f"Here is what I know of your house.\n\n{SENTENCE * 6}",
    "a sentence with a cut end": (SENTENCE * 6)[:-20],
    "a word": "The answer is " + "very " * 60,
    "two words": "I think I know. " * 15,
    "a paragraph": PARAGRAPH * 3,
    "a list that numbers itself": "".join(f"{number}. Check the boiler in the cellar.\n" for number in range(1, 12)),
    "a list of points": "- Check the boiler in the cellar.\n" * 8,
    "other case and marks": "The boiler leaks badly! the boiler LEAKS badly. " * 6,
    "Chinese": "服务器在地下室里面。" * 8,
    "Japanese": "サーバーは地下室にあります。" * 6,
    "Thai": "เซิร์ฟเวอร์อยู่ในห้องใต้ดิน" * 6,
    "Korean": "서버는 지하실에 있습니다. 그리고 따뜻합니다. " * 8,
}


@pytest.mark.parametrize("text", CIRCLES.values(), ids=CIRCLES)
def test_what_follows_itself_over_and_over_is_a_circle(text: str) -> None:
    assert goes_in_circles(text)


FINE = {
    "nothing": "",
    "a word": "Yes.",
    "marks alone": "*** " * 400,
    "said twice": SENTENCE * 2,
    "laughter": "Ha ha ha ha ha! Good one.",
    "a song": f"{VERSE}{REFRAIN}{SECOND}{REFRAIN}{THIRD}{REFRAIN}",
    "a refrain sung twice": VERSE + REFRAIN * 2 + VERSE,
    "a list": "".join(
        f"- The server {name} has {size} GB.\n" for name, size in zip("abcdefghij", range(10), strict=True)
    ),
    "a table": "| a | b |\n|---|---|\n" + "| 0 | 0 |\n" * 60,
    "code": "Here it is:\n\n```python\n" + "print('hello, hello, hello')\n" * 60 + "```\n",
    "tilde code": "~~~\n" + "0 0 0 0 0 0\n" * 60 + "~~~\n",
    "code that never closes": "Here it is:\n```\n" + "x = 1\n" * 60,
    "indented code": "Run:\n\n" + "    make all all all\n" * 40,
    "a long answer with one doubled line": " ".join(f"w{n}" for n in range(400)) + SENTENCE * 3,
    "numbers": " ".join(str(number) for number in range(300)),
    "Chinese": "服务器在地下室里面，每天晚上备份一次，备份保存三十天。钥匙在保罗那里，他住在二楼。",
}


@pytest.mark.parametrize("text", FINE.values(), ids=FINE)
def test_what_repeats_by_nature_is_none(text: str) -> None:
    assert not goes_in_circles(text)


def test_a_long_text_takes_no_time() -> None:
    chance = random.Random(7)
    long = " ".join(chance.choice("abcdefgh") for _ in range(500_000))
    began = time.process_time()

    assert not goes_in_circles(long)
    assert goes_in_circles("東" * 1_000_000)

    assert time.process_time() - began < 3  # measured: 0.3 s
