"""What a compacted conversation is worth against the same exchanges imported: `python -m bench.compaction_replay`.

    --data FILE [--stores N] [--policy NAME]

Each store of FILE (bench/sets.py) is told turn by turn: a turn's two rows as a turn stores them, and after each the
worker's own function wherever an exchange asks for it. At the end the store's questions are asked, those of which all
evidence has left the window, of this account and of one that was given the same exchanges at once; and every row of
evidence is asked for by its own words.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, get_args

from bench.measures import Asked, means, paired
from bench.place import place
from bench.recall import ROWS, Filled, ask
from bench.sets import Exchange, Question, Store, files, stores
from forgesite.config import Policy

if TYPE_CHECKING:
    from chat.models import Conversation

FIRST = 10


@dataclass(frozen=True)
class Told:
    """A store that was told: what memory holds of it, the rows that a prompt still sees, and each row's own words."""

    filled: Filled
    in_window: frozenset[str]
    words: dict[str, str]
    compactions: int


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--stores", type=int, help="only so many of each file")
    parser.add_argument("--policy", choices=get_args(Policy), default="hybrid")
    options = parser.parse_args()
    with place(RECALL_LEXICAL_TOP_K=str(ROWS // 2), LLM_PROVIDER="builtin"):
        for path in files(options.data):
            for store in stores(path)[: options.stores]:
                replay(path.stem, said(store), options.policy)


def said(store: Store) -> Store:
    """Its exchanges as units are written: the person's row, then what answered it."""
    return replace(store, exchanges=tuple(map(_unit, store.exchanges)))


def _unit(each: Exchange) -> Exchange:
    rows = _rows(each)
    text = f"user: {rows[0]}" + ("\nassistant: " + "\n".join(rows[1:]) if rows[1:] else "")
    ends, at = [], 0
    for row in rows:
        at = text.index(row, at) + len(row)
        ends.append(at)
    return Exchange(text, each.ids, tuple(ends), each.session, each.date)


def _rows(each: Exchange) -> list[str]:
    """One text a row."""
    begins = [0, *(end + 1 for end in each.ends)]
    return [each.text[begin:end] for begin, end in zip(begins, each.ends, strict=False)]


def replay(name: str, store: Store, policy: str) -> None:
    told, imported = tell(f"told-{store.id}", store), bring(f"imported-{store.id}", store)
    asked = [one for one in store.questions if one.gold and not one.gold & told.in_window]
    pairs = [(_ask(name, told.filled, one, policy), _ask(name, imported, one, policy)) for one in asked]
    new, old = ([pair[place].measures for pair in pairs] for place in (0, 1))
    gain = paired([each["R@4k"] for each in new], [each["R@4k"] for each in old])
    share = means(new)["R@4k"] / means(old)["R@4k"]
    print(
        f"{name} {store.id}: {told.compactions} compactions, {len(told.filled.ids)} entries of {len(store.exchanges)} "
        f"exchanges, {len(told.in_window)} rows in the window; {len(asked)} of {len(store.questions)} questions asked"
    )
    print(f"  R@4k told {means(new)['R@4k']:.3f} imported {means(old)['R@4k']:.3f}: {share:.1%}", end="")
    print(f" (difference {gain.mean:+.3f}, 95 % within {gain.low:+.3f} and {gain.high:+.3f})")
    found, due = own_words(told, asked, policy)
    print(f"  own words of a row of evidence find it in the first {FIRST}: {found} of {due}")


def _ask(name: str, filled: Filled, question: Question, policy: str) -> Asked:
    return ask(name, filled, question, policy, ROWS // 2 if policy == "union" else ROWS)


def bring(name: str, store: Store) -> Filled:
    """The same exchanges, given at once."""
    from forgesite.models import Account
    from memory.remember import Draft, remember_many

    account = Account.objects.create_user(name)
    drafts = [Draft(each.text, kind="exchange", origin="import") for each in store.exchanges]
    batch = remember_many(account, drafts, actor="bench", cause="bench")
    ids = {each.text: frozenset(each.ids) for each in store.exchanges}
    return Filled(store, account, {entry.pk: ids[entry.text] for entry in batch.entries}, _ends(store), 0.0)


def _ends(store: Store) -> dict[str, int]:
    return {row: end for each in store.exchanges for row, end in zip(each.ids, each.ends, strict=True)}


def tell(name: str, store: Store) -> Told:
    """All of it in one conversation."""
    from chat.history import create_conversation, window
    from chat.jobs import compact
    from chat.leaving.compacting import due
    from forgesite.models import Account
    from memory.models import Entry

    account = Account.objects.create_user(name)
    talk, compactions = create_conversation(account), 0
    ids: dict[int, frozenset[str]] = {}
    words: dict[str, str] = {}
    for each in store.exchanges:
        ids[turn(talk, each)] = frozenset(each.ids)
        words |= dict(zip(each.ids, _own(each), strict=True))
        if due(talk):
            compact(account.pk, talk.pk)
            compactions += 1
    entries = Entry.objects.of(account).filter(conversation=talk.pk)
    credited = {entry.pk: ids[entry.message or 0] for entry in entries}
    seen = [ids.get(message.pk, frozenset()) for message in window(account, talk.pk).messages]
    filled = Filled(store, account, credited, _ends(store), 0.0)
    return Told(filled, frozenset().union(*seen), words, compactions)


def turn(talk: Conversation, each: Exchange) -> int:
    """Its two rows, as a turn with a model begins and ends them. The id of the person's."""
    from chat.models import State, new_id
    from chat.persist import begin, end

    asked, *answers = _own(each)
    begun = begin(talk.owner, asked, conversation=talk.pk, run_id=new_id())
    state = State.COMPLETE if answers else State.FAILED
    end(begun, "\n".join(answers), state=state, answered=bool(answers), indexable=True, model="bench")
    return begun.message


def _own(each: Exchange) -> list[str]:
    """One text a row, without what a unit puts before it."""
    begins = [len("user: "), *(end + 1 for end in each.ends)]
    rows = [each.text[begin:end] for begin, end in zip(begins, each.ends, strict=False)]
    return [row.removeprefix("assistant: ") if place == 1 else row for place, row in enumerate(rows)]


def own_words(told: Told, asked: Sequence[Question], policy: str) -> tuple[int, int]:
    """How many of the rows of evidence are found by their own words, of how many."""
    rows = sorted({row for question in asked for row in question.gold})
    return sum(_finds(told, row, policy) for row in rows), len(rows)


def _finds(told: Told, row: str, policy: str) -> bool:
    from memory.recall import Query, recall

    found = recall(told.filled.account, Query(told.words[row], policy=policy, top_k=FIRST))
    return any(row in told.filled.ids[one.entry.pk] for one in found.rows[:FIRST])


if __name__ == "__main__":
    main()
