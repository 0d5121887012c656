"""What a person forgot is not written again from where it came from, by anybody but them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.utils.translation import gettext as _

from forgesite.models import Account
from memory.drafts import Draft
from memory.errors import ForgottenError
from memory.keys import batched
from memory.models import Origin, Tombstone


def refuse_forgotten(owner: Account, draft: Draft) -> None:
    """Raises ForgottenError. No text is kept of what is refused here."""
    if forgotten(owner, [draft]):
        raise ForgottenError(
            _(
                "An entry that came from the same message or source was forgotten. Only you can write from it again; "
                "nothing was stored."
            )
        )


def forgotten(owner: Account, drafts: Sequence[Draft]) -> set[Draft]:
    """Those of a message, or of an import's source, that a forgotten entry came from. Never a person's."""
    others = [draft for draft in drafts if draft.origin != Origin.PERSON]
    messages = _buried(owner, "message", [draft.message for draft in others if draft.message is not None])
    sources = _buried(owner, "source", [draft.source for draft in others if draft.source])
    return {draft for draft in others if draft.message in messages or draft.source in sources}


def _buried(owner: Account, field: str, values: Sequence[Any]) -> set[Any]:
    found: set[Any] = set()
    for some in batched(values):
        found.update(Tombstone.objects.of(owner).filter(**{f"{field}__in": some}).values_list(field, flat=True))
    return found
