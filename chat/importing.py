"""Bring conversations of other products in: their messages into threads, their exchanges into memory.

What an earlier Forge remembered comes in as entries of their own; see import_entries.py.

Every conversation and message keeps the id it had, so a second import changes nothing and a longer export adds only
what is new. No conversation is split over transactions: its messages and its entries are there together or not at all.
Two things follow: a kill loses nothing that the next import does not bring, and an exchange whose messages are there
but whose entry is not was forgotten by a person, and is not brought back.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

from django.utils.translation import gettext as _

from chat.embedding_ahead import ahead
from chat.importers.contents import Read, contents
from chat.importers.entries import ReadEntries
from chat.importers.imported import ImportedConversation, ReadConversation, Skipped, dated
from chat.importers.reading import Document, NotAnExportError, documents, leading_out, paths_in, shown
from chat.intake.entries import bring_entries, foresee_entries
from chat.intake.plan import Foreseen, brought, plans_of
from chat.intake.rehearsal import with_golden
from chat.intake.report import Brought, BroughtEntries, FileReport, Report
from chat.intake.write import bring
from forgesite.errors import TooLargeError
from forgesite.models import Account
from memory import golden
from memory.domain.golden import Comparison

#: Told of the file, and of how many conversations and messages of it were read so far.
Progress = Callable[[str, int, int], None]
#: Messages read before they are written together. More are hardly faster, and others wait for the write to end.
TOGETHER = 1000


@dataclass(frozen=True)
class Bring:
    """Brings a few conversations in, or the entries of a store, said at that time if it knows none; or foresees it."""

    talks: Callable[[Sequence[ImportedConversation]], list[Brought]]
    entries: Callable[[ReadEntries, datetime], BroughtEntries]


def preview(owner: Account, paths: Sequence[Path], *, progress: Progress | None = None) -> Report:
    """What `bring_in` would do, without writing anything; golden questions are asked on a copy, see rehearsal.py."""
    foreseen = Foreseen()

    def foresee(talks: Sequence[ImportedConversation]) -> list[Brought]:
        return [brought(plan, plan.known.id) for plan in plans_of(owner, talks, foreseen)]

    verbs = Bring(foresee, lambda store, at: foresee_entries(owner, store, at, foreseen))
    report = Report(tuple(_files(paths, verbs, progress)), written=False)
    return with_golden(owner, report, partial(_compared, owner, paths))


def _compared(owner: Account, paths: Sequence[Path], only: Collection[int]) -> Comparison:
    return bring_in(owner, paths, only=only).golden or Comparison()


def bring_in(
    owner: Account,
    paths: Sequence[Path],
    *,
    progress: Progress | None = None,
    only: Collection[int] | None = None,
) -> Report:
    """Import every export. A file that is none is named in the report, and the others are imported all the same.

    The golden questions (`only`: those ids) are asked before and after it, and the report says which find less.
    Raises EmbeddingError when the embedder fails: what was imported up to there stays, and importing again goes on.
    """
    door = ahead()
    verbs = Bring(lambda talks: bring(owner, talks, door), lambda store, at: bring_entries(owner, store, at, door))
    before = golden.replay(owner, only=only)
    files = tuple(_files(paths, verbs, progress))
    return Report(files, written=True, golden=golden.compare(before, golden.replayed(owner, only=only)))


def _files(paths: Sequence[Path], bring: Bring, progress: Progress | None) -> Iterator[FileReport]:
    for given in paths:
        found = paths_in(given)
        if not found:
            words = _("%(name)s holds no .json, .jsonl, .zip, .db or .md file.")
            yield FileReport(shown(given.name), error=words % {"name": shown(given.name)})
        for link in leading_out(given):
            words = _("%(name)s is a link that leads out of the folder: it was not read.")
            name = shown(str(link.relative_to(given)))
            yield FileReport(name, error=words % {"name": name})
        for path in found:
            name = shown(str(path.relative_to(given)) if path != given else path.name)
            yield from _documents(path, name, bring, progress)


def _documents(path: Path, name: str, bring: Bring, progress: Progress | None) -> Iterator[FileReport]:
    """A report for each file at `path`: a .zip may hold several."""
    reading = documents(path, name)
    while True:
        try:
            document = next(reading, None)
        except (NotAnExportError, TooLargeError) as error:
            yield FileReport(name, error=error.message)
            return
        if document is None:
            return
        try:
            yield _each(document, bring, progress, datetime.fromtimestamp(path.stat().st_mtime, UTC))
        except (NotAnExportError, TooLargeError) as error:
            yield FileReport(document.name, error=error.message)


def _each(document: Document, bring: Bring, progress: Progress | None, otherwise: datetime) -> FileReport:
    found, replaced = contents(document)
    done: list[Brought] = []
    aside: list[ReadEntries | Skipped] = []
    for talks in _together(found, aside):
        done += bring.talks([dated(talk, otherwise) for talk in talks])
        if progress:
            messages = sum(one.new.messages + one.there.messages for one in done)
            progress(document.name, len(done), messages)
    entries = [bring.entries(one, otherwise) for one in aside if isinstance(one, ReadEntries)]
    skipped = [one for one in aside if isinstance(one, Skipped)]
    skipped += [one for store in entries for one in store.skipped]
    return FileReport(document.name, tuple(done), tuple(entries), tuple(skipped), replaced)


def _together(found: Iterable[Read], aside: list[ReadEntries | Skipped]) -> Iterator[list[ReadConversation]]:
    """Conversations by the handful; entries, and what was skipped, are set aside."""
    talks: list[ReadConversation] = []
    messages = 0
    for one in found:
        if not isinstance(one, ReadConversation):
            aside.append(one)
            continue
        talks.append(one)
        messages += len(one.said)
        if messages >= TOGETHER:
            yield talks
            talks, messages = [], 0
    if talks:
        yield talks


def read_or_raise(report: Report) -> Report:
    """The report, if at least one file could be read. Raises NotAnExportError with what was wrong otherwise."""
    if not report.readable:
        raise NotAnExportError("\n".join(report.errors))
    return report
