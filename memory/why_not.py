"""Why a run was not given an entry, or a text: what its receipts say, and how memory was as of each of its recalls."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.conf import settings

from forgesite.errors import UnknownError
from forgesite.models import Account
from forgesite.owned import owner_id
from memory import embedding, ledger, word_channel
from memory.domain import why_not as deciding
from memory.domain.function_words import FUNCTION_WORDS
from memory.domain.nothing import subject
from memory.domain.ranking import ceiling
from memory.domain.receipt import Asked, Said, salted
from memory.domain.sameness import folded, sameness
from memory.domain.scope import scope
from memory.domain.why_not import Measured, Shared, Then, Verdict
from memory.domain.words import indexed, terms
from memory.errors import EmbeddingError
from memory.finding import by_meaning, by_words
from memory.models import DELIBERATE, CommitEntry, Entry, Receipt, Refusal, Tombstone
from memory.past.entries import past
from memory.past.search import vectors_of
from memory.past.since import Moments
from memory.policies import searching
from memory.recall import Query, recall
from memory.receipts import question_of, said_of

#: Entries that a text may mean, of now and of then.
CLOSEST = 5
#: Refusals that a text is looked for in, the newest first.
REFUSALS = 2000


@dataclass(frozen=True)
class Answer:
    """`entry`: which one it is about, None for a text that no entry says. `same`: it says the text; else it is the one
    closest to it. `receipt` and `place`: the recall that tells; `refusal`: the write that was turned down."""

    verdict: Verdict
    entry: int | None = None
    same: bool = True
    receipt: Receipt | None = None
    place: int | None = None
    refusal: Refusal | None = None


@dataclass(frozen=True)
class Look:
    """A recall of a run, with the receipt that tells of it. `place` None: the run made none in that receipt."""

    receipt: Receipt
    said: Said
    place: int | None

    @property
    def asked(self) -> Asked:
        if self.place is None:
            return Asked("", "", self.receipt.tick, self.receipt.head, "")
        return self.said.recalls[self.place]


def of_entry(owner: Account, receipts: Sequence[Receipt], entry: int) -> Answer:
    """Raises UnknownError for what never was an entry of the owner's."""
    return _of_entry(Moments(owner), receipts, entry)


def _of_entry(moments: Moments, receipts: Sequence[Receipt], entry: int, *, same: bool = True) -> Answer:
    _known(moments.owner, entry)
    looks = _looks(receipts)
    for look in looks:
        block = look.said.block.entries if look.said.block else ()
        if verdict := deciding.given(look.said.rows, block, entry):
            return Answer(verdict, entry, same, look.receipt, _place_of(look.said, entry))
    verdicts = [_verdict(moments, look, entry) for look in looks]
    best = deciding.farthest(verdicts)
    return Answer(verdicts[best], entry, same, looks[best].receipt, looks[best].place)


def of_text(owner: Account, receipts: Sequence[Receipt], text: str) -> Answer:
    """The entry that says it, or was closest to saying it; else the write of it that was refused; else nothing."""
    moments, run_id = Moments(owner), receipts[0].run_id
    if (entry := _saying(owner, text)) is not None:
        return _of_entry(moments, receipts, entry)
    if refusal := _refused(owner, text, run_id, exactly=True):
        return Answer(Verdict("refused", refusal.rule), refusal=refusal)
    closest = _closest(moments, text, receipts[-1])
    for pk, words in closest:
        if deciding.says(text, words):
            return _of_entry(moments, receipts, pk, same=False)
    if refusal := _refused(owner, text, run_id, exactly=False):
        return Answer(Verdict("refused", refusal.rule), refusal=refusal)
    facts = {"gone": Tombstone.objects.of(owner).exists(), "nearest": closest[0][0] if closest else None}
    return Answer(Verdict("never_stored", "nothing_like_it", facts), receipt=receipts[-1])


def _known(owner: Account, entry: int) -> None:
    there = Entry.objects.of(owner).filter(pk=entry).exists()
    if not there and not CommitEntry.objects.filter(entry=entry, commit__owner=owner).exists():
        raise UnknownError(f"No entry with id {entry}.")


def _looks(receipts: Sequence[Receipt]) -> list[Look]:
    looks: list[Look] = []
    for receipt in receipts:
        said = said_of(receipt)
        looks += [Look(receipt, said, place) for place in range(len(said.recalls))] or [Look(receipt, said, None)]
    return looks


def _place_of(said: Said, entry: int) -> int | None:
    found = (place for place, each in enumerate(said.recalls) if any(row.id == entry for row in each.given))
    return next(found, None)


def _verdict(moments: Moments, look: Look, entry: int) -> Verdict:
    if left := deciding.left(look.asked, entry):
        return left
    then = _then(moments.owner, look, entry)
    if unfound := deciding.unfound(then):
        return unfound
    if look.place is None:
        unasked = bool(look.said.block and look.said.block.left_out and then.deliberate)
        return Verdict("skipped", "block") if unasked else Verdict("no_channel", "not_asked")
    return deciding.missed(look.asked, _measured(moments, look, entry))


def _then(owner: Account, look: Look, entry: int) -> Then:
    """As of the recall's own head."""
    found = past(owner, look.asked.tick, [entry])
    if entry not in found.stated:
        if found.forgotten:  # it was there then, and its words are gone since
            return Then("active", gone=True)
        named = CommitEntry.objects.filter(entry=entry, commit__owner=owner, commit__tick__lte=look.asked.tick)
        return Then(gone=named.exists())
    stated = found.stated[entry]
    change = stated.change
    project = found.projects[change["words"]]
    return Then(
        stated.shown,
        gone=False,
        by=change.get("by"),
        asks=_asks(look, change["kind"], project),
        deliberate=change["kind"] in DELIBERATE,
    )


def _asks(look: Look, kind: str, project: str) -> tuple[str, ...]:
    """Where the question is erased, nobody can say any more whether its project was this one."""
    filters, salt = look.asked.filters, look.receipt.salt
    asks = ["kind"] if filters.get("kind") not in (None, kind) else []
    if "project" in filters and salt and salted(salt, project) != filters["project"]:
        asks.append("project")
    return tuple(asks)


def _measured(moments: Moments, look: Look, entry: int) -> Measured | None:
    """How far it was, and which words of the question it had. None where the question is erased."""
    assert look.place is not None
    words = question_of(look.receipt, look.place)
    if words is None:
        return None
    then = _moved(moments.owner, look.asked.head)
    return Measured(
        _distance(moments.owner, then, words["text"], entry) if look.asked.regime else None,
        *_shared(moments, then, words["text"], entry),
    )


def _moved(owner: Account, head: str) -> str:
    """That commit; empty where it is the last one, so that now is then."""
    last = ledger.head(owner)
    return "" if last and last.address == head else head


def _distance(owner: Account, then: str, text: str, entry: int) -> float | None:
    """None where it has no vector of the model that is served now, or nobody embeds."""
    door = embedding.served()
    if door is None:
        return None
    index: by_meaning.Index = vectors_of(owner, then, entry) if then else by_meaning.NOW
    try:
        question = embedding.embedded_query(door, text)
        index.ready(door)
    except EmbeddingError:
        return None
    found = index.distances(question.vector, [entry]).get(entry)
    return None if found is None else round(found, 4)


def _shared(moments: Moments, then: str, text: str, entry: int) -> tuple[tuple[Shared, ...], int]:
    """Only the words that it has are counted."""
    owner = owner_id(moments.owner)
    index: by_words.Index = moments.words(then) if then else word_channel
    index.sync()
    kept = index.words_of([entry]).get(entry)
    if kept is None:
        return (), index.count(owner)
    where, spaced = scope(owner, "", None, everything=True), f" {kept.words} "
    total = index.count(owner)
    rare = ceiling(total, settings.FORGE.RECALL_LEXICAL_MAX_DF)
    held = [term for term in terms(text, FUNCTION_WORDS).content if f" {' '.join(term.tokens)} " in spaced]
    rows = [len(index.holders(term, where)) for term in held]
    return tuple(Shared(term.shown, count, count > rare) for term, count in zip(held, rows, strict=True)), total


# -- which entry a text means


def _saying(owner: Account, text: str) -> int | None:
    """Live ones first, then the newest."""
    rows = list(Entry.objects.of(owner).filter(sameness=sameness(text)).order_by("-pk")[:50])
    return min(rows, key=lambda row: (not row.is_live, -row.pk)).pk if rows else None


def _closest(moments: Moments, text: str, receipt: Receipt) -> list[tuple[int, str]]:
    """Entries of every state with their folded words: those of now, and as of the receipt, for what was edited since
    said something else then. As of then they are looked for by words alone: `says` takes no row that has few of them.
    """
    found = recall(moments.owner, Query(text, policy=searching(), top_k=CLOSEST, everything=True))
    rows = () if found.nothing else found.rows
    now = [(row.entry.pk, indexed(row.entry.text)) for row in rows if row.tells]
    return [*now, *_closest_then(moments, text, _moved(moments.owner, receipt.head))]


def _closest_then(moments: Moments, text: str, then: str) -> list[tuple[int, str]]:
    if not then:
        return []
    index, where = moments.words(then), scope(owner_id(moments.owner), "", None, everything=True)
    found = by_words.search(text, where, index)
    about = subject(text, found.frequencies, found.total)
    best = [row.id for row in found.rows if about.share(row.matched) >= about.least][:CLOSEST]
    words = index.words_of(best)
    return [(pk, words[pk].words) for pk in best]


def _refused(owner: Account, text: str, run_id: str, *, exactly: bool) -> Refusal | None:
    """Of the run first; then the newest. `exactly` False: one holds the other."""
    wanted = folded(text)
    rows = Refusal.objects.of(owner).order_by("-pk")[:REFUSALS]
    said = [(row, folded(row.text)) for row in rows]
    if exactly:
        found = [row for row, each in said if each == wanted]
    else:
        found = [row for row, each in said if wanted and (wanted in each or each in wanted)]
    return min(found, key=lambda row: (row.run_id != run_id, -row.pk), default=None)
