"""What the API says of an erasure."""

from __future__ import annotations

from datetime import datetime

from ninja import Schema
from pydantic import Field

from memory.erasing.words import means
from memory.forget import Forgotten
from memory.models import Erasure


class ScannedOut(Schema):
    at: datetime
    files: int
    bytes: int
    skipped: list[str] = Field(description="Files that were not looked at, or not to their end.")
    skipped_count: int
    shared: int = Field(description="Files that hold other accounts' rows too: not looked at for one of them.")


class FoundOut(Schema):
    """A place that holds the text still."""

    file: str = Field(description="Relative to the data folder.")
    count: int
    means: str = Field(description="backup, messages, answers, entries, rows, free_pages, log, upload or file.")
    table: str = ""
    words: str = Field(description="The same in words.")


class CertificateOut(Schema):
    """What the act removed, and where it was looked for afterwards. No word of the text stands in it."""

    address: str = Field(description="SHA-256 of the whole certificate as canonical JSON.")
    commit: str
    at: datetime
    removed: dict[str, int]
    scanned: ScannedOut | None = Field(description="null: not looked through yet, or a kill came in between.")
    found: list[FoundOut]


class ForgottenOut(Schema):
    ok: bool
    id: int
    certificate: CertificateOut
    left: list[str] = Field(description="Where the same words still stand.")
    notes: list[str] = Field(description="What it meant for other entries.")


def forgotten_out(entry_id: int, gone: Forgotten) -> ForgottenOut:
    return ForgottenOut(
        ok=True,
        id=entry_id,
        certificate=certificate_out(gone.certificate),
        left=list(gone.left),
        notes=list(gone.notes),
    )


def certificate_out(certificate: Erasure) -> CertificateOut:
    report = certificate.report
    return CertificateOut(
        address=certificate.address,
        commit=certificate.commit,
        at=certificate.at,
        removed=report["removed"],
        scanned=report["scanned"],
        found=[FoundOut(**place, words=means(place)) for place in report["found"]],
    )
