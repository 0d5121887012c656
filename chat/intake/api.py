"""The API's door to importing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from django.utils.translation import gettext as _
from ninja import Query, Router, Schema
from pydantic import Field

from chat.importers.imported import Note
from chat.importing import bring_in, preview, read_or_raise
from chat.intake import uploads
from chat.intake.report import Brought, BroughtEntries, Counts, FileReport, Report
from forgesite.auth import Request
from forgesite.errors import EmptyError
from forgesite.schemas import QueryIn, answers
from memory.domain.golden import Comparison
from memory.golden_api import ChangeOut, changes_out

router = Router(tags=["import"])
CHUNK = 64 * 1024
BODY = {
    "requestBody": {
        "required": True,
        "content": {
            "multipart/form-data": {
                "schema": {
                    "type": "object",
                    "properties": {"file": {"type": "array", "items": {"type": "string", "format": "binary"}}},
                }
            },
            "application/json": {"schema": {"description": "The export's own JSON."}},
            "application/zip": {"schema": {"type": "string", "format": "binary"}},
            "application/vnd.sqlite3": {"schema": {"type": "string", "format": "binary"}},
        },
    }
}


class ImportQuery(QueryIn):
    dry_run: bool = Field(True, description="Only say what would be imported.")


class CountsOut(Schema):
    conversations: int
    messages: int
    exchanges: int
    entries: int = Field(description="Of any kind, from a store that holds entries and no conversation.")


class NoteOut(Schema):
    """Something that was left out or changed, and how often."""

    code: str
    label: str
    count: int


class SkippedOut(Schema):
    name: str
    reason: str
    damaged: bool = Field(description="False: there was nothing in it to import.")


class BroughtOut(Schema):
    id: str | None = Field(description="The conversation here; null in a dry run of a new one.")
    title: str
    format: str
    new: CountsOut
    already_there: CountsOut
    completed: int = Field(description="Exchanges whose answer came since the last import.")
    duplicates: int = Field(description="Exchanges whose very words memory holds already.")
    forgotten: int = Field(description="Exchanges that were forgotten here: they are not brought back.")
    unindexed: int = Field(description="In the thread, not in memory: without an answer or a word, or too large.")
    left_out: list[NoteOut]


class EntriesOut(Schema):
    """What a store of an earlier Forge held."""

    format: str
    new: dict[str, int] = Field(description="By kind.")
    already_there: int
    spoken_for: int = Field(description="Entries for which another one of the store speaks, newly linked.")
    forgotten: int = Field(description="Entries that were forgotten here: they are not brought back.")


class FileOut(Schema):
    name: str
    formats: list[str]
    new: CountsOut
    already_there: CountsOut
    left_out: list[NoteOut]
    skipped: list[SkippedOut]
    conversations: list[BroughtOut]
    entries: list[EntriesOut]
    error: str | None = Field(description="Why nothing could be read from it.")


class ComparedOut(Schema):
    """Asked before and after the import. `unlike`: once with vectors and once without, which says nothing."""

    worse: list[ChangeOut]
    better: list[ChangeOut]
    unlike: list[int]


class ImportOut(Schema):
    dry_run: bool
    new: CountsOut
    already_there: CountsOut
    waiting: int = Field(description="New exchanges found by their words only, until the embedding server is back.")
    golden: ComparedOut | None = Field(
        description="What became of the golden questions, in a dry run of a copy; null where they were not asked."
    )
    untold: str = Field(description="Which golden questions a dry run did not ask, and why; empty where it asked all.")
    files: list[FileOut]


@router.post(
    "/import",
    response=answers(ImportOut, 400, 413, 502),
    openapi_extra=BODY,
    summary="Import conversations of another product",
)
def import_conversations(request: Request, query: Query[ImportQuery]) -> ImportOut:
    """Reads an export of ChatGPT, Claude, Open WebUI, Grok or Google AI Studio, what `/export` gave (its conversations,
    messages and entries; the lines that prove what was done there are passed over), or what an earlier Forge kept
    (`memory.json`, `forge_rag.db`, files of `.forge/sessions` and `.forge/memory`), and says what it holds; with
    `dry_run=false` it is imported. Send the file as the form field `file` (several may come), or as the body itself; a
    note has to say its name, so it comes as a form field.
    A dry run asks the golden questions on a copy of the database, up to 500 new exchanges and entries.
    Up to 256 MiB, unpacked. Importing again adds only what is new. 422 `not_an_export`: nothing could be read.
    """
    verb = preview if query.dry_run else bring_in
    with TemporaryDirectory(prefix="forge-import-") as folder:
        return report_out(read_or_raise(verb(request.auth, list(_sent(request, Path(folder))))))


def _sent(request: Request, folder: Path) -> Iterator[Path]:
    uploads.check_size(int(request.headers.get("Content-Length") or 0))
    if request.content_type != "multipart/form-data":
        yield _body(request, folder / "body")
        return
    files = request.FILES.getlist("file")
    if not files:
        raise EmptyError(_("Send the export as the form field `file`, or as the body itself."))
    for number, file in enumerate(files):
        path = folder / str(number) / uploads.name_of(file)
        path.parent.mkdir()
        uploads.write(path, file.chunks())
        yield path


def _body(request: Request, path: Path) -> Path:
    uploads.write(path, iter(lambda: request.read(CHUNK), b""))
    if not path.stat().st_size:
        raise EmptyError(_("Send the export as the form field `file`, or as the body itself."))
    return path


def report_out(report: Report) -> ImportOut:
    return ImportOut(
        dry_run=not report.written,
        new=_counts(report.new),
        already_there=_counts(report.there),
        waiting=report.waiting,
        golden=_golden(report.golden) if report.golden else None,
        untold=report.untold,
        files=[_file(file) for file in report.files],
    )


def _golden(compared: Comparison) -> ComparedOut:
    return ComparedOut(
        worse=changes_out(compared.worse),
        better=changes_out(compared.better),
        unlike=[change.id for change in compared.unlike],
    )


def _file(file: FileReport) -> FileOut:
    return FileOut(
        name=file.name,
        formats=list(file.formats),
        new=_counts(file.new),
        already_there=_counts(file.there),
        left_out=_notes(file.notes),
        skipped=[SkippedOut(name=one.name, reason=one.reason, damaged=one.damaged) for one in file.skipped],
        conversations=[_brought(brought) for brought in file.conversations],
        entries=[_entries(brought) for brought in file.entries],
        error=file.error or None,
    )


def _entries(brought: BroughtEntries) -> EntriesOut:
    return EntriesOut(
        format=brought.format,
        new=dict(brought.kinds),
        already_there=brought.there,
        spoken_for=brought.spoken_for,
        forgotten=brought.forgotten,
    )


def _brought(brought: Brought) -> BroughtOut:
    return BroughtOut(
        id=brought.id or None,
        title=brought.title,
        format=brought.format,
        new=_counts(brought.new),
        already_there=_counts(brought.there),
        completed=brought.completed,
        duplicates=brought.duplicates,
        forgotten=brought.forgotten,
        unindexed=brought.unindexed,
        left_out=_notes(brought.notes),
    )


def _counts(counts: Counts) -> CountsOut:
    return CountsOut(**vars(counts))


def _notes(notes: Counter[Note]) -> list[NoteOut]:
    return [NoteOut(code=note.value, label=str(note.label), count=count) for note, count in notes.items()]
