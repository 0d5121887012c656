"""The one path of a tree of messages that was the conversation in the end."""

from __future__ import annotations

from collections.abc import Mapping

from django.utils.translation import gettext as _

from chat.importers.imported import DamagedError


def path(parents: Mapping[str, str | None], leaf: str | None) -> list[str]:
    """From the root to `leaf`. Without a known leaf: to the last node, as written, that nothing answers.

    A parent that is not in the tree ends the path. A circle is damage.
    """
    node = leaf if leaf in parents else _last_leaf(parents)
    found: dict[str, None] = {}
    while node is not None and node in parents:
        if node in found:
            raise DamagedError(_("its messages answer each other in a circle, at %(node)s") % {"node": node[:40]})
        found[node] = None
        node = parents[node]
    return list(reversed(found))


def _last_leaf(parents: Mapping[str, str | None]) -> str | None:
    answered = set(parents.values())
    leaves = [node for node in parents if node not in answered]
    if parents and not leaves:
        raise DamagedError(_("its messages answer each other in a circle"))
    return leaves[-1] if leaves else None
