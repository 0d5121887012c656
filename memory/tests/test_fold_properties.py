"""What holds of any fold: nothing is lost, nothing is turned round, and nothing is done twice."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from itertools import pairwise

import pytest
from django.conf import settings as django_settings
from django.test import override_settings
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st
from hypothesis.extra.django import TestCase

from forgesite.errors import ForgeError
from forgesite.lib.tokens import estimate
from forgesite.models import Account
from forgesite.testing import EXAMPLES
from memory import move
from memory.domain.details import distinct, told
from memory.domain.fold_gates import MARGIN, repeated
from memory.domain.fold_safety import says
from memory.domain.fold_values import Fold, Plan, Source
from memory.domain.folding import plan
from memory.domain.hot_block import Kept, lined
from memory.domain.subjects import Rarity, rarity, tokens
from memory.fold import apply
from memory.forget import forget
from memory.models import Commit, Entry
from memory.recall import Query, recall
from memory.relate import relate
from memory.revise import Changes, revise
from memory.tests.entries import saved
from memory.tests.folds import BY, DECK, DECK_MORE, HARDWARE, RAM, TALK, TELEGRAM, WHOLE, block, standing, talked
from memory.undo import undo
from memory.unfold import folds, unwind
from memory.verify import verify


def cost(source: Source) -> int:
    return estimate(lined(Kept(source.id, source.kind, source.project, source.text), "-")) + 1


SPOKEN = [frozenset(tokens(text)) for text in TALK]


def rare(texts: Sequence[str]) -> Rarity:
    return rarity([*(frozenset(tokens(text)) for text in texts), *SPOKEN], max_df=0.2)


def planned(sources: Sequence[Source]) -> Plan:
    return plan(sources, rare([each.text for each in sources]), min_sources=2, cost=cost)


def of(*texts: str) -> Plan:
    return planned([Source(pk, text) for pk, text in enumerate(texts, 1)])


THINGS = ("NiPoGi", "Beelink", "Thinkpad", "Raspberry")
PARTS = ("RAM", "SSD", "Ryzen", "Ansible", "Podman", "Arch", "Debian", "Grafana", "Postgres", "ZFS")
things, parts = st.sampled_from(THINGS), st.sampled_from(PARTS)
numbers = st.integers(2, 99)
sizes = st.builds(lambda number, part: f"{number} Go de {part}", numbers, parts)
details = st.one_of(parts, sizes, st.builds(lambda one, other: f"{one} {other}", parts, parts))
#: What a person may state, in four languages, and its denial.
PAIRS = (
    ("Le {thing} a {number} Go de {part}", "Le {thing} n'a pas {number} Go de {part}"),
    ("Le {thing} a {number} Go de {part}", "Le {thing} n’a plus {number} Go de {part}"),
    ("Le {thing} a {number} Go de {part}", "Le {thing} n'a jamais {number} Go de {part}"),
    ("Le {thing} tourne avec {part}", "Le {thing} tourne sans {part}"),
    ("Le {thing} tourne sous {part}", "Le {thing} ne tourne plus sous {part}"),
    ("The {thing} has {number} GB of {part}", "The {thing} has no {number} GB of {part}"),
    ("The {thing} runs {part}", "The {thing} never runs {part}"),
    ("The {thing} runs {part}", "The {thing} no longer runs {part}"),
    ("The {thing} runs with {part}", "The {thing} runs without {part}"),
    ("{thing} deploys of {part} are allowed", "{thing} deploys of {part} are not allowed"),
    ("{thing} deploys of {part} are allowed", "{thing} deploys of {part} aren't allowed"),
    ("Der {thing} hat {number} GB {part}", "Der {thing} hat nicht {number} GB {part}"),
    ("Der {thing} hat {part}", "Der {thing} hat kein {part}"),
    ("Der {thing} läuft mit {part}", "Der {thing} läuft nie mit {part}"),
    ("El {thing} tiene {number} GB de {part}", "El {thing} no tiene {number} GB de {part}"),
    ("El {thing} usa {part}", "El {thing} nunca usa {part}"),
    ("El {thing} funciona con {part}", "El {thing} funciona sin {part}"),
)
#: What may be put around a statement, after which it states something else.
WIDENINGS = (
    "Paul dit que {said}", "Selon Paul, {said}", "Paul pense que {said}", "Si on paie, {said}", "{said} si on paie",
    "{said} jusqu'en 2023", "{said} avant 2023", "{said} en 2019", "Presque {said}", "{said} ou presque",
    "Il est faux que {said}", "Peut-être {said}", "{said}, sauf le dimanche", "Autrefois {said}", "{said} demain",
    "Paul says that {said}", "{said}, Paul claims", "If we pay, {said}", "{said} unless we pay", "{said} until 2023",
    "Almost {said}", "It is false that {said}", "Maybe {said}", "{said} before May", "In theory {said}",
    "Paul sagt, {said}", "Wenn wir zahlen, {said}", "{said} bis 2023", "Fast {said}", "Vielleicht {said}",
    "Paul dice que {said}", "Si pagamos, {said}", "{said} hasta 2023", "Casi {said}", "Quizás {said}",
    "“{said}”", "{said} ?",
)  # fmt: skip


@st.composite
def notes(draw: st.DrawFn) -> list[str]:
    """Several on one thing: lists with a label and without one, and sentences, which overlap."""
    thing, some = draw(things), draw(st.lists(details, min_size=3, max_size=6, unique=True))
    pool = st.lists(st.sampled_from(some), min_size=2, max_size=5, unique=True).map(", ".join)
    labelled = pool.map(lambda listed: f"Matériel : {thing} AM06PRO, {listed}")
    bare = pool.map(lambda listed: f"{thing} AM06PRO, {listed}")
    stated = st.sampled_from(some).map(lambda one: f"Le {thing} a {one}")
    odd = st.sampled_from([f"Le {thing} n'a pas de {PARTS[0]}", f"{thing} acheté en 2023", RAM, WHOLE, DECK, DECK_MORE])
    return draw(st.lists(st.one_of(labelled, bare, stated, odd), min_size=2, max_size=7))


def spoken_for(fold: Fold, sources: Sequence[Source]) -> list[tuple[Source, str]]:
    """Each folded entry, with the text that speaks for it."""
    by_id = {each.id: each for each in sources}
    text = fold.line or (by_id[fold.into].text if fold.into else "")
    return [(by_id[pk], text) for pk in fold.folds]


def sources_of(texts: Sequence[str]) -> list[Source]:
    return [Source(pk, text) for pk, text in enumerate(texts, 1)]


@given(notes())
@example([RAM, HARDWARE, TELEGRAM])
@example([RAM, HARDWARE, TELEGRAM, WHOLE])
@example([DECK, DECK_MORE])
def test_what_is_folded_is_covered_closed_cheaper_and_keeps_its_numbers(texts: list[str]) -> None:
    sources, known = sources_of(texts), rare(texts)

    for fold in planned(sources).accepted:
        spoken = spoken_for(fold, sources)
        for source, speaking in spoken:
            is_covered(source.text, speaking, known)
            keeps_its_numbers(source, speaking)
        is_closed(fold.line, texts, known)
        is_cheaper(fold, [source for source, _speaking in spoken])


def is_covered(source: str, speaking: str, known: Rarity) -> None:
    """Every telling word of what is folded stands in what speaks for it."""
    assert {word for word in tokens(source) if known.informs(word)} <= set(tokens(speaking))


def keeps_its_numbers(source: Source, speaking: str) -> None:
    """Each number, with the word after it, stands so in what speaks for it."""
    there = set(pairwise(tokens(speaking)))
    for detail in told(source.id, source.text).details:
        assert all(pair in there for pair in pairwise(tokens(detail.text)) if pair[0].isdigit())


def is_closed(line: str, texts: Sequence[str], known: Rarity) -> None:
    """It holds no word that no entry holds, and says nothing twice."""
    held = {word for text in texts for word in tokens(text)}
    assert all(word in held or not known.informs(word) for word in tokens(line))
    assert not repeated(line, known)


def is_cheaper(fold: Fold, folded: Sequence[Source]) -> None:
    """The block never grows."""
    before = sum(map(cost, folded))
    after = cost(Source(max(fold.sources) + 1, fold.line, project=fold.project)) if fold.line else 0
    assert after <= MARGIN * before
    assert fold.tokens == (after, before - after)


@given(st.data(), notes())
def test_the_order_of_the_entries_changes_nothing(data: st.DataObject, texts: list[str]) -> None:
    sources = sources_of(texts)

    assert planned(data.draw(st.permutations(sources))) == planned(sources)


@given(notes())
def test_once_it_is_folded_there_is_nothing_more_to_fold(texts: list[str]) -> None:
    """The entries that are spoken for leave the pool, their speakers stay in it."""
    sources = sources_of(texts)
    accepted = planned(sources).accepted
    gone = {pk for fold in accepted for pk in fold.folds}
    into = {fold.into for fold in accepted}
    left = [Source(each.id, each.text, speaks=each.id in into) for each in sources if each.id not in gone]
    new = [Source(1000 + place, fold.line, speaks=True) for place, fold in enumerate(accepted) if fold.line]

    again = plan([*left, *new], rare([each.text for each in sources]), min_sources=2, cost=cost)

    spoken = {pk for fold in again.accepted for pk in fold.folds}
    assert spoken.isdisjoint(gone | into | {each.id for each in new})


@given(st.data(), notes(), st.sampled_from(["pinned", "dated", "keyed"]))
def test_what_is_fixed_is_untouched(data: st.DataObject, texts: list[str], how: str) -> None:
    pk = data.draw(st.integers(1, len(texts)))
    sources = [Source(n, text, **{how: n == pk}) for n, text in enumerate(texts, 1)]  # type: ignore[arg-type]

    for fold in planned(sources).folds:
        assert pk not in {*fold.sources, *fold.folds, fold.into}


@given(st.sampled_from(PAIRS), things, numbers, parts, st.booleans())
def test_a_statement_and_its_denial_are_never_one(
    pair: tuple[str, str], thing: str, number: int, part: str, turned: bool
) -> None:
    said, denied = (form.format(thing=thing, number=number, part=part) for form in pair)

    apart(*((denied, said) if turned else (said, denied)))


@given(st.sampled_from(WIDENINGS), st.sampled_from(PAIRS), things, numbers, parts, st.booleans())
def test_a_statement_and_what_only_seems_to_say_it_are_never_one(
    around: str, pair: tuple[str, str], thing: str, number: int, part: str, turned: bool
) -> None:
    said = pair[0].format(thing=thing, number=number, part=part)
    widened = around.format(said=said[0].lower() + said[1:])

    apart(*((widened, said) if turned else (said, widened)))


@given(st.permutations(THINGS), st.sampled_from(["a battu", "beat", "suit", "is above", "liebt", "ama a"]))
def test_who_does_it_and_to_whom_is_never_swapped(names: list[str], verb: str) -> None:
    apart(f"{names[0]} {verb} {names[1]}", f"{names[1]} {verb} {names[0]}")
    apart(f"{names[0]} a battu {names[1]}", f"{names[0]} a été battu par {names[1]}")
    apart(f"Le frère de {names[0]} a battu {names[1]}", f"{names[0]} a battu {names[1]}")


@given(numbers, numbers, parts, parts)
def test_numbers_are_never_swapped(one: int, other: int, first: str, second: str) -> None:
    assume(one != other and first != second)

    both = "Le NiPoGi a {} Go de " + first + " et {} Go de " + second
    apart(both.format(one, other), both.format(other, one))
    for form in (
        "Le NiPoGi du {}/{}",
        "Le NiPoGi vaut {}.{} euros",
        "Le NiPoGi vaut {},{} euros",
        "Le NiPoGi {}-{} Go",
    ):
        apart(form.format(one, other), form.format(other, one))
    apart(f"Le NiPoGi a {one} Go", f"Le NiPoGi a -{one} Go")
    apart(f"Le NiPoGi a {one} Go", f"Le NiPoGi a {one}{other} Go")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Code le NiPoGi en C", "Code le NiPoGi en C++"),
        ("Code le NiPoGi en C++", "Code le NiPoGi en C#"),
        ("Code le NiPoGi en NET", "Code le NiPoGi en .NET"),
        ("Le NiPoGi aime le mais", "Le NiPoGi aime le maïs"),
        ("Le NiPoGi est sur la table", "Le NiPoGi est sûr la table"),
        ("2 pommes et 3 poires", "3 pommes et 2 poires"),
        ("La RTX 3060 du NiPoGi", "La RTX 3060Ti du NiPoGi"),
        ("Le NiPoGi coûte 5 €", "Le NiPoGi coûte 5 %"),
        ("Je suis disponible pour le NiPoGi", "Je suis disponible pour le NiPoGi en semaine"),
        ("Le NiPoGi a 32 Go", "Le NiPoGi a 16 Go et le Beelink a 32 Go"),
        ("Le NiPoGi a 32 Go", "Le NiPoGi 2 a 32 Go"),
        ("Owns a NiPoGi", "Owns a NiPoGi charger"),
        ("Owns a NiPoGi", "Sold a NiPoGi"),
        ("Owns a NiPoGi", "Owns a NiPoGi for rent"),
        ("Owns a NiPoGi", "Owns a NiPoGi in The Sims"),
        ("Possède un NiPoGi", "Possède un NiPoGi de location"),
        ("Le mot de passe du NiPoGi est rouge", "Le mot de passe du NiPoGi est rouge et bleu"),
        ("Le NiPoGi a 32 Go", "Le NiPoGi a perdu un SSD et 32 Go"),
        ("Le NiPoGi a 32 Go ✅", "Le NiPoGi a 32 Go ❌"),
    ],
)
def test_what_only_looks_alike_is_never_one(one: str, other: str) -> None:
    apart(one, other)
    apart(other, one)


def apart(*texts: str) -> None:
    """Neither speaks for the other, nor does one line for both."""
    sources = [Source(pk, text) for pk, text in enumerate(texts, 1)]
    assert not planned(sources).accepted, texts
    first, second = (told(pk, text).details for pk, text in enumerate(texts, 1))
    assert len(distinct([*first, *second]).left) >= 2 or first[0].text == second[0].text


@pytest.mark.parametrize(
    ("more", "less"),
    [
        (DECK_MORE, DECK),
        (WHOLE, RAM),
        ("Le NiPoGi a 32 Go de RAM", "Le NiPoGi a 32Go RAM"),
        ("Le NiPoGi AM06PRO a 32 Go", "Le NiPoGi a 32 Go"),
        ("Le NiPoGi a un écran et 32 Go de RAM", "Le NiPoGi a 32 Go de RAM"),
        ("Le NiPoGi a 32 Go de RAM avec ECC", "Le NiPoGi a 32 Go de RAM"),
        ("Owns a Steam Deck with a dock", "Owns a Steam Deck"),
        ("Paul aime le thé et le café", "Paul aime le thé"),
        ("Der NiPoGi hat 32 GB RAM und Arch", "Der NiPoGi hat 32 GB RAM"),
        ("El NiPoGi tiene 32 GB con ECC", "El NiPoGi tiene 32 GB"),
        ("le nipogi a 32 go de ram", "Le NiPoGi a 32 Go de RAM."),
    ],
)
def test_what_says_all_of_another_speaks_for_it(more: str, less: str) -> None:
    [fold] = of(more, less).accepted

    assert (fold.into, fold.folds) in {(1, (2,)), (2, (1,))}


@given(st.lists(st.dates(), min_size=2, max_size=4, unique=True), st.sampled_from(["Réunion avec {}", "Met {}"]))
def test_what_recurs_keeps_all_of_its_dates(days: list[object], what: str) -> None:
    """By event time, by the day it was said, and by the date in its words."""
    text = what.format("Paul Martin")
    for sources in (
        [Source(pk, f"{text} et Léa", dated=True, day=str(day)) for pk, day in enumerate(days)],
        [Source(pk, f"{text} {'et Léa ' * (pk % 2)}".strip(), day=str(day)) for pk, day in enumerate(days)],
        [Source(pk, f"{text} {day}") for pk, day in enumerate(days)],
    ):
        assert not planned(sources).accepted


@given(st.lists(st.text(max_size=60), max_size=5), st.text(max_size=30))
@example(["NiPoGi RAM : .", "NiPoGi RAM, a, b", "x"], ":")
@example(["\x00", "\ud800 \ud800 a", ": , ;", "a : ,"], "\ud800")
def test_any_text_at_all_is_planned(texts: list[str], more: str) -> None:
    of(*texts, f"{more} NiPoGi RAM", f"NiPoGi RAM {more}")


@given(st.text(max_size=40))
def test_a_text_says_itself(text: str) -> None:
    [*details] = told(1, text).details

    assert all(says(detail.said, detail.said) for detail in details)


#: What may be done to an entry of a fold.
ACTS: dict[str, Callable[[Account, int], object]] = {
    "archive": lambda owner, pk: move.archive(owner, pk, **BY),
    "retract": lambda owner, pk: move.retract(owner, pk, **BY),
    "restore": lambda owner, pk: move.restore(owner, pk, **BY),
    "edit": lambda owner, pk: revise(owner, pk, Changes(text=f"Now it says {pk}"), version=None, **BY),
    "pin": lambda owner, pk: revise(owner, pk, Changes(pinned=True), version=None, **BY),
    "replace": lambda owner, pk: relate(owner, saved(owner, f"Instead of {pk}").pk, "supersedes", pk, **BY),
    "forget": lambda owner, pk: forget(owner, [pk], **BY),
    "fold": lambda owner, pk: apply(owner, guard=False, **BY),
    "unwind": lambda owner, pk: unwind(owner, pk, **BY),
    "undo": lambda owner, pk: undo(owner, Commit.objects.of(owner).order_by("-tick")[pk % 3].address, **BY),
}


@override_settings(FORGE=django_settings.FORGE.model_copy(update={"EMBEDDING_PROVIDER": "none"}))
class Stored(TestCase):
    """In a store, through the verbs."""

    @settings(max_examples=max(5, EXAMPLES // 40))
    @given(notes(), notes(), st.data())
    def test_nothing_is_out_of_reach_and_all_of_it_comes_back(
        self, texts: list[str], later: list[str], data: st.DataObject
    ) -> None:
        ana = Account.objects.create_user(f"ana{Account.objects.count()}")
        talked(ana)
        for text in texts:
            saved(ana, text)
        reached = {text: reach(ana, text) for text in texts}
        first = apply(ana, guard=False, **BY)
        for text, before in reached.items():
            assert before <= reach(ana, text)
        for text in later:
            saved(ana, text)
        plain, links = block(ana), standing(ana)
        second = apply(ana, guard=False, **BY)
        for done in data.draw(st.permutations(second.done)):
            unwind(ana, done.id, sources=done.fold.folds, **BY)
        assert (block(ana), standing(ana)) == (plain, links)
        for done in data.draw(st.permutations(first.done)):
            unwind(ana, done.id, **BY)
        assert standing(ana) == set()
        assert verify(ana).ok
        ids = Entry.objects.of(ana).deliberate().exclude(status="retracted").values_list("pk", flat=True)
        assert [f"#{pk} " in block(ana) for pk in ids] == [True] * len(ids)

    @settings(max_examples=max(10, EXAMPLES // 20))
    @given(st.lists(st.tuples(st.sampled_from(sorted(ACTS)), st.integers(0, 9)), min_size=1, max_size=8))
    def test_whatever_is_done_nobody_is_silent_for_whom_nobody_speaks(self, acts: list[tuple[str, int]]) -> None:
        ana = Account.objects.create_user(f"ana{Account.objects.count()}")
        talked(ana)
        for text in (RAM, HARDWARE, TELEGRAM, DECK, DECK_MORE):
            saved(ana, text)
        apply(ana, guard=False, **BY)
        for name, pick in acts:
            ids = Entry.objects.of(ana).deliberate().order_by("pk").values_list("pk", flat=True)
            with suppress(ForgeError):
                ACTS[name](ana, ids[pick % len(ids)])
            spoken = Entry.objects.of(ana).filter(superseded_how="fold").select_related("superseded_by")
            for entry in spoken:
                assert entry.superseded_by is not None
                assert entry.superseded_by.status == "active"
            for fold in folds(ana):
                sources = [Entry.objects.get(pk=pk) for pk in fold.sources]
                assert not fold.written or all(each.text in (RAM, HARDWARE, TELEGRAM) for each in sources)
        assert verify(ana).ok


def reach(owner: Account, text: str) -> set[int]:
    """The deliberate entries that a question finds."""
    found = recall(owner, Query(text, top_k=50))
    return {row.entry.pk for row in found.rows if row.entry.kind != "exchange"}


def seconds(*texts: str) -> float:
    """Of a store in which every word counts as rare."""
    start = time.process_time()
    known = rarity([frozenset(tokens(text)) for text in texts], max_df=1.0)
    plan([Source(pk, text) for pk, text in enumerate(texts)], known, min_sources=2, cost=cost)
    return time.process_time() - start


def of_details(count: int) -> list[str]:
    """So many details of one subject, in entries of fifty."""
    some = [f"Le disque{n} du NiPoGi, port{n}, {n} Go" for n in range(count // 3)]
    return [f"NiPoGi RAM : {', '.join(some[at : at + 17])}" for at in range(0, len(some), 17)]


def test_the_time_grows_with_the_size_alone() -> None:
    """10,000 details of one subject, and details of a megabyte."""
    few = seconds(*of_details(1000))

    assert seconds(*of_details(10_000)) < max(2.0, 20 * few)
    assert seconds(f"NiPoGi RAM {'x' * 1_000_000}", f"NiPoGi RAM {'mot ' * 250_000}", RAM) < 5
