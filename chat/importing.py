"""Bring conversations of other products in: their messages into threads, their exchanges into memory.

Every conversation and message keeps the id it had, so a second import changes nothing and a longer export adds only
what is new. No conversation is split over transactions: its messages and its entries are there together or not at all.
Two things follow: a kill loses nothing that the next import does not bring, and an exchange whose messages are there
but whose entry is not was forgotten by a person, and is not brought back.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path

from django.utils.translation import gettext as _

from chat.embedding_ahead import ahead
from chat.import_plan import Foreseen, brought, plans_of
from chat.import_report import Brought, FileReport, Report
from chat.import_write import bring
from chat.importers.formats import Skipped, conversations
from chat.importers.imported import ImportedConversation, ReadConversation, dated
from chat.importers.reading import NotAnExportError, documents, paths_in
from forgesite.errors import TooLargeError
from forgesite.models import Account

#: Told of the file, and of how many conversations and messages of it were read so far.
Progress = Callable[[str, int, int], None]
#: Brings a few conversations in, or foresees it.
Bring = Callable[[Sequence[ImportedConversation]], list[Brought]]
#: Messages read before they are written together. More are hardly faster, and others wait for the write to end.
TOGETHER = 1000


def preview(owner: Account, paths: Sequence[Path], *, progress: Progress | None = None) -> Report:
    """What `bring_in` would do, without writing anything."""
    foreseen = Foreseen()

    def foresee(talks: Sequence[ImportedConversation]) -> list[Brought]:
        return [brought(plan, plan.known.id) for plan in plans_of(owner, talks, foreseen)]

    return Report(tuple(_files(paths, foresee, progress)), written=False)


def bring_in(owner: Account, paths: Sequence[Path], *, progress: Progress | None = None) -> Report:
    """Import every export. A file that is none is named in the report, and the others are imported all the same.

    Raises EmbeddingError when the embedder fails: what was imported up to there stays, and importing again goes on.
    """
    door = ahead()
    return Report(tuple(_files(paths, lambda talks: bring(owner, talks, door), progress)), written=True)


def _files(paths: Sequence[Path], bring: Bring, progress: Progress | None) -> Iterator[FileReport]:
    for given in paths:
        found = paths_in(given)
        if not found:
            yield FileReport(given.name, error=_("%(name)s holds no .json and no .zip file.") % {"name": given.name})
        for path in found:
            name = str(path.relative_to(given)) if path != given else path.name
            yield from _documents(path, name, bring, progress)


def _documents(path: Path, name: str, bring: Bring, progress: Progress | None) -> Iterator[FileReport]:
    """A report for each JSON file at `path`: a .zip may hold several."""
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
            value, replaced = document.parsed()
            done, skipped = _each(conversations(value, document.name), document.name, bring, progress, path)
            yield FileReport(document.name, done, skipped, replaced)
        except NotAnExportError as error:
            yield FileReport(document.name, error=error.message)


def _each(
    found: Iterator[ReadConversation | Skipped], name: str, bring: Bring, progress: Progress | None, path: Path
) -> tuple[tuple[Brought, ...], tuple[Skipped, ...]]:
    otherwise = datetime.fromtimestamp(path.stat().st_mtime, UTC)
    done: list[Brought] = []
    skipped: list[Skipped] = []
    for talks in _together(found, skipped):
        done += bring([dated(talk, otherwise) for talk in talks])
        if progress:
            messages = sum(one.new.messages + one.there.messages for one in done)
            progress(name, len(done), messages)
    return tuple(done), tuple(skipped)


def _together(found: Iterable[ReadConversation | Skipped], skipped: list[Skipped]) -> Iterator[list[ReadConversation]]:
    """Conversations by the handful; those that were skipped are set aside."""
    talks: list[ReadConversation] = []
    messages = 0
    for one in found:
        if isinstance(one, Skipped):
            skipped.append(one)
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
