"""When does it happen? Told from an entry's own words, where nobody gave a time; the words stay as they are."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, tzinfo
from typing import TYPE_CHECKING

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from forgesite.language import zone_of
from forgesite.models import Account
from memory.drafts import Draft
from memory.models import DELIBERATE, Entry, Kind

if TYPE_CHECKING:
    from memory.domain.moments import Told

#: Kinds whose words look ahead: their “Tuesday” is the next one.
AHEAD = (Kind.TODO, Kind.PROSPECTIVE)
#: As on the wire: no calendar of a page goes farther.
YEARS = range(1000, 9999)
#: How a moment is written of which no more is known than the day, the month …
FORMATS = {"minute": "j F Y, H:i", "hour": "j F Y, H:i", "day": "j F Y", "month": "F Y", "year": "Y"}


def with_time(owner: Account, draft: Draft) -> tuple[Draft, tuple[str, ...]]:
    """The draft with the time that its words name, and a note on how they were read.

    As it is where a time was given, where it is no deliberate kind, and where the words name no time or several.
    """
    draft = replace(draft, said_at=draft.said_at or timezone.now())
    if draft.event_at is not None or draft.kind not in DELIBERATE:
        return draft, ()
    zone = zone_of(owner.time_zone)
    told = _told(draft.text, draft.said_at or timezone.now(), zone, draft.kind)
    if told is None:
        return draft, ()
    return replace(draft, event_at=told.at, event_words=told.words), (_note(told, zone),)


def told_again(owner: Account, entry: Entry, text: str, kind: str) -> tuple[datetime | None, str]:
    """Time and words of a new text, as of when the entry was said."""
    told = _told(text, entry.said_at, zone_of(owner.time_zone), kind) if kind in DELIBERATE else None
    return (told.at, told.words) if told else (None, "")


def _told(text: str, said_at: datetime, zone: tzinfo, kind: str) -> Told | None:
    from memory.domain.moments import told

    found = told(text, said_at, zone, ahead=kind in AHEAD)
    most = Entry._meta.get_field("event_words").max_length or 0
    return found if found and found.at.year in YEARS and len(found.words) <= most else None


def _note(told: Told, zone: tzinfo) -> str:
    at = timezone.localtime(told.at, zone)
    if told.span == "week":
        when = _("the week from %(day)s") % {"day": date_format(at, FORMATS["day"])}
    else:
        when = date_format(at, FORMATS[told.span])
    return _("“%(words)s” is read as %(when)s.") % {"words": told.words, "when": when}
