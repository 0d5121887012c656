"""Whose memory a line of the change log is of, and which entry: of a row that is gone nothing else tells.

A row that got another id or owner leaves a line at both.
"""

from django.db import migrations

ENTRY_OWNER = "(SELECT owner_id FROM memory_entry WHERE id = {row}.entry_id)"
#: When an entry is deleted, its vectors follow it: then the ledger alone knows whose it was.
CHAIN_OWNER = """(SELECT c.owner_id FROM memory_commitentry t JOIN memory_commit c ON c.id = t.commit_id
     WHERE t.entry = {row}.entry_id LIMIT 1)"""
COMMIT_OWNER = "(SELECT owner_id FROM memory_commit WHERE id = {row}.commit_id)"
#: Table, whose its row is, of which entry, and the columns that say so.
LOGGED = (
    ("memory_entry", "{row}.owner_id", "{row}.id", ("id", "owner_id")),
    ("memory_link", "{row}.owner_id", "{row}.entry_id", ("id", "owner_id", "entry_id")),
    ("memory_vector", f"COALESCE({ENTRY_OWNER}, {CHAIN_OWNER})", "{row}.entry_id", ("id", "entry_id")),
    ("memory_commit", "{row}.owner_id", "NULL", ("id", "owner_id")),
    ("memory_commitentry", COMMIT_OWNER, "{row}.entry", ("id", "commit_id", "entry")),
    ("memory_textversion", "{row}.owner_id", "{row}.entry", ("id", "owner_id", "entry")),
    ("memory_tombstone", "{row}.owner_id", "{row}.entry", ("id", "owner_id", "entry")),
    ("memory_erasure", "{row}.owner_id", "NULL", ("id", "owner_id")),
    ("memory_refusal", "{row}.owner_id", "{row}.saved_as_id", ("id", "owner_id")),
)
COLUMNS = """
ALTER TABLE memory_change_log ADD COLUMN owner_id INTEGER;
ALTER TABLE memory_change_log ADD COLUMN entry_id INTEGER;
"""
NO_COLUMNS = """
ALTER TABLE memory_change_log DROP COLUMN entry_id;
ALTER TABLE memory_change_log DROP COLUMN owner_id;
"""
FOLLOW = """
DROP TRIGGER {table}_log_delete;
DROP TRIGGER {table}_log_update;
DROP TRIGGER {table}_log_insert;
CREATE TRIGGER {table}_log_insert AFTER INSERT ON {table} BEGIN
    INSERT INTO memory_change_log(tbl, row_id, did, owner_id, entry_id)
    VALUES ('{table}', new.id, 'insert', {new_owner}, {new_entry});
END;
CREATE TRIGGER {table}_log_update AFTER UPDATE ON {table} BEGIN
    INSERT INTO memory_change_log(tbl, row_id, did, owner_id, entry_id)
    VALUES ('{table}', old.id, 'update', {old_owner}, {old_entry});
    INSERT INTO memory_change_log(tbl, row_id, did, owner_id, entry_id)
    SELECT '{table}', new.id, 'update', {new_owner}, {new_entry} WHERE {moved};
END;
CREATE TRIGGER {table}_log_delete AFTER DELETE ON {table} BEGIN
    INSERT INTO memory_change_log(tbl, row_id, did, owner_id, entry_id)
    VALUES ('{table}', old.id, 'delete', {old_owner}, {old_entry});
END;
"""
FOLLOW_BY_ID = """
DROP TRIGGER {table}_log_delete;
DROP TRIGGER {table}_log_update;
DROP TRIGGER {table}_log_insert;
CREATE TRIGGER {table}_log_insert AFTER INSERT ON {table} BEGIN
    INSERT INTO memory_change_log(tbl, row_id, did) VALUES ('{table}', new.id, 'insert');
END;
CREATE TRIGGER {table}_log_update AFTER UPDATE ON {table} BEGIN
    INSERT INTO memory_change_log(tbl, row_id, did) VALUES ('{table}', old.id, 'update');
END;
CREATE TRIGGER {table}_log_delete AFTER DELETE ON {table} BEGIN
    INSERT INTO memory_change_log(tbl, row_id, did) VALUES ('{table}', old.id, 'delete');
END;
"""


def followed(table, owner, entry, names):
    of = {f"{row}_owner": owner.format(row=row) for row in ("old", "new")}
    of |= {f"{row}_entry": entry.format(row=row) for row in ("old", "new")}
    return FOLLOW.format(table=table, moved=" OR ".join(f"old.{name} IS NOT new.{name}" for name in names), **of)


class Migration(migrations.Migration):
    dependencies = [("memory", "0006_change_log")]

    operations = [
        migrations.RunSQL(COLUMNS, NO_COLUMNS),
        *(migrations.RunSQL(followed(*each), FOLLOW_BY_ID.format(table=each[0])) for each in LOGGED),
    ]
