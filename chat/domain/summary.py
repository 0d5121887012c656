"""What a model is asked to summarise, and what stands for a summary where no model answers. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from chat.domain.transcript import Message

#: Characters of a summary, and of one message in extracts.
MOST, EACH = 4000, 300


def bounded(text: str, most: int = MOST) -> str:
    """Cut at a word, visibly."""
    if len(text) <= most:
        return text
    return text[: most - 2].rsplit(maxsplit=1)[0] + " …"


def extracts(said: Sequence[Message], before: str = "") -> str:
    """The beginning of each message, the newest ones where not all fit, and how many do not; never above MOST."""
    lines = [f"- [{one.role}] {bounded(' '.join(one.content.split()), EACH)}" for one in said]
    head = [bounded(before, MOST // 3)] if before else []
    room = MOST - sum(len(line) + 1 for line in head) - len("… 000000 more …\n")
    fitting: list[str] = []
    for line in reversed(lines):
        if len(line) + 1 > room:
            break
        fitting.insert(0, line)
        room -= len(line) + 1
    out = len(lines) - len(fitting)
    return "\n".join([*head, *([f"… {out} more …"] if out else []), *fitting])
