"""What a person is told of a text that was just written: what may be misspelt, and what a search will hardly reach."""

from __future__ import annotations

from django.db.models.functions import Substr
from django.utils.translation import gettext as _

from forgesite.models import Account
from memory.domain.spelling import hints, vocabulary_of
from memory.domain.telegram import is_telegram
from memory.models import DELIBERATE, Entry

#: The newest entries whose words are the vocabulary, and the characters of each that are read.
NEWEST, READ = 500, 2000


def notes_on(owner: Account, entry: Entry) -> tuple[str, ...]:
    """Sentences to show; the text is never changed. Of exchanges and summaries, which nobody chose to write, none."""
    if entry.kind not in DELIBERATE:
        return ()
    return (*_spelling(owner, entry), *_telegram(entry.text))


def _spelling(owner: Account, entry: Entry) -> list[str]:
    words = _("“%(word)s” is nearly “%(instead)s”, a word that memory knows. The text is kept as it is.")
    found = hints(entry.text[:READ], _vocabulary(owner, entry))
    return [words % {"word": hint.word, "instead": hint.instead} for hint in found]


def _vocabulary(owner: Account, but: Entry) -> set[str]:
    rows = Entry.objects.of(owner).filter(kind__in=DELIBERATE).exclude(pk=but.pk).order_by("-pk")
    texts = rows.annotate(head=Substr("text", 1, READ)).values_list("head", flat=True)[:NEWEST]
    return set().union(*map(vocabulary_of, texts))


def _telegram(text: str) -> list[str]:
    if not is_telegram(text):
        return []
    return [_("This is in telegram style, and a search will hardly reach it. A whole sentence is found better.")]
