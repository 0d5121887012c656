"""What is asked of memory, and what it gives: rows, what was found and left out, and what both were measured by."""

from __future__ import annotations

from dataclasses import dataclass, field

from memory.models import Entry


@dataclass(frozen=True)
class Query:
    """`policy` and `top_k` empty: as set. `project` None: of any. `everything`: archived and retracted rows too.

    `explicit`: asked for in so many words, so that an embedder that is down is an error and no mere notice.
    `for_prompt`: nothing that was replaced is shown beside what replaced it, open todos stand first where the policy
    puts them there, and who builds the prompt packs the rows (see packing.py). `beside_todos`: they do not stand first,
    for the prompt has them already, or an answer only quotes. `most_bytes`: of all rows together. `as_of`: as memory
    was then, by any name of that time (see as_of.py).
    """

    text: str
    policy: str = ""
    top_k: int | None = None
    kind: str = ""
    project: str | None = None
    everything: bool = False
    explicit: bool = False
    for_prompt: bool = False
    as_of: str = ""
    beside_todos: bool = False
    most_bytes: int | None = None


@dataclass(frozen=True)
class Row:
    """`distance`: Euclidean, four decimals, None where no vector matched. `score`: what the policy orders by, or None.

    `rank`: its place in the policy's order, from 1; what was left out keeps its own. `tells`: it would by itself make
    memory hold something on this; a row that does not is shown all the same. `near`: its distance alone says so.
    `variant`: the other question that found it, where that which was asked found nothing (see rescue.py).
    """

    entry: Entry
    channel: str
    distance: float | None
    score: float | None
    matched_terms: tuple[str, ...]
    rank: int
    tells: bool = True
    near: bool = False
    variant: str = ""


@dataclass(frozen=True)
class LeftOut:
    """A row that was found and not shown. `reason` names the rule.

    `cutoff`: only vectors found it, and too far away; `budget`: past `top_k`, or past its channel's own; `items` and
    `bytes`: what a prompt is given; `candidates`: more than one channel may find. `rank`: its place in the policy's
    order; None where it had none.
    """

    id: int
    reason: str
    distance: float | None
    score: float | None = None
    channel: str = ""
    rank: int | None = None


@dataclass(frozen=True)
class Head:
    """An owner's last commit; 0 and empty before there is one."""

    tick: int = 0
    address: str = ""


@dataclass(frozen=True)
class Recalled:
    """`nothing` is what a turn goes by: memory holds nothing on this, though a search may still show `rows`.

    `left_out`: all else that was found. `nearest` is the closest row that the cutoff left out, `cutoff_named` the
    cutoff with its regime. `degraded` names why only words were searched, in spite of the policy: `no_embedder`,
    `no_extension` or `embedding` (it failed); `notices` say it in sentences.

    `text`: the question as it was searched, with the other names (`aliases`) that it was searched by; `expanded`: the
    questions that were searched besides, where it found nothing. `candidates`: rows that each channel found, before any
    cut; `budgets`: rows, words, items, bytes and candidates, as in force. `regime`: of the vectors, empty without.
    `head`: the owner's last commit when the rows were read.
    """

    rows: tuple[Row, ...]
    left_out: tuple[LeftOut, ...]
    nothing: bool
    nearest: LeftOut | None
    cutoff: float | None
    policy: str
    notices: tuple[str, ...]
    degraded: str
    text: str = ""
    query: Query = Query("")
    candidates: dict[str, int] = field(default_factory=dict)
    budgets: dict[str, int] = field(default_factory=dict)
    regime: str = ""
    cutoff_named: str = ""
    head: Head = Head()
    aliases: tuple[str, ...] = ()
    expanded: tuple[str, ...] = ()

    @property
    def given(self) -> tuple[Row, ...]:
        """The rows that an answer may lean on. Open todos are given whatever was asked."""
        return tuple(row for row in self.rows if row.channel == "tasks") if self.nothing else self.rows
