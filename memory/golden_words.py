"""What golden questions say in a line of a terminal, a report or a start."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils.text import Truncator
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from forgesite.models import Account
from memory import golden
from memory.domain.golden import Comparison
from memory.models import GoldenQuestion

#: Questions named in a line, before their number alone is told.
NAMED = 3


def line_of(question: GoldenQuestion) -> str:
    """`#3 Which port …?: #12 (1.), #15 (not found)`."""
    found = {right["entry"]: right for right in (question.last_result or {"right": []})["right"]}
    told = [_entry(row.entry_id, found.get(row.entry_id)) for row in question.right.all()]
    return f"#{question.pk} {named(question.text)}: {', '.join(told) or _('none left: they are forgotten')}"


def worse_line(compared: Comparison, *, foreseen: bool = False) -> str:
    """Which golden questions find less than before, or would; empty where none does."""
    count = len(compared.worse)
    if not count:
        return ""
    found = ngettext(
        "%(count)d golden question finds less than before: %(questions)s.",
        "%(count)d golden questions find less than before: %(questions)s.",
        count,
    )
    would = ngettext(
        "%(count)d golden question would find less: %(questions)s.",
        "%(count)d golden questions would find less: %(questions)s.",
        count,
    )
    return (would if foreseen else found) % {
        "count": count,
        "questions": _listed([f"#{change.id} {named(change.text)}" for change in compared.worse]),
    }


def upgrade_lines() -> list[str]:
    """After an upgrade: of everybody, which golden questions find less than they last did. They are asked for it."""
    owners = Account.objects.filter(pk__in=GoldenQuestion.objects.values("owner")).order_by("pk")
    lines = [(owner, worse_line(golden.since_last(owner))) for owner in owners]
    return [f"{owner.username}: {line}" for owner, line in lines if line]


def named(text: str) -> str:
    return Truncator(" ".join(text.split())).chars(80)


def _entry(pk: int, found: dict[str, int | None] | None) -> str:
    if found is None:
        return f"#{pk}"
    stands = f" → #{found['stands']}" if found["stands"] != pk else ""
    place = f"{found['rank']}." if found["rank"] else _("not found")
    return f"#{pk}{stands} ({place})"


def _listed(names: Sequence[str]) -> str:
    more = f" … +{len(names) - NAMED}" if len(names) > NAMED else ""
    return "; ".join(names[:NAMED]) + more
