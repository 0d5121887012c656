"""An answer's text, as it grows, as rendered blocks: a closed one once, the open one at most twice a second."""

from __future__ import annotations

from chat.domain.frames import Html
from chat.rendering import blocks, open_block

OPEN_EVERY = 0.5


class PageBlocks:
    def __init__(self) -> None:
        self.text, self._closed, self._open_at, self._shown_at = "", 0, 0, -OPEN_EVERY

    def grow(self, text: str, *, now: float) -> list[Html]:
        """What to show after `text` more. `now` in seconds of any steady clock."""
        self.text += text
        closed, begins = open_block(self.text[self._open_at :])
        due = now - self._shown_at >= OPEN_EVERY
        if not closed and not due:
            return []
        shown = blocks(self.text[self._open_at :])[: None if due else closed]
        end = len(self.text) if due else self._open_at + begins
        frames = [Html(self._closed + number, html, end) for number, html in enumerate(shown)]
        self._closed, self._open_at = self._closed + closed, self._open_at + begins
        self._shown_at = now if due else self._shown_at
        return frames

    def all(self) -> list[Html]:
        """Every block once more, rendered from the whole text: references between blocks are resolved here."""
        return [Html(number, html, len(self.text)) for number, html in enumerate(blocks(self.text))]
