"""How often a turn gets nothing, rightly and wrongly: `python -m bench.abstention [--data FOLDER]`.

    [--every N] [--wrong]

What is measured is what a *turn* is given (`Recalled.nothing`), not what a search shows. Made pairs, English and French
(bench/abstention_texts.py): questions that a memory answers; questions near in topic whose subject it does not hold;
the answered ones once more, asked of a subject that it does not hold; and all of these in the other language. Every
other pair was for choosing the rule, and the rest gives the figure. `--data`: sets as bench.recall reads them, one
question in N; each store is asked its own questions, those of the other stores of its set, and those of the other sets,
which are of another domain where the sets are. Printed: the shares of each group as the rule is set, then the curve
over the share of a question's rarity that tells, and over the distances. `--wrong` prints the questions that went
wrong.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from bench.abstention_texts import CASES, Case
from bench.abstention_texts_across import asked_across
from bench.place import place
from bench.recall import filled, warm
from bench.sets import Question, Store, files, stores
from memory.domain.nothing import SHARE, Near, Sign, Subject, nothing, tells

if TYPE_CHECKING:
    from forgesite.models import Account

HALVES = ("choosing", "figure")
SHARES = (0.3, 0.35, 0.4, 0.43, 0.47, 0.5, 0.55, 0.6, 0.7)
SHIFTS = (-0.1, -0.05, 0.0, 0.05)
#: The longest time a question of another store or set is asked: once in so many times `--every`.
RARER = 5


@dataclass(frozen=True)
class Seen:
    """What one question met: each row with its share, what the question is about, and what the turn was told."""

    text: str
    rows: tuple[tuple[Sign, float], ...]
    near: Near
    about: Subject
    nothing: bool
    standing: bool = False

    def nothing_at(self, share: float, shift: float) -> bool:
        """With another share, and distances shifted by so much; what stands out across languages stays."""
        if self.standing:
            return False
        about = replace(self.about, bar=share + self.about.bar - SHARE)
        near = Near(_shifted(self.near.fact, shift), _shifted(self.near.exchange, shift))
        told = [tells(sign, covered, near, about) for sign, covered in self.rows]
        return nothing(told, [covered for _sign, covered in self.rows], about)


@dataclass(frozen=True)
class Group:
    """Questions of one sort. `absent`: getting nothing is right."""

    name: str
    absent: bool
    seen: tuple[Seen, ...]

    def share(self, at: tuple[float, float] | None = None) -> float:
        """How many get nothing: as the rule is set, or at a share and a shift."""
        got = [each.nothing if at is None else each.nothing_at(*at) for each in self.seen]
        return sum(got) / max(1, len(got))

    def wrong(self) -> Iterator[str]:
        return (each.text for each in self.seen if each.nothing is not self.absent)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, help="a folder of sets")
    parser.add_argument("--every", type=int, default=5, help="ask one question of a set in so many")
    parser.add_argument("--wrong", action="store_true", help="print the questions that went wrong")
    options = parser.parse_args()
    with place(EMBEDDING_PROVIDER="bundled"):
        warm()
        groups = [*made()]
        sets = {path.stem: stores(path) for path in (files(options.data) if options.data else [])}
        for name in sets:
            groups += of_set(name, sets, options.every)
    print("\n".join(table(groups)))
    if options.wrong:
        print(*(f"{group.name}: {text}" for group in groups for text in group.wrong()), sep="\n")


def made(cases: dict[str, tuple[Case, ...]] = CASES) -> Iterator[Group]:
    """Six groups for each half; both languages together, each in a memory of its own."""
    for number, half in enumerate(HALVES):
        own: list[tuple[Account, Case]] = []
        across: list[tuple[Account, Case]] = []
        for language, all_of in cases.items():
            account = _remembered(f"{language}-{half}", all_of[number::2])
            own += [(account, case) for case in all_of[number::2]]
            across += [(account, case) for case in asked_across(language, cases)[number::2]]
        for pairs, said in ((own, ""), (across, ", in the other language")):
            yield from _asked(f"made, {half}: ", pairs, said)


def _asked(begin: str, pairs: Sequence[tuple[Account, Case]], end: str) -> Iterator[Group]:
    answered = [meet(account, case.answered) for account, case in pairs]
    near = [meet(account, case.near) for account, case in pairs]
    other = [meet(account, case.other) for account, case in pairs]
    yield Group(f"{begin}answered{end}", False, tuple(answered))
    yield Group(f"{begin}absent, near in topic{end}", True, tuple(near))
    yield Group(f"{begin}absent, the same of another{end}", True, tuple(other))


def _remembered(name: str, cases: Sequence[Case]) -> Account:
    from forgesite.models import Account
    from memory.remember import Draft, remember_many

    account = Account.objects.create_user(name)
    drafts = [Draft(case.text, kind=case.kind, origin="import") for case in cases]
    remember_many(account, drafts, actor="bench", cause="bench")
    return account


def of_set(name: str, sets: dict[str, list[Store]], every: int) -> list[Group]:
    own, chat, domain = list[Seen](), list[Seen](), list[Seen]()
    for store in sets[name]:
        account, _ids = filled(f"{name}-{store.id}", store)
        own += _met(account, [each for each in store.questions if each.gold], every)
        others = [each for other in sets[name] if other.id != store.id for each in other.questions]
        chat += _met(account, others, every * RARER)
        foreign = [each for other in sets if other != name for one in sets[other] for each in one.questions]
        domain += _met(account, foreign, every * (1 if len(sets[name]) == 1 else RARER))
    groups = [Group(f"{name}: answered", False, tuple(own)), Group(f"{name}: another chat", True, tuple(chat))]
    return [group for group in (*groups, Group(f"{name}: another domain", True, tuple(domain))) if group.seen]


def _met(account: Account, questions: Sequence[Question], every: int) -> list[Seen]:
    return [meet(account, each.text) for each in questions[::every]]


def meet(account: Account, text: str) -> Seen:
    from memory import embedding
    from memory.domain.across import weighed_across
    from memory.domain.cutoff import admits
    from memory.domain.nothing import subject
    from memory.domain.scope import scope
    from memory.finding import by_meaning, by_words
    from memory.finding.across import placed, shares
    from memory.models import DELIBERATE, Entry
    from memory.past.searched import Now
    from memory.recall import Query, recall

    where = scope(account.pk, "", None, everything=False)
    bare = by_words.without_common_names(text, where)
    near = by_meaning.search(text, where, 10, embedding.served(), True, bare=bare)
    words = by_words.search(text, where)
    about = subject(text, words.frequencies, words.total)
    distance = {row.id: row.distance for row in near.rows if admits(near.cutoff, row.distance or 0.0)}
    near = placed(text, near, words, Now(account), embedding.served())
    about = weighed_across(about) if near.across else about
    covered = shares(about, words)
    ids = [*dict.fromkeys([*distance, *covered])]
    kinds = dict(Entry.objects.filter(pk__in=ids).values_list("pk", "kind"))
    rows = [(Sign(kinds[pk] in DELIBERATE, _four(distance.get(pk))), covered.get(pk, 0.0)) for pk in ids if pk in kinds]
    return Seen(text, tuple(rows), near.near, about, recall(account, Query(text)).nothing, near.standing is not None)


def table(groups: Sequence[Group]) -> Iterator[str]:
    yield f"{'gets nothing':64} {'n':>5}  share"
    for group in groups:
        yield f"{group.name:64} {len(group.seen):5}  {group.share():.3f}{'' if group.absent else '  wrongly'}"
    yield "\nshare  distances  wrongly nothing  rightly: made, another chat, another domain   (the half for the figure)"
    counted = [group for group in groups if HALVES[0] not in group.name and "other language" not in group.name]
    for share in SHARES:
        for shift in SHIFTS:
            at = (share, shift)
            yield f"{share:5.2f}  {shift:+9.2f}  {_of(counted, ': answered', at):>15}  " + "  ".join(
                f"{_of(counted, part, at):>9}" for part in (": absent", ": another chat", ": another domain")
            )


def _of(groups: Iterable[Group], part: str, at: tuple[float, float]) -> str:
    """Of all questions whose group is called so; `–` where there is none."""
    seen = [each for group in groups if part in group.name for each in group.seen]
    return f"{sum(each.nothing_at(*at) for each in seen) / len(seen):.3f}" if seen else "–"


def _shifted(limit: float | None, shift: float) -> float | None:
    return None if limit is None else limit + shift


def _four(distance: float | None) -> float | None:
    return None if distance is None else round(distance, 4)


if __name__ == "__main__":
    main()
