"""What the server says on the socket: one frozen dataclass a frame, `wire()` the JSON object.

The hub adds `run`, `conversation` and `seq` to the frames of a run.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any, ClassVar


@dataclass(frozen=True)
class Frame:
    type: ClassVar[str] = ""

    def wire(self) -> dict[str, Any]:
        return {"type": self.type, **asdict(self)}


@dataclass(frozen=True)
class Ready(Frame):
    type: ClassVar[str] = "ready"
    user: str
    conversation: str | None


@dataclass(frozen=True)
class Accepted(Frame):
    """The person's message is stored. Always the first frame of a run, and the one that names it.

    `message_id` is the person's message, `answer_id` the reply to come; `repeated` marks a `client_id` seen before.
    """

    type: ClassVar[str] = "accepted"
    client_id: str
    message_id: int
    answer_id: int
    run: str
    conversation: str
    title: str = ""
    repeated: bool = False
    #: The answer that this run goes on with: its text so far comes first, as a delta.
    continues: bool = False
    #: The message that the person's one follows; 0: it begins the conversation, None: the one before it.
    parent: int | None = None


@dataclass(frozen=True)
class Recalled(Frame):
    """`entries` as the trace's recall step keeps them; `dropped` what was left out, and why."""

    type: ClassVar[str] = "recalled"
    entries: tuple[dict[str, Any], ...]
    dropped: tuple[dict[str, Any], ...]
    hot_block: dict[str, Any] | None = None


@dataclass(frozen=True)
class Step(Frame):
    """`state`: `running`, `done`, `empty` (it ran and gave nothing) or `failed`.

    `tool`: `recall`, `remember`, a command, `model`, or `thinking` and `loading` while the model does that.
    """

    type: ClassVar[str] = "step"
    tool: str
    state: str
    preview: str = ""


@dataclass(frozen=True)
class Delta(Frame):
    type: ClassVar[str] = "delta"
    text: str


@dataclass(frozen=True)
class Unsaid(Frame):
    """What the deltas of this run said so far was the model's thinking: the answer begins now."""

    type: ClassVar[str] = "unsaid"


@dataclass(frozen=True)
class Html(Frame):
    """One top-level block of the answer, rendered and sanitised. The same `block` again replaces it.

    `end`: how many characters of the deltas the blocks sent so far show. A page keeps the rest in sight as text.
    """

    type: ClassVar[str] = "html"
    block: int
    html: str
    end: int = 0


@dataclass(frozen=True)
class Saved(Frame):
    type: ClassVar[str] = "saved"
    entry: dict[str, Any]
    echo: str
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Refused(Frame):
    """A write that a rule turned down. `refusal` is the id to save it anyway by, or null where none was kept."""

    type: ClassVar[str] = "refused"
    rule: str
    text: str
    refusal: int | None = None
    message: str = ""


@dataclass(frozen=True)
class Done(Frame):
    type: ClassVar[str] = "done"
    message_id: int
    ok: bool
    not_answered: str | None
    usage: dict[str, Any]
    run_id: str


@dataclass(frozen=True)
class Failed(Frame):
    """`limit` in bytes, of a text that was too large; `client_id` where one send is meant."""

    type: ClassVar[str] = "failed"
    code: str
    message: str
    partial: str = ""
    client_id: str = ""
    limit: int | None = None

    def wire(self) -> dict[str, Any]:
        frame = super().wire()
        return frame if self.limit is not None else {name: frame[name] for name in frame if name != "limit"}


@dataclass(frozen=True)
class Context(Frame):
    """What the prompt takes of the model's window, in tokens, and how many older messages did not fit."""

    type: ClassVar[str] = "context"
    prompt_tokens: int
    hot_block_tokens: int
    history_tokens: int
    history_messages: int
    context_limit: int | None
    estimated: bool
    left_out: int = 0


@dataclass(frozen=True)
class Stopped(Frame):
    type: ClassVar[str] = "stopped"
    partial: str


@dataclass(frozen=True)
class Changed(Frame):
    """News from outside the run: `thread` means that the conversation is best read again. `detail`: counts and codes.

    `conversation` empty: it is for every page of the account.
    """

    type: ClassVar[str] = "changed"
    what: str
    conversation: str = ""
    detail: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Pong(Frame):
    type: ClassVar[str] = "pong"
