"""What a search of an earlier time goes through: texts, states and links of then, in the channels of now."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from forgesite.models import Account
from forgesite.owned import owner_id
from memory.as_of import At, moment_of, said
from memory.domain.scope import REPLACED, Scope, scope
from memory.models import Entry, How
from memory.past.entries import Past, past, rows_of
from memory.past.plain_rows import PastRows
from memory.past.vectors import PastVectors
from memory.past.words import PastWords, unchanged, words_of
from memory.word_channel import Said


@dataclass(frozen=True)
class Then:
    """As recall.py asks its source (see searched.py)."""

    owner: Account
    at: At
    past: Past
    words: PastWords
    vectors: PastVectors
    rows: PastRows

    def plain(self, channel: str, where: Scope, most: int) -> list[int]:
        return self.rows.found(channel, where, most)

    def ages(self, ids: Collection[int]) -> dict[int, float]:
        return self.rows.ages(ids)

    def said(self, ids: Collection[int]) -> dict[int, Said]:
        return self.rows.said(ids)

    def entries(self, ids: Collection[int]) -> dict[int, Entry]:
        return rows_of(self.owner, {pk: self.past.stated[pk] for pk in ids if pk in self.past.stated})

    def replaced_by(self, ids: Collection[int]) -> dict[int, int]:
        changes = {pk: stated.change for pk, stated in self.past.stated.items()}
        return {
            pk: change["by"]
            for pk, change in sorted(changes.items())
            if change.get("by") in ids and change["how"] == How.REPLACED
        }

    def notices(self) -> tuple[str, ...]:
        """That it is slower, and what it cannot find."""
        told = _("Memory as it was at %(when)s, read from the ledger: slower than a search of now.")
        gone = self.past.forgotten
        forgotten = ngettext(
            "%(count)d entry of then is forgotten by now, at any time.",
            "%(count)d entries of then are forgotten by now, at any time.",
            gone,
        )
        lines = [told % {"when": said(self.owner, self.at)}, *([forgotten % {"count": gone}] if gone else [])]
        return (*lines, *self.vectors.notices)


def then(owner: Account, as_of: str, where: Scope) -> Then:
    """Raises what `moment_of` does."""
    at = moment_of(owner, as_of)
    found = past(owner, at.tick)
    states = {pk: stated.shown for pk, stated in found.stated.items()}
    same = unchanged(owner, found)
    words = PastWords(found, states, words_of(owner, found, same))
    beside = replace(where, tiers=(*where.tiers, (REPLACED,)))
    vectors = PastVectors(owner, found, states, same, beside)
    return Then(owner, at, found, words, vectors, PastRows(owner, at, found, states))


def vectors_of(owner: Account, as_of: str, entry: int) -> PastVectors:
    """Of one entry alone, so that no other is embedded for it. Raises what `moment_of` does."""
    found = past(owner, moment_of(owner, as_of).tick, [entry])
    states = {pk: stated.shown for pk, stated in found.stated.items()}
    where = scope(owner_id(owner), "", None, everything=True)
    return PastVectors(owner, found, states, unchanged(owner, found), where)
