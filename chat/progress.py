"""What is known of a run so far, and what one step of it said."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from chat.domain.frames import Frame
from chat.domain.quotes import is_quoting, is_retelling
from chat.domain.route import Ask, Command, Erase, Route, Save, SaveLast, Tell
from chat.domain.verdict import Verdict
from chat.page_blocks import PageBlocks
from memory.domain.hot_block import FRAMING
from memory.given.gathered import Gathered

if TYPE_CHECKING:
    from chat.answering import Answering
    from chat.persist import Begun
    from chat.prompting.sent import Sent
    from forgesite.models import Account
    from traces.recorder import Recorder

#: What `done` names as the model where none answered.
BUILTIN = "builtin"
#: Why what our own code answered may not enter memory: a question is answered from the store, and what was to be saved
#: is an entry already, or was refused.
KEPT_OUT: dict[type[Route], str] = {
    Ask: "question",
    Command: "command",
    Erase: "command",
    Save: "save",
    SaveLast: "save",
}


@dataclass(frozen=True)
class Said:
    """An answer's text, the frames that go before it, and what it was.

    `wrote`: memory or history changed on the way. `rewrote`: so did messages that are on the page already.
    """

    text: str
    frames: tuple[Frame, ...] = ()
    not_answered: str = ""
    degraded: str = ""
    #: May the person's own message enter memory with its exchange? Not where it was an order, or saved and no more.
    indexable: bool = False
    #: Why not, where the way of the turn does not say it.
    not_indexable: str = ""
    wrote: bool = False
    rewrote: bool = False


def together(said: Sequence[Said]) -> Said:
    """What several acts of one turn said, one after the other. Answered as soon as one of them was."""
    return Said(
        "\n\n".join(one.text for one in said),
        tuple(frame for one in said for frame in one.frames),
        not_answered=said[0].not_answered if all(one.not_answered for one in said) else "",
        degraded=next((one.degraded for one in said if one.degraded), ""),
        wrote=any(one.wrote for one in said),
    )


@dataclass
class Progress:
    """Written by the run's own task alone, and by the one thread that it waits for.

    `way` is what the text asks for, once that is known. `model` answers; None: our own code does. `said`: what our
    code said, or did before the model answered.
    """

    owner: Account
    begun: Begun
    door: str
    recorder: Recorder
    way: Route = field(default_factory=Tell)
    model: Answering | None = None
    page: PageBlocks = field(default_factory=PageBlocks)
    said: Said | None = None
    #: The texts of the entries that this run was given, by id.
    given: dict[int, str] = field(default_factory=dict)
    #: Did the model look into memory by a tool, and find something?
    looked: bool = False
    #: What it was given since its last receipt (see receipts.py), and what the model was sent last.
    gathered: Gathered = field(default_factory=Gathered)
    sent: Sent | None = None
    #: The address of its last receipt, how many it has, and the entries that they name.
    receipt: str = ""
    parts: int = 0
    sealed: set[int] = field(default_factory=set)

    @property
    def text(self) -> str:
        return self.begun.text

    @property
    def shown(self) -> str:
        """The answer's text so far."""
        return self.page.text

    @property
    def degraded(self) -> str:
        return self.said.degraded if self.said else ""

    @property
    def indexable(self) -> bool:
        """May the person's own message enter memory? The answer may only where it is one, too."""
        return self.said is not None and self.said.indexable and not self.said.not_indexable

    def enters(self, not_indexable: str) -> bool:
        """May the person's message enter memory? A question does so only with its answer; a statement by itself too."""
        return self.indexable and not (not_indexable and isinstance(self.way, Ask))

    def kept(self) -> str:
        """What the answer's row keeps: the text shown; all of it where a write came before the stop."""
        if self.model is None and self.said and self.said.wrote:
            return self.said.text
        return self.shown or self.begun.so_far

    def verdict(self) -> Verdict:
        """Of a run that came to its end."""
        if self.model:
            judged = self.model.verdict(self.shown)
        else:
            judged = Verdict(not_answered=self.said.not_answered if self.said else "")
        return replace(judged, not_indexable=judged.not_answered or self._kept_out())

    def _kept_out(self) -> str:
        """Why an answer may not enter memory: empty where it may."""
        if not self.indexable:
            return (self.said.not_indexable if self.said else "") or KEPT_OUT.get(type(self.way), "nothing stated")
        if self.model is None:
            return "by Forge itself"
        if self.looked:
            return "recall"
        texts = [*FRAMING, *self.given.values()] if self.given else []
        if isinstance(self.way, Ask) and is_retelling(self.shown, self.text, texts):
            return "from memory"
        return "quotes memory" if is_quoting(self.shown, texts) else ""

    @property
    def model_name(self) -> str:
        """What the answer's row keeps as its writer."""
        return self.model.name if self.model else ""

    def usage(self) -> dict[str, Any]:
        return self.model.usage() if self.model else {"model": BUILTIN}

    def llm(self) -> dict[str, Any] | None:
        return self.model.llm() if self.model else None
