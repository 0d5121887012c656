"""A line for every change of memory's tables, which tells an edit made outside Forge from damage.

Built-in SQL only, as in 0002 and for the same reason. No AUTOINCREMENT: the lines of a write are those after the last
one that was there when it began.
"""

from django.db import migrations

LOGGED = (
    "memory_entry",
    "memory_link",
    "memory_vector",
    "memory_commit",
    "memory_commitentry",
    "memory_textversion",
    "memory_tombstone",
    "memory_erasure",
    "memory_refusal",
)
LOG = """
CREATE TABLE memory_change_log (
    id INTEGER PRIMARY KEY,
    tbl TEXT NOT NULL,
    row_id INTEGER NOT NULL,
    did TEXT NOT NULL,
    at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f', 'now'))
);
"""
NO_LOG = "DROP TABLE memory_change_log;"
FOLLOW = """
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
UNFOLLOW = """
DROP TRIGGER {table}_log_delete;
DROP TRIGGER {table}_log_update;
DROP TRIGGER {table}_log_insert;
"""

# What stands for an entry is part of the state that the vector index holds of it (see vector_channel.py).
STATES_FOLLOW = """
DROP TRIGGER memory_entry_vectors_update;
CREATE TRIGGER memory_entry_vectors_update
AFTER UPDATE OF owner_id, kind, status, project, superseded_how, stale ON memory_entry
WHEN old.owner_id IS NOT new.owner_id OR old.kind IS NOT new.kind OR old.status IS NOT new.status
     OR old.project IS NOT new.project OR old.superseded_how IS NOT new.superseded_how OR old.stale IS NOT new.stale BEGIN
    INSERT INTO memory_vec_queue(vector_id)
    SELECT v.id FROM memory_vector v WHERE v.entry_id = new.id
      AND NOT EXISTS (SELECT 1 FROM memory_vec_queue WHERE vector_id = v.id);
END;
"""
STATES_ALONE_FOLLOW = """
DROP TRIGGER memory_entry_vectors_update;
CREATE TRIGGER memory_entry_vectors_update AFTER UPDATE OF owner_id, kind, status, project ON memory_entry
WHEN old.owner_id IS NOT new.owner_id OR old.kind IS NOT new.kind OR old.status IS NOT new.status
     OR old.project IS NOT new.project BEGIN
    INSERT INTO memory_vec_queue(vector_id)
    SELECT v.id FROM memory_vector v WHERE v.entry_id = new.id
      AND NOT EXISTS (SELECT 1 FROM memory_vec_queue WHERE vector_id = v.id);
END;
"""


class Migration(migrations.Migration):
    dependencies = [("memory", "0005_baseline")]

    operations = [
        migrations.RunSQL(LOG, NO_LOG),
        *(migrations.RunSQL(FOLLOW.format(table=table), UNFOLLOW.format(table=table)) for table in LOGGED),
        migrations.RunSQL(STATES_FOLLOW, STATES_ALONE_FOLLOW),
    ]
