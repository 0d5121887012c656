"""Takes forgotten texts out of conversations: quotations in answers, titles, and on request what the person typed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from django.db.models import Q, QuerySet

from chat.branches import unhook
from chat.models import Conversation, Message, Role
from forgesite.erasing import Plan
from forgesite.holding import holding
from forgesite.lib.masking import Texts, masked, masked_prose
from memory.erasing import recalls

if TYPE_CHECKING:
    from forgesite.models import Account


def plan(owner: Account, texts: Texts) -> Plan:
    """Every quotation becomes `[forgotten #id]`. What the person typed stays, and is counted.

    `sentences`: answers in which a short text stands, but not as a quotation.
    """
    own = unclear = 0
    changed: dict[int, str] = {}
    for pk, content, role in holding(Message.objects.of(owner), ["content"], texts, ["role"]):
        if role == Role.USER:
            own += masked(content, texts) != content
            continue
        after = masked_prose(content, texts)
        unclear += masked(after, texts) != after
        if after != content:
            changed[pk] = after
    titles = _titles(owner, texts)

    def write() -> None:
        for pk, content in changed.items():
            Message.objects.filter(pk=pk).update(content=content)
        for talk, title in titles.items():
            Conversation.objects.filter(pk=talk).update(title=title)

    removed = {"messages": len(changed), "titles": len(titles)}
    return Plan(write, removed, {"own_messages": own, "sentences": unclear})


def _titles(owner: Account, texts: Texts) -> dict[str, str]:
    talks = holding(Conversation.objects.of(owner), ["title"], texts)
    after = {pk: (title, masked(title, texts)[:200]) for pk, title in talks}
    return {pk: new for pk, (old, new) in after.items() if new != old}


def take(owner: Account, message_ids: Sequence[int]) -> None:
    """Delete what the person typed, where they asked for it. The answer to it stays, with its marks.

    So does every branch: what followed the message follows now what the message did.
    """
    typed = Message.objects.of(owner).filter(pk__in=message_ids, role=Role.USER)
    recalls.take(owner, runs=_runs(owner, typed), messages=message_ids)
    for talk in Conversation.objects.of(owner).filter(pk__in=typed.values("conversation")):
        unhook(talk, typed.filter(conversation=talk).values_list("pk", flat=True))
    typed.delete()


def _runs(owner: Account, typed: QuerySet[Message]) -> list[str]:
    """Those that the messages began: a message names its run, and so does the answer to it."""
    ids = list(typed.values_list("pk", flat=True))
    said = Message.objects.of(owner).filter(Q(pk__in=ids) | Q(parent__in=ids))
    return list(said.values_list("run_id", flat=True))
