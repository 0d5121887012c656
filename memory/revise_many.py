"""One change of many entries, as one commit: a pin, a project, a state. Words are changed one by one."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils.translation import gettext as _

from forgesite.errors import InvalidError
from forgesite.models import Account
from memory import keys, store
from memory.models import Entry
from memory.move import named
from memory.revise import Changes, apply, refuse, wanted
from memory.store import Moved, Write


def revise_many(owner: Account, ids: Sequence[int], changes: Changes, *, actor: str, cause: str) -> tuple[Entry, ...]:
    """All of them or none. Returns those that it changed; where it changed none, no commit is made.

    Raises as `revise` does, and InvalidError for a text: that would be one text for all. A job goes one by one.
    """
    if changes.text is not None:
        raise InvalidError(_("One text cannot be that of many entries: change them one by one."))
    write = Write()
    with keys.transaction():
        for entry in named(owner, ids):
            new = wanted(owner, entry, changes)
            refuse(entry, new, actor, None)
            if new:
                apply(entry, new)
                keys.refuse_taken(entry)
                write.moved.append(Moved(entry, "revise"))
        store.commit(owner, write, actor=actor, cause=cause)
    return tuple(moved.entry for moved in write.moved)
