"""Links that were edited, put in or deleted with SQL, as links that a commit makes and ends.

A link never changes: one that was edited ended, and another one was made. Its row is put back as the chain has it.
"""

from __future__ import annotations

from collections.abc import Sequence

from django.utils.translation import gettext as _

from memory import keys
from memory.errors import KeyTakenError
from memory.models import REPLACING, Entry, Link, LinkType
from memory.proof.findings import IMPOSSIBLE, Finding
from memory.proof.notes import SaidLink
from memory.store import Write
from memory.verify import Proof

TABLE = "memory_link"


class LinkEdits:
    """Of one owner, over a proof that holds. `left`: links that cannot be adopted."""

    def __init__(self, proved: Proof) -> None:
        self.proved, self.left = proved, list[Finding]()
        self._ids = sorted(pk for table, pk in proved.lines.of if table == TABLE)
        self._found = {link.pk: link for link in Link.objects.of(proved.owner).filter(pk__in=self._ids)}

    def add_to(self, write: Write) -> None:
        """Put the rows back, and say what was done to them."""
        said = {pk: was for pk in self._ids if (was := self.proved.notes.link(pk))}
        Link.objects.filter(pk__in=[*said, *self._found]).delete()  # one may have been given to somebody else
        for pk, was in said.items():
            Link.objects.create(pk=pk, owner=self.proved.owner, **was._asdict())
        made = [link for pk in self._ids if (link := self._made(self._found.get(pk), said.get(pk), write))]
        ended = [pk for pk, was in said.items() if was.until is None and not _stands(self._found.get(pk), was)]
        write.linked += made
        write.unlinked += [link for link in Link.objects.filter(pk__in=ended) if self._may_end(link, made)]

    def _made(self, found: Link | None, said: SaidLink | None, write: Write) -> Link | None:
        if found is None or found.until is not None or (said and said.until is None and _stands(found, said)):
            return None
        stated = {entry.pk: entry for entry in (*write.created, *(moved.entry for moved in write.moved))}
        ends = Entry.objects.of(self.proved.owner).in_bulk([found.entry_id, found.other_id]) | stated
        if len({found.entry_id, found.other_id} & ends.keys()) == 2 and found.type in LinkType.values:
            return Link(type=found.type, entry=ends[found.entry_id], other=ends[found.other_id])
        self._leave(found.pk, _("it has no two entries, or is of no kind that there is"))
        return None

    def _may_end(self, link: Link, made: Sequence[Link]) -> bool:
        """Not where both its ends would hold one key then."""
        other = Entry.objects.of(self.proved.owner).filter(pk=link.other_id).first()
        if other is None or link.type not in REPLACING or any(each.other_id == link.other_id for each in made):
            return True
        try:
            keys.refuse_taken(other, released=True)
        except KeyTakenError as error:
            self._leave(link.pk, error.message)
            return False
        return True

    def _leave(self, pk: int, why: str) -> None:
        self.left.append(self.proved.lines.finding(IMPOSSIBLE, TABLE, pk, why=why))


def _stands(found: Link | None, said: SaidLink) -> bool:
    """Is the row still the link that it was?"""
    return found is not None and found.until is None and (found.type, found.entry_id, found.other_id) == said[:3]
