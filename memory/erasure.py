"""Certificates: what one act of forgetting removed, where it was looked for afterwards, and what is left.

A certificate is written with the act itself, and completed once the file has been cleaned and the data folder was
looked through. One that a kill left without that says so: its `scanned` is empty.
"""

from __future__ import annotations

from typing import Any

from django.utils import timezone

from forgesite import job
from forgesite.lib.masking import Texts, masked
from forgesite.models import Account
from forgesite.owned import owner_id
from memory import change_log
from memory.domain.chain import canonical, moment, sha256
from memory.erasing.places import NAMED, Search, name_of, search
from memory.erasing.plan import Going
from memory.erasing.scrub import scrub
from memory.models import Commit, Erasure

#: The form of report.
FORM = 1
#: How long the data folder is looked through while the person waits.
SECONDS = 5.0
#: The job that cleans what was not clean at once, by its dotted name.
SCRUB = "memory.jobs.scrub"


def certificates(owner: Account) -> list[Erasure]:
    """Newest last."""
    return list(Erasure.objects.of(owner).order_by("id"))


def certify(owner: Account, going: Going, made: Commit) -> Erasure:
    """Write it, not completed yet. Call it in the transaction that forgets."""
    report = {
        "v": FORM,
        "owner": owner_id(owner),
        "commit": made.address,
        "at": moment(made.at),
        "actor": made.actor,
        "entries": [{"id": entry.pk, "address": entry.address} for entry in going.entries],
        "texts": len(going.texts),
        "removed": going.removed,
        "released": going.links.released,
        "archived": going.links.archived,
        "masked": sorted(moved.entry.pk for moved in going.quotes.moved),
        "left": going.left,
        "scanned": None,
        "found": [],
    }
    kept = Erasure(owner_id=owner_id(owner), commit=made.address, at=made.at, report=report, address=address_of(report))
    with change_log.ours():
        kept.save(force_insert=True)
    return kept


def address_of(report: dict[str, Any]) -> str:
    """What a certificate's address must be, by what it says."""
    return sha256(canonical(report))


def complete(certificate: Erasure, owner: Account, texts: Texts) -> None:
    """Clean the file, look for the texts, and say so. Outside any transaction: it takes its time."""
    clean = scrub()
    found = search(owner, [text.text for text in texts], seconds=SECONDS)
    if not clean:
        job.enqueue(SCRUB, key=SCRUB)
    certificate.report = certificate.report | {"scanned": _scanned(found, texts), "found": _found(found, texts)}
    certificate.address = address_of(certificate.report)
    with change_log.ours():
        certificate.save(update_fields=["report", "address"])


def _scanned(found: Search, texts: Texts) -> dict[str, Any]:
    skipped = sorted({masked(name_of(path), texts) for path in found.looked.skipped})
    return {
        "at": moment(timezone.now()),
        "files": found.looked.files,
        "bytes": found.looked.bytes,
        "skipped": skipped[:NAMED],
        "skipped_count": len(found.looked.skipped),
        "shared": found.shared,
    }


def _found(found: Search, texts: Texts) -> list[dict[str, Any]]:
    places = [place.report() for place in found.places[:NAMED]]
    return [place | {"file": masked(place["file"], texts)} for place in places]
