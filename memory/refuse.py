"""Writes that a rule turned down, kept so that a person can save them anyway."""

from __future__ import annotations

from django.utils.translation import gettext as _

from forgesite.errors import EmptyError
from forgesite.models import Account
from forgesite.owned import owner_id
from memory import change_log
from memory.domain.wording import clean
from memory.drafts import known_kind, refuse_large
from memory.errors import AlreadySavedError
from memory.models import Kind, Refusal, Rule
from memory.remember import Draft, Saved, remember


def refuse(
    owner: Account,
    rule: str,
    text: str,
    *,
    kind: str = Kind.FACT,
    project: str = "",
    conversation: str = "",
    message: int | None = None,
    run_id: str = "",
) -> Refusal:
    """Keep what a rule turned down, with the rule."""
    plain = clean(text).text
    if not plain.strip():
        raise EmptyError(_("There is nothing to keep: the text is empty."))
    refuse_large(plain)
    refusal = Refusal(
        owner_id=owner_id(owner),
        rule=Rule(rule),
        text=plain,
        kind=known_kind(kind),
        project=project[:256],
        conversation=conversation,
        message=message,
        run_id=run_id,
    )
    with change_log.ours():
        refusal.save(force_insert=True)
    return refusal


def save_anyway(owner: Account, refusal_id: int, *, actor: str) -> Saved:
    """Save what was refused, once: a second time raises AlreadySavedError and changes nothing."""
    refusal = Refusal.objects.one_of(owner, id=refusal_id)
    refuse_twice(refusal)
    draft = Draft(
        refusal.text,
        kind=refusal.kind,
        project=refusal.project,
        conversation=refusal.conversation,
        message=refusal.message,
    )
    saved = remember(owner, draft, actor=actor, cause=f"refusal {refusal.pk} saved anyway")
    with change_log.ours():
        claimed = Refusal.objects.of(owner).filter(pk=refusal.pk, saved_as=None).update(saved_as=saved.entry)
        if claimed != 1:
            refuse_twice(Refusal.objects.one_of(owner, id=refusal_id))
    return saved


def refuse_twice(refusal: Refusal) -> None:
    if refusal.saved_as_id is not None:
        raise AlreadySavedError(
            _("This was already saved, as entry #%(id)d.") % {"id": refusal.saved_as_id},
            detail={"id": refusal.saved_as_id},
        )
