"""Commits of the first form said only what moved. From here each states the entry as a whole: one commit of every
entry as it is now begins each chain's second form, so that the rows can be proved and made anew from the chain.

The hashes are written out here: what a migration made must not change with the code.
"""

import hashlib
import json
import secrets
from datetime import UTC

from django.db import migrations
from django.utils import timezone

AT_ONCE = 500


def digest(text):
    return hashlib.sha256(text.encode()).hexdigest()


def canonical(value):
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), sort_keys=True)


def moment(at):
    return at.astimezone(UTC).isoformat(timespec="microseconds") if at else None


def state(entry):
    said = {
        "kind": entry.kind,
        "status": entry.status,
        "origin": entry.origin,
        "words": entry.digest,
        "conversation": entry.conversation,
        "message": entry.message,
        "source": entry.source,
        "said": moment(entry.said_at),
        "event": moment(entry.event_at),
        "recorded": moment(entry.recorded_at),
        "updated": moment(entry.updated_at),
        "reviewed": moment(entry.last_reviewed_at),
        "pinned": entry.pinned,
        "version": entry.version,
        "vectors": entry.embedded,
    }
    return {word: value for word, value in said.items() if value not in (None, "", False)}


def vectors(entry, parts):
    if not parts:
        return ""
    said = hashlib.sha256(entry.salt.encode())
    for part in parts:
        said.update(part.vector)
    return f"{parts[0].regime}/{len(parts)}/{said.hexdigest()}"


def as_it_is(apps, schema_editor):
    Entry, Commit, TextVersion = (apps.get_model("memory", name) for name in ("Entry", "Commit", "TextVersion"))
    Commit.objects.update(form=1)
    TextVersion.objects.update(form=1)
    for owner in Entry.objects.order_by("owner").values_list("owner", flat=True).distinct():
        ids = list(Entry.objects.filter(owner=owner).order_by("id").values_list("id", flat=True))
        for start in range(0, len(ids), AT_ONCE):
            baseline(apps, owner, ids[start : start + AT_ONCE])


def baseline(apps, owner, ids):
    Entry, Commit, CommitEntry, TextVersion, Vector = (
        apps.get_model("memory", name) for name in ("Entry", "Commit", "CommitEntry", "TextVersion", "Vector")
    )
    entries = list(Entry.objects.filter(id__in=ids).order_by("id"))
    parts = {}
    for part in Vector.objects.filter(entry__in=ids).order_by("entry", "part"):
        parts.setdefault(part.entry_id, []).append(part)
    for entry in entries:
        entry.salt = secrets.token_hex(16)
        entry.digest = digest(f"{entry.salt}{canonical([entry.text, entry.project, '', ''])}")
        entry.embedded = vectors(entry, parts.get(entry.id, []))
    Entry.objects.bulk_update(entries, ["salt", "digest", "embedded"], batch_size=100)
    TextVersion.objects.bulk_create(
        TextVersion(owner_id=owner, digest=e.digest, salt=e.salt, text=e.text, project=e.project, entry=e.id, form=2)
        for e in entries
    )
    changes = [{"do": "baseline", "id": e.id, "entry": e.address, **state(e)} for e in entries]
    head = Commit.objects.filter(owner=owner).order_by("-tick").first()
    commit = Commit(
        owner_id=owner,
        tick=head.tick + 1 if head else 1,
        parent=head.address if head else "",
        at=timezone.now(),
        actor="forge",
        cause="the ledger states whole entries from here on",
        changes=changes,
        form=2,
    )
    said = {
        "actor": commit.actor,
        "at": moment(commit.at),
        "cause": commit.cause,
        "changes": changes,
        "owner": owner,
        "parent": commit.parent,
        "tick": commit.tick,
        "v": 2,
    }
    commit.address = digest(canonical(said))
    commit.save()
    CommitEntry.objects.bulk_create(
        CommitEntry(commit=commit, position=position, entry=e.id, states=True) for position, e in enumerate(entries)
    )


class Migration(migrations.Migration):
    dependencies = [("memory", "0004_proved")]

    operations = [migrations.RunPython(as_it_is, migrations.RunPython.noop)]
