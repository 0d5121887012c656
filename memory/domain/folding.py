"""Which entries say the same subject in several lines, and the one line that could speak for them. Arithmetic alone.

    notes ── subjects ── held back ── details ── each once ──┬─ all of one entry: it speaks for the others as it is
                                                             └─ a line of them ── gates ── an entry that speaks for them

What decides is a value: a preview, the command, the job and the bench apply it or look at it, and decide nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from memory.domain import fold_gates
from memory.domain.details import Told, Unlike, distinct, is_one_sentence, said_by, told, words_of
from memory.domain.exact_words import DETERMINER
from memory.domain.fold_gates import QUORUM, Line, as_written, judge, uncovered
from memory.domain.fold_values import Fold, Plan, Source, Suggestion
from memory.domain.happenings import tells_what_happened
from memory.domain.subjects import Rarity, Subject, note, subjects

#: Kinds that one line of kind `fact` may speak for; others speak for their own kind alone, as they are.
PLAIN = frozenset({"fact", "note"})
#: Kinds that never fold: what happened, what is to be done, what is due, what stands in the way, what rests on others.
FIXED = frozenset({"event", "todo", "prospective", "procedure", "blocker", "summary", "exchange"})
#: More than a line may have.
LONG = "long"
#: Suggestions of one subject.
TOLD = 20
#: Two entries that say the contrary of each other, or differ in a number, are shown as a conflict; others are kept.
CONFLICTING = frozenset({"negation", "numbers"})


#: What an entry with this text costs in the block.
Cost = Callable[[Source], int]


def plan(sources: Iterable[Source], rare: Rarity, *, min_sources: int, cost: Cost) -> Plan:
    """The same whatever the order of the entries. Nothing of it is refused or left out without a word."""
    pool = {}
    left_alone: Counter[str] = Counter()
    for source in sources:
        if reason := fixed(source):
            left_alone[reason] += 1
        else:
            pool[source.id] = source
    found = subjects([note(each.id, each.text) for each in pool.values()], rare, min_sources=max(2, min_sources))
    maker = _Maker(pool, rare, max(1, min_sources), cost)
    try:
        return Plan(tuple(maker.fold(subject) for subject in found), dict(sorted(left_alone.items())))
    finally:
        words_of.cache_clear()  # what one plan read is of no use to the next, and may be much


def fixed(source: Source) -> str:
    """Why an entry takes no part in any fold; empty where it may."""
    if source.pinned:
        return "pinned"
    if source.kind in FIXED:
        return source.kind
    if source.dated:
        return "dated"
    return "keyed" if source.keyed else ""


@dataclass(frozen=True)
class _Maker:
    pool: Mapping[int, Source]
    rare: Rarity
    least: int
    cost: Cost

    def fold(self, subject: Subject) -> Fold:
        members = [self.pool[pk] for pk in sorted(subject.ids)]
        why = {each.id: reason for each in members if (reason := _untouchable(each))}
        left = [each for each in members if each.id not in why]
        known = {each.id: told(each.id, each.text) for each in members if why.get(each.id) != LONG}
        made = self._absorbed(left, known, why) or self._composed(subject, left, known, why)
        if made.refused:
            made = self._absorbed_in_part(left, known, made) or made
        return replace(
            made, subject=subject.name, sources=tuple(subject.ids), suggestions=self._suggestions(members, known, made)
        )

    def _absorbed(self, left: Sequence[Source], known: Mapping[int, Told], why: dict[int, str]) -> Fold | None:
        """Where one of them says all that the others say, however these are cut into details."""
        ordered = _ordered(left, known)
        details = distinct([detail for each in ordered for detail in known[each.id].details]).left
        speakers = {detail.entry for detail in details}
        heads = {known[each.id].label for each in left} - {""}
        if len(speakers) != 1:
            return None
        [speaker] = [each for each in left if each.id in speakers]
        if not heads <= {known[speaker.id].label}:
            return None
        reasons = {each.id: reason for each in left if each != speaker and (reason := self._apart(each, speaker))}
        folds = tuple(each.id for each in left if each != speaker and each.id not in reasons)
        before = sum(self.cost(self.pool[pk]) for pk in folds)
        return Fold(
            "", (), into=speaker.id if folds else None, folds=folds, refused="" if folds else QUORUM,
            held_back={pk: uncovered(self.pool[pk].text, speaker.text, self.rare) for pk in why | reasons},
            why=why | reasons, tokens=(0, before), project=speaker.project,
        )  # fmt: skip

    def _absorbed_in_part(self, left: Sequence[Source], known: Mapping[int, Told], made: Fold) -> Fold | None:
        """Where no line can speak for all of them, whoever says all of most others; the rest stay as they are."""
        saying = said_by({each.id: known[each.id] for each in left})
        by_id = {each.id: each for each in left}
        folds = {
            speaker: tuple(pk for pk in others if not self._apart(by_id[pk], by_id[speaker]))
            for speaker, others in saying.items()
        }
        into = max(folds, key=lambda pk: (len(folds[pk]), -pk), default=None)
        if into is None or not folds[into]:
            return None
        rest = {pk: made.why.get(pk, made.refused) for pk in by_id if pk not in folds[into] and pk != into}
        why = {pk: reason for pk, reason in made.why.items() if pk not in by_id} | rest
        saved = sum(self.cost(by_id[pk]) for pk in folds[into])
        return Fold(
            "", (), into=into, folds=folds[into], project=by_id[into].project, tokens=(0, saved),
            held_back=dict.fromkeys(why, ()), why=why,
        )  # fmt: skip

    def _apart(self, each: Source, speaker: Source) -> str:
        if each.project != speaker.project:
            return "another project"
        if each.kind != speaker.kind and not {each.kind, speaker.kind} <= PLAIN:
            return "another kind"
        if each.speaks:
            return "speaks for others"
        if each.day != speaker.day and tells_what_happened(words_of(each.text).words):
            return "another time"
        return fold_gates.COVERAGE if uncovered(each.text, speaker.text, self.rare) else ""

    def _composed(
        self, subject: Subject, left: Sequence[Source], known: Mapping[int, Told], why: dict[int, str]
    ) -> Fold:
        ordered = _ordered(left, known)
        reasons = {each.id: reason for each in ordered if (reason := _no_item(each))}
        ordered = [each for each in ordered if each.id not in reasons]
        reasons |= _of_another_thing(ordered, known, self.rare)
        ordered = [each for each in ordered if each.id not in reasons]
        reasons |= _clashing(ordered, known)
        ordered = [each for each in ordered if each.id not in reasons]
        if len(ordered) < self.least:
            return Fold("", (), refused=QUORUM, why=why | reasons, held_back=dict.fromkeys(why | reasons, ()))
        line = merged(subject.name, ordered, known)
        texts = {each.id: each.text for each in sorted(ordered, key=lambda each: each.id)}
        project = common([each.project for each in ordered])
        judged = judge(Line(line, texts, self.least, self._costs(project)), self.rare)
        missing = dict(judged.uncovered or {})
        return Fold(
            "", (), line=line, refused=judged.refused, invented=judged.invented, repeated=judged.repeated,
            held_back=dict.fromkeys(why | reasons, ()) | missing, tokens=judged.tokens,
            why=why | reasons | dict.fromkeys(missing, fold_gates.COVERAGE),
            folds=() if judged.refused else judged.foldable,
            project=common([self.pool[pk].project for pk in judged.foldable]),
        )  # fmt: skip

    def _costs(self, project: str) -> Callable[[str, Iterable[int]], tuple[int, int]]:
        def costs(text: str, ids: Iterable[int]) -> tuple[int, int]:
            some = [self.pool[pk] for pk in ids]
            line = Source(max(self.pool) + 1, text, project=project)
            return self.cost(line), sum(map(self.cost, some))

        return costs

    def _suggestions(self, members: Sequence[Source], known: Mapping[int, Told], made: Fold) -> tuple[Suggestion, ...]:
        """What plain words would have taken for the same."""
        pairs = distinct([detail for each in members if each.id in known for detail in known[each.id].details]).unlike
        gone = {*made.folds, made.into} if not made.refused else set()
        return tuple(_suggested(pair) for pair in pairs if not set(pair.entries) <= gone)[:TOLD]


def _suggested(pair: Unlike) -> Suggestion:
    return Suggestion(pair.entries, pair.why, "conflict" if pair.why in CONFLICTING else "keep both")


def _untouchable(source: Source) -> str:
    """Why an entry neither speaks nor is spoken for."""
    return LONG if len(source.text) > fold_gates.LONGEST else words_of(source.text).operator


def _no_item(source: Source) -> str:
    """Why an entry is no part of a list."""
    if source.speaks:
        return "speaks for others"
    if source.kind not in PLAIN:
        return "another kind"
    if not is_one_sentence(source.text):
        return "sentences"
    return "happened" if tells_what_happened(words_of(source.text).words) else ""


def _ordered(left: Sequence[Source], known: Mapping[int, Told]) -> list[Source]:
    """The one whose label heads the line first, then in the order in which they were written."""
    head = next((each for each in left if known[each.id].label), None)
    return [*([head] if head else []), *(each for each in left if each != head)]


def _of_another_thing(ordered: Sequence[Source], known: Mapping[int, Told], rare: Rarity) -> dict[int, str]:
    """Those whose details would be read as said of what the list is about: under another label, or of another thing."""
    lists = [each for each in ordered if known[each.id].listed]
    if not lists:
        return {}
    label = known[ordered[0].id].label
    thing = frozenset(word for word in words_of(known[lists[0].id].details[0].text).forms if rare.informs(word))
    reasons = {}
    for each in ordered:
        own = known[each.id]
        if own.label and own.label.casefold() != label.casefold():
            reasons[each.id] = "another label"
        elif each != lists[0] and _lead(own) not in thing:
            reasons[each.id] = "another thing"
    return reasons


def _clashing(ordered: Sequence[Source], known: Mapping[int, Told]) -> dict[int, str]:
    """Those that a person has to look at together: each seems to say what another one says, and does not."""
    pairs = distinct([detail for each in ordered for detail in known[each.id].details]).unlike
    return {pk: pair.why for pair in reversed(pairs) for pk in pair.entries}


def _lead(own: Told) -> str:
    """Its first word that is no article."""
    words = words_of(own.details[0].text).words
    return next((word.form for word in words if word.sort != DETERMINER), "")


def merged(name: str, ordered: Sequence[Source], known: Mapping[int, Told]) -> str:
    """`head : detail, detail.`"""
    details = distinct([detail for each in ordered for detail in known[each.id].details]).left
    head = next((known[each.id].label for each in ordered if known[each.id].label), "")
    head = head or as_written(name, [each.text for each in ordered])
    return f"{head} : {', '.join(detail.text for detail in details)}."


def common(values: Sequence[str]) -> str:
    """What all of them have, or nothing."""
    return values[0] if values and len(set(values)) == 1 else ""
