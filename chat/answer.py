"""The built-in responder: it quotes what recall admits, and says so when that is nothing. It is no language model."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from django.utils.translation import gettext as _

from chat.domain.frames import Delta
from chat.domain.quoting import clip, quotation
from forgesite.language import number, told_apart
from memory.models import Kind

if TYPE_CHECKING:
    from memory.models import Entry
    from memory.recall import Recalled, Row
    from memory.remember import Saved

#: What `done` and the trace name as the model.
BUILTIN = "builtin"
WORD = re.compile(r"\s*\S+|\s+$")


def spoken(text: str) -> list[Delta]:
    """The text word by word, as a model would send it."""
    return [Delta(word) for word in WORD.findall(text)]


def quoted(rows: Sequence[Row]) -> str:
    """The rows that tell something by themselves; all of them where none does. The others are shown as given."""
    telling = [row for row in rows if row.tells] or rows
    return "\n\n".join(_quote(row) for row in telling)


def _quote(row: Row) -> str:
    entry = row.entry
    shown = clip(entry.text, row.matched_terms)
    mark = f"#{entry.pk} {entry.get_kind_display()}"
    if shown != entry.text:
        mark += " " + _("(part of it)")
    return quotation(shown, mark, typed=entry.kind != Kind.EXCHANGE)


def from_memory(recalled: Recalled) -> str:
    return "\n\n".join([_("From memory:"), quoted(recalled.rows), *recalled.notices])


def nothing_found(recalled: Recalled, *, question: bool = True) -> str:
    """How near the nearest came, and that nothing else was asked."""
    said = [_("Memory holds nothing on this."), _nearest(recalled), _("Nothing else was consulted.")]
    return "\n\n".join([" ".join(said), *recalled.notices, *([] if question else [no_model()])])


def to_forget(recalled: Recalled) -> str:
    """What memory holds on what a person wants forgotten: it goes by its id, and not by a sentence."""
    how = _(
        "`!forget %(id)s` deletes #%(id)s for good. For all of a subject at once: *Forget everything about…*, above "
        "the entries on the curation desk."
    ) % {"id": recalled.rows[0].entry.pk}
    head = _("Nothing is forgotten yet: what is to go, you choose. Memory holds on this:")
    return "\n\n".join([head, quoted(recalled.rows), how, *recalled.notices])


def to_forget_one(entry: Entry) -> str:
    """The same for an entry that is named by its id."""
    how = _("`!forget %(id)s` deletes it for good, from every index.") % {"id": entry.pk}
    shown = quotation(clip(entry.text, ()), f"#{entry.pk} {entry.get_kind_display()}", typed=True)
    return "\n\n".join([_("Nothing is forgotten yet. This is #%(id)s:") % {"id": entry.pk}, shown, how])


def _nearest(recalled: Recalled) -> str:
    nearest = recalled.nearest
    if nearest is None or nearest.distance is None:
        return _("No entry came near.")
    values = {"id": nearest.id, "distance": number(nearest.distance, 2)}
    if recalled.cutoff is None:
        return _("The nearest entry, #%(id)s, is at distance %(distance)s.") % values
    values["distance"], values["cutoff"] = told_apart(nearest.distance, recalled.cutoff)
    return _("The nearest entry, #%(id)s, is at distance %(distance)s; the cutoff is %(cutoff)s.") % values


def saved_as(saved: Saved) -> str:
    """The echo after a write: the exact text, its kind, how many of that kind exist, and what is worth a note."""
    entry, kind = saved.entry, saved.entry.get_kind_display()
    count = _("Entries of this kind: %(count)s.") % {"count": saved.count_of_kind}
    return "\n\n".join(
        [saved_briefly(saved), quotation(entry.text, f"#{entry.pk} {kind}", typed=True), count, *saved.notes]
    )


def saved_briefly(saved: Saved) -> str:
    """For a page, which shows the rest of the echo by itself."""
    return _("Saved.") if saved.created else _("Known already; confirmed now.")


def nothing_to_save() -> str:
    """To a “remember that” with nothing before it that states anything."""
    return _("Not saved: your message before this one states nothing to remember. Say it here: *Remember that …*")


def not_saved(text: str, recalled: Recalled) -> str:
    """The reply to a plain statement."""
    parts = [_("Not saved: the built-in responder saves on an explicit ask only. To keep it:"), f"`{_command(text)}`"]
    if not recalled.nothing:
        parts += [_("Related in memory:"), quoted(recalled.rows)]
    return "\n\n".join([*parts, *recalled.notices, no_model()])


def _command(text: str) -> str:
    line = " ".join(text.split())
    return f"!remember fact - {line}" if len(line) <= 200 and "`" not in line else "!remember fact - …"


def no_model() -> str:
    return _(
        "No model is connected (setting `LLM_PROVIDER`): this reply is from Forge's built-in responder, which quotes "
        "memory and cannot converse."
    )


def refused_question() -> str:
    return _("Not saved: a question never writes. It is kept under *not saved*, where you can save it anyway.")


def refused(reason: str) -> str:
    return _("Not saved: %(reason)s It is kept under *not saved*, where you can save it anyway.") % {"reason": reason}


def refused_temporary() -> str:
    return _("Not saved: this conversation is temporary, and nothing in it enters memory.")


def refused_memory_off() -> str:
    return _("Not saved: memory is off (setting `MEMORY_ENABLED`).")
