"""What the store says about drafts: looked at before the embedder is asked, and again in the transaction."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from forgesite.models import Account
from memory import keys, sources
from memory.drafts import MODEL_ENTRIES, Draft, too_much
from memory.keys import Name
from memory.models import Entry, Link, LinkType, Origin
from memory.sources import Rests


@dataclass(frozen=True)
class Ground:
    """`currents`: the versions that the drafts would replace, by project and key. `rests`: one for each draft."""

    currents: dict[Name, Entry]
    rests: tuple[Rests, ...]

    def links(self, place: int, entry: Entry) -> list[Link]:
        """Those that the new entry of the draft at this place has."""
        current = self.currents.get(keys.name_of(entry))
        versions = [Link(type=LinkType.VERSION_OF, entry=entry, other=current)] if current else []
        return [*versions, *self.rests[place].links(entry)]


def ground(owner: Account, drafts: Sequence[Draft], actor: str, before: Ground | None = None) -> Ground:
    """Raises whatever the store has against one of the drafts; StaleVersionError for a key written since `before`."""
    currents = keys.currents(owner, map(keys.name_of, drafts))
    if before is not None:
        keys.refuse_newer(before.currents, currents)
    for draft in drafts:
        if current := currents.get(keys.name_of(draft)):
            keys.refuse_over(current, draft, actor)
    refuse_many(owner, drafts)
    rests = sources.rests_of(owner, drafts, {entry.pk for entry in currents.values()})
    return Ground(currents, tuple(rests))


def refuse_many(owner: Account, drafts: Sequence[Draft]) -> None:
    """More entries than a model may write in one turn. A turn is known by its message, else it is this one call.

    What it wrote and a person forgot since counts no more. Raises ModelLimitError.
    """
    turns = Counter((draft.conversation, draft.message) for draft in drafts if draft.origin == Origin.MODEL)
    for (conversation, message), count in turns.items():
        rows = Entry.objects.of(owner).filter(origin=Origin.MODEL, conversation=conversation, message=message)
        total = count + (rows.count() if message is not None else 0)
        if total > MODEL_ENTRIES:
            words = _("This would be %(size)d entries of one turn; a model may write %(limit)d.")
            raise too_much(words, total, MODEL_ENTRIES, Origin.MODEL)
