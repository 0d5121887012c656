"""How the store is, for the desk: the reader’s own rows, the indexes beside all rows, the cutoff, the charts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from forgesite.models import Account
from memory import consistency, embedding, health, store_counts, vector_channel
from memory.desk.charts import Dot, of_growth, of_new, of_recalls
from memory.desk.verified import LastVerify, last_verify
from memory.desk.words import STATUS_WORDS
from memory.domain.cutoff import State
from memory.domain.receipt import Asked
from memory.health import EmbeddingHealth
from memory.kinds import Kind, Status
from memory.models import Entry, Receipt
from memory.receipts import said_of
from memory.regime import states as regimes
from memory.regime.swap import Made
from memory.store_counts import Indexes, Waiting, Week

#: Receipts that the chart of distances looks at: the newest. What they left out is nearest the cutoff first.
RECEIPTS, NEAREST_LEFT = 60, 3


@dataclass(frozen=True)
class KindRow:
    """`counts` by status, in the order of `StorePage.statuses`; its entries are asked for by `kind`."""

    kind: str
    name: str
    counts: Sequence[tuple[str, int]]
    total: int


@dataclass(frozen=True)
class CutoffShown:
    """`named`: the value with its tag, empty where there is none. `state` in words; `tone`: ok, none or bad."""

    named: str
    value: float | None
    state: str
    note: str
    tone: str


@dataclass(frozen=True)
class RecallRow:
    """A receipt's distances: of the rows it gave the nearest and the farthest, and the nearest that it left out."""

    number: int
    given: int
    nearest: float | None
    farthest: float | None
    left: float | None


@dataclass(frozen=True)
class Distances:
    """`chart` is empty where no receipt has a distance. `other`: recalls of another regime, which do not compare."""

    chart: SafeString | str
    rows: Sequence[RecallRow]
    other: int


@dataclass(frozen=True)
class Growth:
    """`charts`, each with its name: none where there is but one week."""

    charts: Sequence[tuple[str, SafeString]]
    weeks: Sequence[Week]


@dataclass(frozen=True)
class StorePage:
    """`off`: why nothing is searched by meaning. `statuses`: those that any entry of the reader's has, in words."""

    off: str
    embedder: EmbeddingHealth
    statuses: Sequence[str]
    kinds: Sequence[KindRow]
    waiting: Sequence[Waiting]
    indexes: Indexes
    cutoff: CutoffShown
    verified: LastVerify | None
    growth: Growth
    distances: Distances


@dataclass(frozen=True)
class Checked:
    """The full check: what is out of step about one's own entries, or about nobody's; of others' only how many."""

    counts: consistency.Counts
    steps: Sequence[consistency.Step]
    others: int
    more: int

    @property
    def ok(self) -> bool:
        return not (self.steps or self.others)


def store_page(owner: Account, embedder: EmbeddingHealth) -> StorePage:
    found, shown = store_counts.counted(owner), cutoff_of(owner)
    weeks, indexes = store_counts.by_week(found), store_counts.indexes()
    statuses = [status for status in Status if any(one.status == status for one in found)]
    return StorePage(
        off=_off(embedder),
        embedder=embedder,
        statuses=[str(STATUS_WORDS[status]) for status in statuses],
        kinds=list(_kinds(store_counts.by_kind(found), statuses)),
        waiting=store_counts.waiting(owner) if indexes.counts.pending else (),
        indexes=indexes,
        cutoff=shown,
        verified=last_verify(owner),
        growth=_growth(weeks),
        distances=_distances(owner, embedder.regime, shown.value),
    )


def _growth(weeks: Sequence[Week]) -> Growth:
    charts = ((_("Entries, week by week"), of_growth(weeks)), (_("New each week"), of_new(weeks))) if weeks[1:] else ()
    return Growth(charts, weeks[::-1])


def _off(embedder: EmbeddingHealth) -> str:
    """Why nothing is searched by meaning; empty where something is, or could be once the embedder answers."""
    door = embedding.served()
    if door is None:
        return _("No embedder is set: memory is searched by words.")
    if not vector_channel.available():
        return _("This SQLite cannot load sqlite-vec: memory is searched by words.")
    stored, served = Made(embedder.stored, embedder.stored_dim), Made(embedder.regime, embedder.dim)
    if not (embedder.stored and embedder.regime) or regimes.same_model(stored, served):
        return ""
    found = regimes.known_behind(door)
    return found.sentence() if found else ""


def checked(owner: Account, most: int = 200) -> Checked:
    """Reads every row, so it is asked for by a button."""
    found = consistency.check()
    named = [step.entry for step in found.out_of_step if step.entry is not None]
    own = set(Entry.objects.of(owner).filter(pk__in=named[:10_000]).values_list("pk", flat=True))
    steps = [step for step in found.out_of_step if step.entry is None or step.entry in own]
    others = len(found.out_of_step) - len(steps)
    return Checked(found.counts, steps[:most], others, max(0, len(steps) - most))


def _kinds(counted: dict[str, dict[str, int]], statuses: Sequence[Status]) -> Iterator[KindRow]:
    for kind in Kind:
        if found := counted.get(kind):
            counts = [(status.value, found.get(status, 0)) for status in statuses]
            yield KindRow(kind.value, str(kind.label), counts, sum(found.values()))


def cutoff_of(owner: Account) -> CutoffShown:
    """As a search of this account goes by it. Of a server that did not answer yet nothing is known, and none asked."""
    door = embedding.served()
    regime = embedding.known_regime(door) if door else ""
    if door is None:
        return CutoffShown("", None, _("off"), _("Search by meaning is off: there is nothing to cut."), "none")
    if not regime:
        return CutoffShown("", None, _("not known"), _("The embedding server has not answered yet."), "none")
    found = embedding.cutoff_in(door, regime, owner.pk)
    words, tone = {
        State.OFF: (_("off"), "none"),
        State.USED: (_("in force"), "ok"),
        State.UNTAGGED: (_("in force, without a tag"), "none"),
        State.STALE: (_("off: measured in another regime"), "bad"),
    }[found.state]
    return CutoffShown(found.named, found.value, words, health.note(found), tone)


def _distances(owner: Account, regime: str, cutoff: float | None) -> Distances:
    recalls = [*_recalls(owner)]
    of_this = [(number, asked) for number, asked in recalls if not regime or asked.regime == regime]
    given: list[Dot] = [(number, d) for number, asked in of_this for d in _given(asked)]
    left: list[Dot] = [(number, d) for number, asked in of_this for d in _left(asked)]
    chart = of_recalls(given, left, cutoff) if given or left else ""
    rows = [_recall_row(number, asked) for number, asked in of_this]
    return Distances(chart, rows, len(recalls) - len(of_this))


def _recalls(owner: Account) -> Iterator[tuple[int, Asked]]:
    """Those that measured any distance. A body that is damaged is left to `verify`, which names it."""
    newest = Receipt.objects.of(owner).order_by("-number").only("number", "body", "salt", "owner_id")
    for receipt in newest[:RECEIPTS]:
        try:
            recalls = said_of(receipt).recalls
        except (KeyError, TypeError, AttributeError):
            continue
        yield from ((receipt.number, asked) for asked in recalls if _given(asked) or _left(asked))


def _given(asked: Asked) -> list[float]:
    return sorted(row.distance for row in asked.given if row.distance is not None)


def _left(asked: Asked) -> list[float]:
    """The nearest that the cutoff left out: whatever is farther away says nothing of it."""
    far = (row.distance for row in asked.left_out if row.reason == "cutoff" and row.distance is not None)
    return sorted(far)[:NEAREST_LEFT]


def _recall_row(number: int, asked: Asked) -> RecallRow:
    given, left = _given(asked), _left(asked)
    nearest, farthest = (given[0], given[-1]) if given else (None, None)
    return RecallRow(number, len(asked.given), nearest, farthest, left[0] if left else None)
