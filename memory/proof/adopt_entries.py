"""Entries that were edited, put in or deleted with SQL, as what a commit can say of them."""

from __future__ import annotations

from datetime import UTC, datetime

from django.core.exceptions import ValidationError
from django.db import DatabaseError
from django.utils.translation import gettext as _

from memory import vector_channel
from memory.domain.chain import words_digest
from memory.domain.proof import row_of
from memory.domain.sameness import sameness
from memory.domain.states import ADOPT, as_change
from memory.models import Entry, TextVersion, Vector
from memory.proof.findings import IMPOSSIBLE, Finding
from memory.proof.notes import Said
from memory.proof.reading import rows
from memory.proof.verify_index import digest_of_vectors
from memory.regime import swap as vector_swap
from memory.stating import state_of
from memory.store import COLUMNS, WORDS, Moved
from memory.verify import Proof

TABLE, VECTOR = "memory_entry", "memory_vector"
#: Not checked in a row, for it is not taken from it.
FORGES_OWN = ("address", "sameness", "digest", "salt", "embedded", "superseded_by", "superseded_how", "stale")
#: What moves `updated_at`.
COUNTED = ("digest", "kind", "status", "event_at")
OWNER_OF = "SELECT owner_id FROM memory_entry WHERE id = %s"
ADDRESS_OF = "SELECT address FROM memory_entry WHERE id = %s"


class EntryEdits:
    """Of one owner, over a proof that holds. `left`: rows that cannot be adopted."""

    def __init__(self, proved: Proof) -> None:
        self.proved, self.left = proved, list[Finding]()
        lines = proved.lines
        named = {pk for table, pk in lines.of if table == TABLE} | {
            pk for table, pk in lines.by_entry if table == VECTOR
        }
        owners = {pk: owner for pk in sorted(named) for (owner,) in rows(OWNER_OF, pk)}
        self._mine = [pk for pk, owner in owners.items() if owner == proved.owner.pk]
        self._gone = sorted(named - owners.keys())
        for pk in owners.keys() - set(self._mine):
            self._leave(pk, _("it was given to somebody else"))

    def moved(self) -> list[Moved]:
        """Rows that the chain knows, and that say something else. What is not theirs to say is put back in any case."""
        found = []
        for pk in self._mine:
            said = self.proved.notes.one(pk)
            entry = self._possible(pk) if said else None
            if said and entry:
                self._put_back(entry, said)
                if _stated(entry) != said.row:
                    self._count(entry, said)
                    found.append(Moved(entry, ADOPT))
        return found

    def inserted(self) -> list[Entry]:
        """Rows that no commit knows. One of a forgotten entry's id stays out: forgotten is for good."""
        found = []
        for pk in self._mine:
            if self.proved.notes.one(pk):
                continue
            if self.proved.notes.knows(pk):
                self._leave(pk, _("it was forgotten for good"))
            elif entry := self._possible(pk):
                entry.salt = entry.embedded = ""
                entry.superseded_by_id, entry.superseded_how, entry.stale = None, "", False
                vector_channel.drop([pk])
                found.append(entry)
        return found

    def deleted(self) -> list[int]:
        """Rows that the chain knows, and that are gone; also those that another one took the place of."""
        replaced = [old for pk in self._mine if not self.proved.notes.knows(pk) for old in self._replaced_by(pk)]
        return [pk for pk in (*self._gone, *replaced) if self.proved.notes.one(pk)]

    def _replaced_by(self, pk: int) -> list[int]:
        at = [entry for (address,) in rows(ADDRESS_OF, pk) for entry in self.proved.notes.at(address)]
        return [entry for entry in at if not rows(OWNER_OF, entry)]

    def _possible(self, pk: int) -> Entry | None:
        """The row, as Django reads it, where all of it is what it may be."""
        try:
            entry = Entry.objects.get(pk=pk)
            if not all(isinstance(getattr(entry, name), str) for name in WORDS):
                raise ValueError(pk)
            entry.full_clean(exclude=FORGES_OWN, validate_unique=False)
        except ValidationError as error:
            self._leave(pk, " ".join(error.messages))
        except (ValueError, TypeError, OverflowError, DatabaseError):
            self._leave(pk, _("a column does not hold what it must"))
        else:
            return entry
        return None

    def _leave(self, pk: int, why: str) -> None:
        self.left.append(self.proved.lines.finding(IMPOSSIBLE, TABLE, pk, why=why))

    def _put_back(self, entry: Entry, said: Said) -> None:
        """What follows from commits and links, and from the words."""
        columns, kept = said.columns, TextVersion.objects.filter(digest=said.digest).first()
        entry.address, entry.salt = said.address, kept.salt if kept else entry.salt
        for name in ("superseded_by_id", "superseded_how", "stale"):
            setattr(entry, name, columns[name])
        entry.version = max(entry.version, said.columns["version"])
        entry.sameness = sameness(entry.text)
        entry.digest = words_digest(entry.salt, *(getattr(entry, name) for name in WORDS))
        self._revector(entry, said, same_text=kept is not None and kept.text == entry.text)
        entry.save(update_fields=(*COLUMNS, "address"))

    def _revector(self, entry: Entry, said: Said, *, same_text: bool) -> None:
        """Vectors that were touched, or are not those of a text that is the same, go: the worker makes others."""
        parts = vector_swap.indexed_parts([entry.pk])[entry.pk]
        now = digest_of_vectors(entry.salt, parts[0][0], [part for _regime, part in parts]) if parts else ""
        touched = [pk for pk in _vectors(entry) if (VECTOR, pk) in self.proved.lines.of]
        if touched or (same_text and now != said.embedded):
            vector_channel.drop([entry.pk])
            now = ""
        entry.embedded = now

    def _count(self, entry: Entry, said: Said) -> None:
        """As an edit by a verb counts."""
        before, now = said.columns, dict(zip(said.columns, _stated(entry), strict=True))
        entry.version += entry.version == before["version"]
        line = self.proved.lines.of.get((TABLE, entry.pk))
        if line and now["updated_at"] == before["updated_at"] and any(now[name] != before[name] for name in COUNTED):
            entry.updated_at = datetime.fromisoformat(line.at).replace(tzinfo=UTC)


def _stated(entry: Entry) -> tuple[object, ...]:
    return row_of(as_change(ADOPT, entry.pk, state_of(entry)))


def _vectors(entry: Entry) -> list[int]:
    return list(Vector.objects.filter(entry=entry.pk).values_list("pk", flat=True))
