"""The words that a column may hold: kinds, states and origins of entries, relations of two, rules that refuse."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _


class Kind(models.TextChoices):
    FACT = "fact", _("fact")
    DECISION = "decision", _("decision")
    PREFERENCE = "preference", _("preference")
    TODO = "todo", _("todo")
    BLOCKER = "blocker", _("blocker")
    NOTE = "note", _("note")
    EVENT = "event", _("event")
    PROCEDURE = "procedure", _("procedure")
    PROSPECTIVE = "prospective", _("prospective")
    SUMMARY = "summary", _("summary")
    EXCHANGE = "exchange", _("exchange")


#: Kinds that someone chose to write down.
DELIBERATE = tuple(kind for kind in Kind if kind not in (Kind.EXCHANGE, Kind.SUMMARY))
#: Of these the time is the one that they are due.
FALLING_DUE = (Kind.TODO, Kind.PROSPECTIVE)
#: Other names a kind is accepted under.
KIND_SYNONYMS = {"task": Kind.TODO, "episode": Kind.EVENT}


class Status(models.TextChoices):
    ACTIVE = "active", _("active")
    OPEN = "open", _("open")
    CLOSED = "closed", _("closed")
    ARCHIVED = "archived", _("archived")
    RETRACTED = "retracted", _("retracted")


LIVE = (Status.ACTIVE, Status.OPEN)


class Origin(models.TextChoices):
    PERSON = "person", _("person")
    MODEL = "model", _("model")
    IMPORT = "import", _("import")
    COMPACTION = "compaction", _("compaction")


class How(models.TextChoices):
    """How another entry speaks for one."""

    FOLD = "fold", _("folded")
    REPLACED = "replaced", _("replaced")


class LinkType(models.TextChoices):
    SUPERSEDES = "supersedes", _("supersedes")
    SPEAKS_FOR = "speaks_for", _("speaks for")
    COVERS = "covers", _("covers")
    SOURCE = "source", _("rests on")
    CONFLICTS = "conflicts", _("conflicts with")
    VERSION_OF = "version_of", _("is a newer version of")


#: By these the `entry` stands in the place of the `other`.
REPLACING = (LinkType.SUPERSEDES, LinkType.VERSION_OF)


class Rule(models.TextChoices):
    """The rules that turn a write down."""

    QUESTION = "question", _("a question never writes")
    DEGENERATE = "degenerate", _("one word is no memory")
    UNCLEAR = "unclear", _("nothing to save was said")
    UNSTATED = "unstated", _("a name, number or rare word in it is in none of your messages")
    ABOUT_ANOTHER = "about_another", _("you said it of somebody else")
    LIMIT = "limit", _("more than a model may write in one turn")
    FORGOTTEN = "forgotten", _("it was forgotten, and is not taken from the same message again")
    OPEN_TODO = "open_todo", _("an open todo is closed by you, or by a todo of its key")
    PERSONS = "persons_entry", _("you wrote or changed the entry: a model may not replace it")
    INVALID = "invalid", _("memory does not take it as it is")
