"""An answer's text, as it grows, as rendered blocks: at most twice a second, and of them those that changed."""

from __future__ import annotations

from chat.domain.frames import Html
from chat.rendering import blocks, open_block

OPEN_EVERY = 0.5
#: An open block of so many characters is rendered at that pace; a longer one takes longer, and waits in proportion.
AT_ONCE = 1000


class PageBlocks:
    """Rendering is most of what a token costs the server, so nothing is parsed before something is due."""

    def __init__(self) -> None:
        self.text, self._shown_at = "", -OPEN_EVERY
        self._shown: list[str] = []
        # What lies before is settled; what comes after may still be rendered otherwise.
        self._closed, self._open_at = 0, 0

    def grow(self, text: str, *, now: float) -> list[Html]:
        """What to show after `text` more. `now` in seconds of any steady clock."""
        self.text += text
        waits = OPEN_EVERY * max(1, (len(self.text) - self._open_at) / AT_ONCE)
        if now - self._shown_at < waits:
            return []
        self._shown_at = now
        rest = self.text[self._open_at :]
        frames = self._show(self._closed, blocks(rest))
        self._settle(rest)
        return frames

    def all(self) -> list[Html]:
        """Every block once more, rendered from the whole text: references between blocks are resolved here."""
        known, self._shown = len(self._shown), []
        whole = blocks(self.text)
        return self._show(0, whole + [""] * (known - len(whole)))

    def _show(self, first: int, rendered: list[str]) -> list[Html]:
        """A block that is there no more, since its line went on and joined the one before, is shown as nothing."""
        rendered += [""] * (len(self._shown) - first - len(rendered))
        before = self._shown[first:] + [""] * len(rendered)
        self._shown[first:] = rendered
        changed = [number for number, html in enumerate(rendered) if html != before[number]]
        return [Html(first + number, rendered[number], len(self.text)) for number in changed]

    def _settle(self, rest: str) -> None:
        """A line that has not ended yet can take back the end of the block before it: `#` is a heading, `#x` none."""
        closed, begins = open_block(rest[: rest.rfind("\n") + 1])
        self._closed, self._open_at = self._closed + closed, self._open_at + begins
