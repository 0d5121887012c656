"""A certificate in sentences: what was removed, what is left, and what it means where the text was found."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.template.defaultfilters import filesizeformat
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, ngettext_lazy

from memory.erasing import places

#: What `removed` counts, in the order in which it is told.
REMOVED: Mapping[str, Any] = {
    "entries": gettext_lazy("entries"),
    "versions": gettext_lazy("versions of their text"),
    "words": gettext_lazy("rows of the index of words"),
    "vectors": gettext_lazy("vectors"),
    "refusals": gettext_lazy("refused writes"),
    "aliases": gettext_lazy("other names"),
    "golden": gettext_lazy("right entries of golden questions"),
    "golden_questions": gettext_lazy("golden questions that quoted it"),
    "calibrations": gettext_lazy("calibrations with questions that quoted it"),
    "receipts": gettext_lazy("receipts that asked with its words"),
    "proposals": gettext_lazy("proposals of a new entry that quoted it"),
    "messages": gettext_lazy("answers that quoted it"),
    "titles": gettext_lazy("titles of conversations"),
    "summaries": gettext_lazy("summaries that quoted it"),
    "exchanges": gettext_lazy("exchanges that quoted it"),
    "trace_rows": gettext_lazy("rows of traces"),
    "trace_lines": gettext_lazy("lines of the trace file"),
    "jobs": gettext_lazy("jobs"),
    "log_lines": gettext_lazy("lines of the desk's log"),
    "sessions": gettext_lazy("sessions"),
}
MEANS: Mapping[str, Any] = {
    places.BACKUP: gettext_lazy("a backup made before"),
    places.MESSAGES: gettext_lazy("messages that you typed"),
    places.ANSWERS: gettext_lazy("answers in your conversations"),
    places.ENTRIES: gettext_lazy("other entries with these words"),
    places.ROWS: gettext_lazy("other rows with these words"),
    places.FREE: gettext_lazy("pages of the file that are in use no more, until `erase_report` compacts it"),
    places.LOG: gettext_lazy("the database's log, until it is next written back"),
    places.UPLOAD: gettext_lazy("an upload, which is removed within the hour"),
    places.FILE: gettext_lazy("a file that Forge does not write"),
}


#: What the act did to other entries.
FOLLOWED: Mapping[str, Any] = {
    "archived": ngettext_lazy(
        "%(ids)s, which it replaced, is archived.", "%(ids)s, which it replaced, are archived.", "count"
    ),
    "released": ngettext_lazy(
        "%(ids)s, which it spoke for, is released.", "%(ids)s, which it spoke for, are released.", "count"
    ),
    "masked": ngettext_lazy(
        "%(ids)s quoted it, and is masked there.", "%(ids)s quoted it, and are masked there.", "count"
    ),
}


def removed(report: Mapping[str, Any]) -> list[tuple[str, int]]:
    """What is not nothing, in words."""
    counts = report["removed"]
    return [(str(words), counts[name]) for name, words in REMOVED.items() if counts.get(name)]


def means(place: Mapping[str, Any]) -> str:
    return str(MEANS.get(place["means"], place["means"]))


def looked(report: Mapping[str, Any]) -> str:
    """Where was looked for it afterwards."""
    scanned = report["scanned"]
    if scanned is None:
        return _("The data folder was not looked through: Forge was stopped before.")
    said = _("Looked through: %(files)d files, %(size)s.")
    told = [said % {"files": scanned["files"], "size": filesizeformat(scanned["bytes"])}]
    if count := scanned["skipped_count"]:
        told.append(_("Not looked at: %(count)d files.") % {"count": count})
    if count := scanned["shared"]:
        told.append(_("Left out, since they hold other accounts' rows too: %(count)d files.") % {"count": count})
    return " ".join(told)


def followed(report: Mapping[str, Any]) -> tuple[str, ...]:
    """What it meant for other entries."""
    told = [(report[name], words) for name, words in FOLLOWED.items() if report[name]]
    return tuple(str(words % {"ids": named(ids), "count": len(ids)}) for ids, words in told)


def sentences(report: Mapping[str, Any], *, my_message: bool = False) -> tuple[str, ...]:
    """What still holds the words. Backups are named always: nobody knows where they were taken."""
    left = report["left"]
    said = []
    if same := left.get("same_words"):
        said.append(_("Entries with the same words: %(ids)s.") % {"ids": named(same)})
    if quoting := left.get("quoting"):
        said.append(_("Entries of yours that quote it: %(ids)s.") % {"ids": named(quoting)})
    if left.get("own_messages"):
        other = _("Other messages of yours that say it too.")
        said.append(other if my_message else _("What you typed yourself in conversations."))
    if count := left.get("sentences"):
        words = ngettext(
            "%(count)d answer with the same few words, which may be about something else.",
            "%(count)d answers with the same few words, which may be about something else.",
            count,
        )
        said.append(words % {"count": count})
    return (*said, _("Backups made before."))


def named(ids: Sequence[int], most: int = 10) -> str:
    more = f" … (+{len(ids) - most})" if len(ids) > most else ""
    return ", ".join(f"#{pk}" for pk in ids[:most]) + more
