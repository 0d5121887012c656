"""Whatever two people do leaves memory proved; whatever else is done to its rows is taken back, taken in or named."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext, suppress
from typing import Any

from django.conf import settings as django_settings
from django.db import IntegrityError, connection, transaction
from django.test import override_settings
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.django import TestCase
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule, run_state_machine_as_test

from forgesite.errors import ConflictError, ForgeError
from forgesite.models import Account
from forgesite.testing import EXAMPLES
from memory import consistency, embedding, move, undo, vector_channel
from memory.adopt import adopt
from memory.forget import forget
from memory.given.gathered import Found, Gathered
from memory.hot_block import hot_block
from memory.models import Commit, Entry, Link, LinkType
from memory.rebuild import rebuild
from memory.recall import Query, recall
from memory.receipts import seal
from memory.regime.pending import embed_some
from memory.relate import relate, unrelate
from memory.remember import Draft, remember, remember_many
from memory.revise import Changes, revise
from memory.tests.hash_door import DOOR
from memory.tests.test_rebuild import picture
from memory.verify import verify

WHO: dict[str, Any] = {"actor": "person", "cause": "test"}
PICK = st.integers(0, 30)
TEXTS = st.sampled_from(
    [
        "The server runs on port 8080",
        "The dog is called Rex",
        "東京 に行く",
        "L'école de Zoé",
        "The boat is blue, and dry",
    ]
)
MOVES = st.sampled_from([move.archive_many, move.restore_many, move.retract_many, move.reaffirm_many])
WORDS_ONLY = {"FORGE": django_settings.FORGE.model_copy(update={"EMBEDDING_PROVIDER": "none"})}


class Verbs(RuleBasedStateMachine):
    """What a rule of memory refuses is no step."""

    def __init__(self) -> None:
        super().__init__()
        count = Account.objects.count()
        self.owners = [Account.objects.create_user(f"owner{count + number}") for number in (0, 1)]
        self.given = [Gathered(), Gathered()]

    def teardown(self) -> None:
        """All machines of a test share its database."""
        for owner in self.owners:
            owner.delete()

    def owner(self, pick: int) -> Account:
        return self.owners[pick % 2]

    def entry(self, pick: int) -> int:
        """The id of one of theirs; 0 where there is none yet."""
        entries = Entry.objects.of(self.owner(pick)).order_by("id").values_list("pk", flat=True)
        return int(entries[pick % len(entries)]) if entries else 0

    @rule(
        text=TEXTS, kind=st.sampled_from(["fact", "todo", "event"]), key=st.sampled_from(["", "", "a", "b"]), pick=PICK
    )
    def remember(self, text: str, kind: str, key: str, pick: int) -> None:
        with suppress(ForgeError):
            remember(self.owner(pick), Draft(text, kind=kind, key=key), **WHO, door=DOOR)

    @rule(text=TEXTS, pick=PICK)
    def remember_many(self, text: str, pick: int) -> None:
        drafts = [Draft(f"user: {text} {number}", kind="exchange") for number in range(3)]
        remember_many(self.owner(pick), drafts, **WHO, door=DOOR)

    @rule(text=TEXTS, pick=PICK)
    def remember_without_vectors(self, text: str, pick: int) -> None:
        with override_settings(**WORDS_ONLY):
            remember(self.owner(pick), Draft(f"{text} and more"), **WHO)

    @rule()
    def embed_what_waits(self) -> None:
        embed_some(DOOR, 20)

    @rule(pick=PICK)
    def sum_up(self, pick: int) -> None:
        with suppress(ForgeError):
            draft = Draft("In short, dry", kind="summary", sources=(self.entry(pick),), covers=(self.entry(pick),))
            remember(self.owner(pick), draft, **WHO, door=DOOR)

    @rule(text=TEXTS, pick=PICK, event=st.booleans())
    def revise(self, text: str, pick: int, event: bool) -> None:
        changes = Changes(text=text, project="elsewhere") if event else Changes(pinned=True, kind="todo")
        with suppress(ForgeError):
            revise(self.owner(pick), self.entry(pick), changes, version=None, **WHO, door=DOOR)

    @rule(act=MOVES, pick=PICK)
    def move(self, act: Callable[..., Any], pick: int) -> None:
        with suppress(ForgeError):
            act(self.owner(pick), [self.entry(pick)], **WHO)

    @rule(type=st.sampled_from(LinkType.values), pick=PICK, other=st.integers(1, 5))
    def relate(self, type: str, pick: int, other: int) -> None:
        with suppress(ForgeError):
            relate(self.owner(pick), self.entry(pick), type, self.entry(pick + 2 * other), **WHO)

    @rule(pick=PICK)
    def unrelate(self, pick: int) -> None:
        links = list(Link.objects.of(self.owner(pick)).standing().order_by("id"))
        if links:
            with suppress(ForgeError):
                unrelate(self.owner(pick), links[pick % len(links)].pk, **WHO)

    @rule(pick=PICK)
    def forget(self, pick: int) -> None:
        with suppress(ForgeError):
            forget(self.owner(pick), [self.entry(pick)], **WHO)

    @rule(pick=PICK)
    def undo(self, pick: int) -> None:
        commits = list(Commit.objects.of(self.owner(pick)).order_by("-tick")[:6])
        if commits:
            with suppress(ForgeError):
                undo.undo(self.owner(pick), commits[pick % len(commits)].address, **WHO, door=DOOR)

    @rule(pick=PICK)
    def ask(self, pick: int) -> None:
        """A run is given something, and its receipt is sealed after whatever came in between."""
        owner = self.owner(pick)
        self.given[pick % 2] = Gathered(
            [Found("recall", recall(owner, Query("Which port? Whose dog?", policy="lexical", for_prompt=True)))],
            hot_block(owner, upto=None, most_tokens=500),
            {row.pk: row.text for row in Entry.objects.of(owner).order_by("-id")[: pick % 3]},
        )

    @rule(pick=PICK)
    def seal(self, pick: int) -> None:
        seal(self.owner(pick), self.given[pick % 2], run_id="run")

    @rule()
    def search(self) -> None:
        vector_channel.sync(embedding.regime(DOOR), DOOR.dim)

    @invariant()
    def is_proved(self) -> None:
        assert [finding.message for finding in verify().findings] == []
        assert consistency.check().ok


class AnySequence(TestCase):
    def test_any_sequence_of_verbs_by_two_owners_leaves_memory_proved(self) -> None:
        run_state_machine_as_test(
            Verbs, settings=settings(max_examples=max(5, EXAMPLES // 16), stateful_step_count=25, deadline=None)
        )


#: Table, and what of it is changed by a program of somebody else's.
DAMAGED = {
    "memory_entry": ["kind", "status", "text", "project", "key", "said_at", "address", "salt", "embedded", "source"],
    "memory_link": ["type", "entry_id", "digest", "since", "until"],
    "memory_commitentry": ["position", "entry", "states"],
    "memory_textversion": ["entry", "form", "digest", "text", "salt"],
    "memory_tombstone": ["entry", "address", "message", "at"],
    "memory_words": ["words", "neighbours"],
    "memory_vector": ["vector", "part", "regime", "version"],
    "memory_vec_pending": ["entry_id"],
}
PLACES = [(table, column) for table, columns in DAMAGED.items() for column in ["", *columns]]
HARM = st.tuples(st.sampled_from(PLACES), PICK, st.booleans())
LOG_TRIGGERS = "SELECT name, sql FROM sqlite_master WHERE type = 'trigger' AND name LIKE '%!_log!_%' ESCAPE '!'"
#: Another value of whatever type a column has.
OTHER = """
UPDATE {table} SET "{column}" =
    CASE typeof("{column}") WHEN 'integer' THEN "{column}" + 1 WHEN 'null' THEN 9 ELSE "{column}" || 'x' END
WHERE rowid = %s
"""


@contextmanager
def unseen() -> Iterator[None]:
    """No trigger of the change log."""
    with connection.cursor() as cursor:
        cursor.execute(LOG_TRIGGERS)
        triggers = cursor.fetchall()
        for name, _sql in triggers:
            cursor.execute(f"DROP TRIGGER {name}")
        yield
        for _name, sql in triggers:
            cursor.execute(sql)


def harm(table: str, column: str, pick: int) -> None:
    """Delete a row, or change a value of one, where the database lets anybody."""
    with suppress(IntegrityError), transaction.atomic(), connection.cursor() as cursor:
        ids = [row[0] for row in cursor.execute(f"SELECT rowid FROM {table} ORDER BY rowid").fetchall()]
        if ids:
            statement = OTHER if column else "DELETE FROM {table} WHERE rowid = %s"
            cursor.execute(statement.format(table=table, column=column), [ids[pick % len(ids)]])


def filled(name: str) -> Account:
    """A memory with every kind of link, versions of a text, and something forgotten."""
    owner = Account.objects.create_user(name)

    def add(text: str, **draft: Any) -> int:
        return remember(owner, Draft(text, **draft), **WHO, door=DOOR).entry.pk

    port, dog = add("The server runs on port 8080"), add("The dog is called Rex")
    boat = add("The boat is blue", key="b")
    revise(owner, dog, Changes(text="The dog is called Max"), version=None, **WHO, door=DOOR)
    relate(owner, boat, "supersedes", port, **WHO)
    unrelate(owner, relate(owner, dog, "conflicts", boat, **WHO).pk, **WHO)
    add("A red boat", key="b")
    add("In short, a dog", kind="summary", sources=(dog,))
    forget(owner, [add("A secret is here", message=7)], **WHO)
    vector_channel.sync(embedding.regime(DOOR), DOOR.dim)
    return owner


class AnyHarm(TestCase):
    @settings(max_examples=max(5, EXAMPLES // 8))
    @given(st.lists(HARM, min_size=1, max_size=6))
    def test_a_rebuild_gives_back_what_it_does_not_name(self, harms: Sequence[Any]) -> None:
        owner = filled("ana")
        before = picture()
        for (table, column), pick, is_seen in harms:
            with nullcontext() if is_seen else unseen():
                harm(table, column, pick)
        left = {finding.table for finding in rebuild(owner).left}
        after, lost = picture(), left | ({"memory_words"} if "memory_entry" in left else set())
        assert {table for table in before if after[table] != before[table]} <= lost
        assert {finding.table for finding in verify().findings} == left

    @settings(max_examples=max(5, EXAMPLES // 8))
    @given(st.lists(HARM, min_size=1, max_size=6))
    def test_an_adoption_takes_in_what_it_does_not_name(self, harms: Sequence[Any]) -> None:
        owner = filled("ana")
        for (table, column), pick, _is_seen in harms:
            if table in ("memory_entry", "memory_link", "memory_vector"):
                harm(table, column, pick)
        try:
            left = {(finding.table, finding.row) for finding in adopt(owner, cause="test").left}
        except ConflictError:  # a row that cannot be adopted would have to follow from what can
            return
        assert {(finding.table, finding.row) for finding in verify().findings if finding.outside} == left
        assert all(finding.outside or finding.table.startswith("memory_vec") for finding in verify().findings)
