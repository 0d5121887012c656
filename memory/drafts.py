"""What is to be remembered, and what it must be before the store is asked anything."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from django.utils.translation import gettext as _

from forgesite.errors import EmptyError, InvalidError, TooLargeError
from memory.domain.wording import LARGEST, Clean, clean, is_degenerate, size
from memory.errors import DegenerateError, ModelLimitError
from memory.models import KIND_SYNONYMS, Kind, Origin, Status

#: Bytes of a key; entries that one may name as sources, and as covered.
KEY_BYTES, NAMED = 128, 32
#: What a model may write in one turn: entries, and bytes of each. A person's text is kept whole.
MODEL_ENTRIES, MODEL_BYTES = 8, 8192


@dataclass(frozen=True)
class Draft:
    """What is to be remembered. `status` empty: `open` for a todo, `active` for the rest.

    `key`: the same one again, of the same project, is a new version. `sources` and `covers`: ids of entries that it
    rests on, and that as a summary it stands for. `event_words` is set by `remember`: what `event_at` was told from.
    """

    text: str
    kind: str = "fact"
    project: str = ""
    status: str = ""
    event_at: datetime | None = None
    said_at: datetime | None = None
    origin: str = Origin.PERSON
    conversation: str = ""
    message: int | None = None
    source: str = ""
    pinned: bool = False
    key: str = ""
    sources: tuple[int, ...] = ()
    covers: tuple[int, ...] = ()
    event_words: str = ""


def checked(draft: Draft) -> tuple[Draft, tuple[str, ...]]:
    """The draft as it can be stored, with notes on what was changed. Raises where it cannot be."""
    cleaned = checked_text(draft.text)
    kind = known_kind(draft.kind)
    status = draft.status or (Status.OPEN if kind == Kind.TODO else Status.ACTIVE)
    refuse_status(kind, status)
    if draft.origin == Origin.MODEL:
        refuse_long(cleaned.text)
    refuse_names(draft.sources, "sources", draft.origin)
    refuse_names(draft.covers, "covers", draft.origin)
    key, project = checked_key(draft.key, draft.origin), checked_project(draft.project)
    ready = replace(
        draft,
        text=cleaned.text,
        kind=kind,
        status=status,
        project=project,
        key=key,
        sources=tuple(draft.sources),
        covers=tuple(draft.covers),
    )
    return ready, cleaning_notes(cleaned)


def checked_text(text: str) -> Clean:
    """Raises EmptyError, TooLargeError or DegenerateError."""
    cleaned = clean(text)
    if not cleaned.text.strip():
        raise EmptyError(_("There is nothing to remember: the text is empty."))
    refuse_large(cleaned.text)
    if is_degenerate(cleaned.text):
        raise DegenerateError(
            _("“%(text)s” is one word. Say what there is to know about it.") % {"text": cleaned.text.strip()[:80]}
        )
    return cleaned


def checked_project(project: str) -> str:
    return clean(project).text.strip()[:256]


def checked_key(key: str, origin: str = Origin.PERSON) -> str:
    """The key without the white space around it; empty for none. Raises InvalidError."""
    plain = key.strip()
    if key and not plain:
        raise InvalidError(_("The key is blank. Name what the entry is about, or give no key."))
    if "\0" in plain or clean(plain).surrogates:
        raise InvalidError(_("The key holds NUL or half of a character; a key is plain text."))
    if (bytes_ := size(plain)) > KEY_BYTES:
        raise too_much(_("The key has %(size)d bytes; it may have %(limit)d."), bytes_, KEY_BYTES, origin)
    return plain


def refuse_names(ids: Sequence[int], field: str, origin: str = Origin.PERSON) -> None:
    """Of sources or covers: too many, or one twice."""
    if len(ids) > NAMED:
        message = _("%(size)d entries are named as `%(field)s`; there may be %(limit)d.")
        raise too_much(message, len(ids), NAMED, origin, field=field)
    if twice := sorted(pk for pk in set(ids) if ids.count(pk) > 1):
        raise InvalidError(_("Entry #%(id)d is named twice as `%(field)s`.") % {"id": twice[0], "field": field})


def refuse_long(text: str) -> None:
    """What a model may not write. Raises ModelLimitError."""
    if (bytes_ := size(text)) > MODEL_BYTES:
        message = _("The text has %(size)d bytes; an entry that a model writes may have %(limit)d.")
        raise too_much(message, bytes_, MODEL_BYTES, Origin.MODEL)


def too_much(message: str, size: int, limit: int, origin: str, **more: str) -> InvalidError:
    kind = ModelLimitError if origin == Origin.MODEL else InvalidError
    return kind(message % {"size": size, "limit": limit, **more}, detail={"size": size, "limit": limit})


def refuse_large(text: str) -> None:
    if (bytes_ := size(text)) > LARGEST:
        raise TooLargeError(
            _("The text has %(size)d bytes; a memory may have %(limit)d.") % {"size": bytes_, "limit": LARGEST},
            detail={"size": bytes_, "limit": LARGEST},
        )


def known_kind(kind: str) -> Kind:
    """The kind by its name or a synonym (`task`, `episode`). Raises InvalidError for another."""
    name = KIND_SYNONYMS.get(kind, kind)
    if name not in Kind.values:
        raise InvalidError(
            _("“%(kind)s” is no kind of memory. Kinds are: %(kinds)s.")
            % {"kind": kind[:40], "kinds": ", ".join(Kind.values)}
        )
    return Kind(name)


def refuse_status(kind: str, status: str) -> None:
    """Raises InvalidError where an entry of this kind cannot be in this state."""
    own = (Status.OPEN, Status.CLOSED) if kind == Kind.TODO else (Status.ACTIVE,)
    allowed = (*own, Status.ARCHIVED, Status.RETRACTED)
    if status not in allowed:
        raise InvalidError(
            _("A %(kind)s cannot be “%(status)s”; it can be %(allowed)s.")
            % {"kind": kind, "status": status[:40], "allowed": ", ".join(allowed)}
        )


def cleaning_notes(cleaned: Clean) -> tuple[str, ...]:
    notes = []
    if cleaned.nul:
        notes.append(_("NUL characters were removed."))
    if cleaned.surrogates:
        notes.append(_("Characters that are no text (half of a pair) were replaced by �."))
    return tuple(notes)
