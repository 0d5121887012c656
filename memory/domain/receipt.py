"""What a receipt says of a run, and the hash that it is named by: what was given of memory, and what was left out.

It shows what was given, and not what an answer made of it. No word of a question or an entry is in a body, only ids,
salted digests and numbers. A later form gets a number of its own (`v`): changing this one breaks every chain there is.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from memory.domain.chain import canonical, sha256

#: 2: the hash of what a prompt began with is salted. Receipts of the first form have it plain, and stay as they are.
FORM = 2
#: What of a row that was left out stands in its line, in this order. `by`: how far past the rule it was.
COLUMNS = ("id", "reason", "channel", "distance", "score", "rank", "by")
#: What stands where a question quoted an entry that was forgotten since (see forgesite/lib/masking.py).
MASKED = "[forgotten #"
#: By which of a recall's budgets a row was over, for each reason that counts rows.
COUNTED = {"budget": "rows", "items": "items"}


@dataclass(frozen=True)
class Given:
    """A row that was given. `version` and `digest`: of its words (see domain/chain.py), as of the receipt's tick.

    `variant`: by salted digest the other question that found it, where that which was asked found nothing.
    `moved`: it changed between the search and the receipt, and these are of the search. `outside`: its words were
    edited outside Forge, and no commit said so yet.
    """

    id: int
    version: int | None
    digest: str
    channel: str = ""
    distance: float | None = None
    score: float | None = None
    rank: int | None = None
    variant: str = ""
    moved: bool = False
    outside: bool = False


@dataclass(frozen=True)
class Left:
    """A row that was found and not given: by which rule, and by how much."""

    id: int
    reason: str
    channel: str = ""
    distance: float | None = None
    score: float | None = None
    rank: int | None = None
    by: float | None = None


@dataclass(frozen=True)
class Asked:
    """One recall. `question`, `aliases`, `expanded` and `project` by salted digest.

    `tick` and `head`: the owner's last commit when the rows were read. `filters`: whatever else was asked for.
    `nothing`: the run was told that memory holds nothing on it, whatever was found.
    """

    tool: str
    question: str
    tick: int
    head: str
    policy: str = ""
    filters: dict[str, Any] = field(default_factory=dict)
    budgets: dict[str, int] = field(default_factory=dict)
    candidates: dict[str, int] = field(default_factory=dict)
    cutoff: float | None = None
    cutoff_named: str = ""
    regime: str = ""
    aliases: tuple[str, ...] = ()
    expanded: tuple[str, ...] = ()
    nothing: bool = False
    degraded: str = ""
    given: tuple[Given, ...] = ()
    left_out: tuple[Left, ...] = ()


@dataclass(frozen=True)
class Block:
    """What the prompt's head held: `digest` is over the (id, digest) pairs of `entries`, in order.

    `apart`: those of them of which the pair is not the one as of the receipt's tick, as `Given` has it.
    """

    entries: tuple[int, ...]
    digest: str
    left_out: int
    tokens: int
    complete: bool
    apart: tuple[Given, ...] = ()


@dataclass(frozen=True)
class Prompt:
    """`prefix`: SHA-256 over the messages before the turn's own, `messages` of them, as [role, text] pairs; in a body
    by salted digest, and `salt` is the SHA-256 of the salt. Of the first form there is none."""

    prefix: str
    messages: int
    tokens: dict[str, int]
    estimated: bool = False
    salt: str = ""

    def salted(self, salt: str) -> Prompt:
        """Without the salt nobody can try a guess at what was forgotten since."""
        return replace(self, prefix=salted(salt, self.prefix), salt=sha256(salt))


@dataclass(frozen=True)
class Said:
    """All that a receipt says of what was given. `read`: entries that were read by their number."""

    recalls: tuple[Asked, ...] = ()
    read: tuple[Given, ...] = ()
    block: Block | None = None
    prompt: Prompt | None = None

    @property
    def rows(self) -> tuple[Given, ...]:
        """Those that a recall gave or that were read, each as often as it was."""
        return (*(row for asked in self.recalls for row in asked.given), *self.read)

    @property
    def leaned_on(self) -> frozenset[int]:
        """The entries that an answer may lean on: those rows, and what a search found that the prompt had already."""
        found = {row.id for asked in self.recalls for row in asked.left_out if row.reason == HOT and not asked.nothing}
        return frozenset(row.id for row in self.rows) | found


#: Left out of a search, as the prompt had its words already.
HOT = "hot"


@dataclass(frozen=True)
class Place:
    """Where a receipt stands: in its owner's chain, in its run (`part`, from 1), and beside the commits.

    `tick` and `head`: the owner's last commit when it was sealed. `before`: the run's receipt before it.
    """

    owner: int
    number: int
    parent: str
    at: str
    run: str
    tick: int
    head: str
    part: int = 1
    before: str = ""


def body_of(place: Place, said: Said) -> dict[str, Any]:
    """What is hashed. What is empty is left out."""
    told = {
        "v": FORM,
        **asdict(place),
        "recalls": [_asked(each) for each in said.recalls],
        "read": [_lean(asdict(row)) for row in said.read],
        "block": _lean(asdict(said.block)) if said.block else None,
        "prompt": _lean(asdict(said.prompt)) if said.prompt else None,
    }
    if said.block and said.block.apart:
        told["block"]["apart"] = [_lean(asdict(row)) for row in said.block.apart]
    return {name: value for name, value in told.items() if value or name in ("tick", "head", "parent")}


def address_of(body: dict[str, Any]) -> str:
    return sha256(canonical(body))


def said_in(body: dict[str, Any]) -> Said:
    """The other way round. Raises KeyError or TypeError for what is no body of this form."""
    block, prompt = body.get("block"), body.get("prompt")
    return Said(
        recalls=tuple(_asked_in(each) for each in body.get("recalls", ())),
        read=_rows_in(body.get("read", ())),
        block=Block(
            tuple(block.get("entries", ())),
            block["digest"],
            block.get("left_out", 0),
            block.get("tokens", 0),
            block.get("complete", False),
            _rows_in(block.get("apart", ())),
        )
        if block
        else None,
        prompt=_prompt_in(prompt) if prompt else None,
    )


def _prompt_in(told: dict[str, Any]) -> Prompt:
    messages, estimated = told.get("messages", 0), told.get("estimated", False)
    return Prompt(told["prefix"], messages, told["tokens"], estimated, told.get("salt", ""))


def salted(salt: str, text: str) -> str:
    """What a body says of words that can be erased beside it."""
    return sha256(f"{salt}{canonical(text)}")


def pairs_digest(pairs: Iterable[tuple[int, str]]) -> str:
    return sha256(canonical([list(pair) for pair in pairs]))


def prefix_digest(messages: Iterable[tuple[str, str]]) -> str:
    return sha256(canonical([list(message) for message in messages]))


def past(
    reason: str, rank: int | None, distance: float | None, cutoff: float | None, budgets: dict[str, int]
) -> float | None:
    """By how much a row was past the rule that left it out; None where that has no measure."""
    if reason == "cutoff":
        return round(distance - cutoff, 4) if distance is not None and cutoff is not None else None
    most = budgets.get(COUNTED.get(reason, ""))
    return rank - most if rank is not None and most is not None and rank > most else None


def _asked(asked: Asked) -> dict[str, Any]:
    """By its fields alone: `asdict` would copy each of a hundred rows, which takes longer than all else."""
    told = _lean(vars(asked))
    told["given"] = [_lean(vars(row)) for row in asked.given]
    told["left_out"] = {"columns": list(COLUMNS), "rows": [[*vars(row).values()] for row in asked.left_out]}
    return told


def _asked_in(told: dict[str, Any]) -> Asked:
    left = told["left_out"]
    kept = {name: told[name] for name in Asked.__dataclass_fields__ if name in told}
    return Asked(
        **kept
        | {
            "tick": told.get("tick", 0),
            "head": told.get("head", ""),
            "aliases": tuple(told.get("aliases", ())),
            "expanded": tuple(told.get("expanded", ())),
            "given": _rows_in(told["given"]),
            "left_out": tuple(_left_in(left["columns"], left["rows"])),
        }
    )


def _left_in(columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> Iterator[Left]:
    if tuple(columns) == COLUMNS:
        yield from (Left(*row) for row in rows)
        return
    yield from (Left(**dict(zip(columns, row, strict=True))) for row in rows)


def _rows_in(rows: Sequence[dict[str, Any]]) -> tuple[Given, ...]:
    return tuple(Given(**{"version": None, "digest": ""} | row) for row in rows)


def _lean(told: dict[str, Any]) -> dict[str, Any]:
    """Without what is empty; a zero is something."""
    return {
        name: value
        for name, value in told.items()
        if value is not None and value is not False and value not in ("", (), [], {})
    }
