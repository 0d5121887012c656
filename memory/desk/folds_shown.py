"""What the desk shows of folds: of a plan each subject with its sources, gates and tokens; and the folds that stand."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from forgesite.models import Account
from memory.domain import fold_gates
from memory.domain.fold_values import Fold, Source
from memory.folds import lines as fold_lines
from memory.folds.plan import Planned
from memory.kinds import Kind
from memory.models import Commit, Entry
from memory.unfold import Standing

#: In the order in which they are asked; the first that refuses is the last.
GATES = {
    fold_gates.CLOSURE: gettext_lazy("closure"),
    fold_gates.REPETITION: gettext_lazy("repetition"),
    fold_gates.COVERAGE: gettext_lazy("coverage"),
    fold_gates.QUORUM: gettext_lazy("quorum"),
    fold_gates.BUDGET: gettext_lazy("budget"),
    fold_gates.SIZE: gettext_lazy("size"),
}
#: Kinds of entries that a plan does not look at are told by their names; the rest by these.
ALONE = {
    "pinned": gettext_lazy("pinned"),
    "dated": gettext_lazy("dated"),
    "keyed": gettext_lazy("with a key"),
    "edited": gettext_lazy("edited by a person"),
}
#: Subjects of each sort that a page shows.
SHOWN = 100


@dataclass(frozen=True)
class SourceRow:
    """An entry of a subject, and what becomes of it in words. `tone`: ok where it is spoken for or speaks, none where
    it is held back, empty where nothing is done with it."""

    source: Source
    kind: str
    fate: str
    tone: str


@dataclass(frozen=True)
class Gate:
    """`sign`: passed, refused, or not asked. `figures`: of those that count."""

    name: str
    sign: str
    figures: str = ""


@dataclass(frozen=True)
class Subject:
    """`value` names it together with what was shown of it, so that nothing else is applied than what a person saw."""

    value: str
    fold: Fold
    title: str
    rows: Sequence[SourceRow]
    gates: Sequence[Gate]
    refused: str

    @property
    def before(self) -> int:
        return sum(self.fold.tokens)

    @property
    def after(self) -> int:
        """Whoever absorbs the others stands in the block already."""
        return self.fold.tokens[0]

    @property
    def gone(self) -> int:
        return len(self.fold.folds)


@dataclass(frozen=True)
class Preview:
    """`lines`: entries of the block now, and once all of it is applied."""

    accepted: Sequence[Subject]
    refused: Sequence[Subject]
    more: int
    lines: tuple[int, int]
    tokens: tuple[int, int]
    alone: Sequence[tuple[str, int]]


@dataclass(frozen=True)
class Stands:
    """A fold that stands. `commit`: the address of the one that made it, of which an undo takes back all."""

    standing: Standing
    sources: Sequence[Entry]
    commit: str
    tick: int


def preview(found: Planned, *, everything: bool = False) -> Preview:
    most = None if everything else SHOWN
    accepted = [subject(found, fold) for fold in found.plan.accepted[:most]]
    unfit = [fold for fold in found.plan.folds if fold.refused]
    refused = [subject(found, fold) for fold in unfit[:most]]
    gone = sum(len(fold.folds) - bool(fold.line) for fold in found.plan.accepted)
    return Preview(
        accepted,
        refused,
        len(found.plan.folds) - len(accepted) - len(refused),
        (len(found.sources), len(found.sources) - gone),
        (found.before, found.after),
        [(str(ALONE.get(why) or Kind(why).label), count) for why, count in found.plan.left_alone.items()],
    )


def value_of(found: Planned, fold: Fold) -> str:
    """The subject's name behind a digest of what becomes of which words."""
    texts = [(pk, found.sources[pk].version, found.sources[pk].text) for pk in fold.sources]
    told = repr((texts, fold.line, fold.into, fold.folds))
    return f"{hashlib.sha256(told.encode('utf-8', 'replace')).hexdigest()[:16]}:{fold.subject}"


def subject(found: Planned, fold: Fold) -> Subject:
    rows = [_row(found.sources[pk], fold) for pk in fold.sources]
    refused = fold_lines.gate(fold) if fold.refused else ""
    return Subject(value_of(found, fold), fold, _title(fold), rows, list(_gates(fold)), refused)


def _title(fold: Fold) -> str:
    if not fold.folds:
        return ngettext("%(count)d entry", "%(count)d entries", len(fold.sources)) % {"count": len(fold.sources)}
    if fold.line:
        words = ngettext("%(count)d entry → 1 line", "%(count)d entries → 1 line", len(fold.folds))
        return words % {"count": len(fold.folds)}
    words = ngettext("#%(id)d speaks for %(count)d other", "#%(id)d speaks for %(count)d others", len(fold.folds))
    return words % {"count": len(fold.folds), "id": fold.into}


def _row(source: Source, fold: Fold) -> SourceRow:
    kind = str(Kind(source.kind).label)
    if source.id == fold.into:
        return SourceRow(source, kind, _("speaks for the others"), "ok")
    if source.id in fold.folds:
        said = _("all of its words are in the line") if fold.line else _("#%(id)d says all of it") % {"id": fold.into}
        return SourceRow(source, kind, said, "ok")
    if reason := fold.why.get(source.id):
        return SourceRow(source, kind, fold_lines.why(reason, tuple(fold.held_back.get(source.id, ()))), "none")
    return SourceRow(source, kind, _("stays as it is"), "")


def _gates(fold: Fold) -> Iterable[Gate]:
    """Nothing is composed for an absorption: its words are asked alone."""
    if not fold.line:
        refused = fold.refused
        yield Gate(str(GATES.get(refused, refused)), "✗") if refused else Gate(str(GATES[fold_gates.COVERAGE]), "✓")
        return
    over = False
    for name, words in GATES.items():
        sign = "–" if over else "✗" if name == fold.refused else "✓"
        over = over or name == fold.refused
        yield Gate(str(words), sign, "" if sign == "–" else _figures(name, fold))


def _figures(gate: str, fold: Fold) -> str:
    if gate == fold_gates.QUORUM:
        return str(len(fold.folds)) if fold.folds else ""
    if gate != fold_gates.BUDGET:
        return ""
    cost, most = fold.tokens[0], int(fold_gates.MARGIN * sum(fold.tokens))
    return f"{cost} {'>' if cost > most else '≤'} {most}"


def applied(owner: Account, standing: Sequence[Standing]) -> list[Stands]:
    """With the words of all that they speak for, and the commits that made them."""
    ids = {pk for each in standing for pk in each.sources}
    entries = Entry.objects.of(owner).in_bulk(ids)
    ticks = {each.since for each in standing}
    made = dict(Commit.objects.of(owner).filter(tick__in=ticks).values_list("tick", "address"))
    return [
        Stands(each, [entries[pk] for pk in each.sources if pk in entries], made.get(each.since, ""), each.since)
        for each in standing
    ]
