"""The word index, the queues of changed entries, and the triggers that keep both true whoever writes.

Built-in SQL only: a person with a plain SQLite shell has no vector extension, foreign keys off, and their INSERT,
UPDATE, DELETE and OR REPLACE must work. So the vector index itself (`memory_vec`) is not named here: it is made at run
time for the dimension served, and follows a queue. `NOT EXISTS` instead of OR IGNORE: the conflict clause of an outer
statement replaces that of the statements in its triggers.
"""

from django.db import migrations

WORDS = """
CREATE TABLE memory_words (
    entry_id INTEGER PRIMARY KEY,
    words TEXT NOT NULL,
    neighbours TEXT NOT NULL DEFAULT ''
);
CREATE VIRTUAL TABLE memory_fts USING fts5(
    words, neighbours, content='memory_words', content_rowid='entry_id',
    tokenize="unicode61 remove_diacritics 0 categories 'L* N* M* Co'"
);
CREATE TABLE memory_words_ready (entry_id INTEGER PRIMARY KEY);
CREATE TABLE memory_words_queue (entry_id INTEGER PRIMARY KEY);
CREATE TABLE memory_vec_queue (vector_id INTEGER PRIMARY KEY);
CREATE TABLE memory_vec_pending (entry_id INTEGER PRIMARY KEY);
CREATE TABLE memory_vec_state (regime TEXT NOT NULL, dim INTEGER NOT NULL);
"""
NO_WORDS = """
DROP TABLE memory_vec_state;
DROP TABLE memory_vec_pending;
DROP TABLE memory_vec_queue;
DROP TABLE memory_words_queue;
DROP TABLE memory_words_ready;
DROP TABLE memory_fts;
DROP TABLE memory_words;
"""

FTS_IN_STEP = """
CREATE TRIGGER memory_words_insert AFTER INSERT ON memory_words BEGIN
    INSERT INTO memory_fts(rowid, words, neighbours) VALUES (new.entry_id, new.words, new.neighbours);
END;
CREATE TRIGGER memory_words_delete AFTER DELETE ON memory_words BEGIN
    INSERT INTO memory_fts(memory_fts, rowid, words, neighbours)
    VALUES ('delete', old.entry_id, old.words, old.neighbours);
END;
CREATE TRIGGER memory_words_update AFTER UPDATE ON memory_words BEGIN
    INSERT INTO memory_fts(memory_fts, rowid, words, neighbours)
    VALUES ('delete', old.entry_id, old.words, old.neighbours);
    INSERT INTO memory_fts(rowid, words, neighbours) VALUES (new.entry_id, new.words, new.neighbours);
END;
"""
NO_FTS_IN_STEP = """
DROP TRIGGER memory_words_update;
DROP TRIGGER memory_words_delete;
DROP TRIGGER memory_words_insert;
"""

# Forge writes the folded words of a new entry first and marks them ready: an index row that is written twice in one
# transaction makes FTS5 flush what it holds, a hundred times the cost. Everybody else's words go in as they are.
# `NOT (source = '')` is how the partial index says it: any other way to say it scans the owner's rows.
# A row that OR REPLACE takes away fires no DELETE trigger: whatever a new row collides with is looked at again.
WORDS_FOLLOW = """
CREATE TRIGGER memory_entry_words_collide BEFORE INSERT ON memory_entry BEGIN
    INSERT INTO memory_words_queue(entry_id)
    SELECT e.id FROM memory_entry e
    WHERE (e.address = new.address OR e.id = new.id
           OR (NOT (e.source = '') AND e.owner_id = new.owner_id AND e.source = new.source))
      AND NOT EXISTS (SELECT 1 FROM memory_words_queue q WHERE q.entry_id = e.id);
END;
CREATE TRIGGER memory_entry_words_insert AFTER INSERT ON memory_entry BEGIN
    DELETE FROM memory_vector WHERE entry_id = new.id AND NOT EXISTS (SELECT 1 FROM memory_words_ready WHERE entry_id = new.id);
    DELETE FROM memory_words WHERE entry_id = new.id AND NOT EXISTS (SELECT 1 FROM memory_words_ready WHERE entry_id = new.id);
    INSERT INTO memory_words(entry_id, words)
    SELECT new.id, new.text WHERE NOT EXISTS (SELECT 1 FROM memory_words_ready WHERE entry_id = new.id);
    INSERT INTO memory_words_queue(entry_id)
    SELECT new.id WHERE NOT EXISTS (SELECT 1 FROM memory_words_ready WHERE entry_id = new.id) AND NOT EXISTS (SELECT 1 FROM memory_words_queue WHERE entry_id = new.id);
    INSERT INTO memory_vec_pending(entry_id)
    SELECT new.id WHERE NOT EXISTS (SELECT 1 FROM memory_vec_pending WHERE entry_id = new.id);
    DELETE FROM memory_words_ready WHERE entry_id = new.id;
END;
CREATE TRIGGER memory_entry_words_update AFTER UPDATE OF id, text ON memory_entry
WHEN old.text IS NOT new.text OR old.id IS NOT new.id BEGIN
    DELETE FROM memory_vector WHERE entry_id IN (old.id, new.id);
    DELETE FROM memory_words WHERE entry_id IN (old.id, new.id);
    INSERT INTO memory_words(entry_id, words) VALUES (new.id, new.text);
    INSERT INTO memory_words_queue(entry_id)
    SELECT new.id WHERE NOT EXISTS (SELECT 1 FROM memory_words_queue WHERE entry_id = new.id);
    INSERT INTO memory_vec_pending(entry_id)
    SELECT new.id WHERE NOT EXISTS (SELECT 1 FROM memory_vec_pending WHERE entry_id = new.id);
END;
CREATE TRIGGER memory_entry_words_delete AFTER DELETE ON memory_entry BEGIN
    DELETE FROM memory_vector WHERE entry_id = old.id;
    DELETE FROM memory_words WHERE entry_id = old.id;
    DELETE FROM memory_words_queue WHERE entry_id = old.id;
    DELETE FROM memory_vec_pending WHERE entry_id = old.id;
END;
"""
NO_WORDS_FOLLOW = """
DROP TRIGGER memory_entry_words_delete;
DROP TRIGGER memory_entry_words_update;
DROP TRIGGER memory_entry_words_insert;
DROP TRIGGER memory_entry_words_collide;
"""

VECTORS_FOLLOW = """
CREATE TRIGGER memory_vector_insert AFTER INSERT ON memory_vector BEGIN
    INSERT INTO memory_vec_queue(vector_id)
    SELECT new.id WHERE NOT EXISTS (SELECT 1 FROM memory_vec_queue WHERE vector_id = new.id);
    DELETE FROM memory_vec_pending WHERE entry_id = new.entry_id;
END;
CREATE TRIGGER memory_vector_update AFTER UPDATE ON memory_vector BEGIN
    INSERT INTO memory_vec_queue(vector_id)
    SELECT old.id WHERE NOT EXISTS (SELECT 1 FROM memory_vec_queue WHERE vector_id = old.id);
    INSERT INTO memory_vec_queue(vector_id)
    SELECT new.id WHERE NOT EXISTS (SELECT 1 FROM memory_vec_queue WHERE vector_id = new.id);
END;
CREATE TRIGGER memory_vector_delete AFTER DELETE ON memory_vector BEGIN
    INSERT INTO memory_vec_queue(vector_id)
    SELECT old.id WHERE NOT EXISTS (SELECT 1 FROM memory_vec_queue WHERE vector_id = old.id);
    INSERT INTO memory_vec_pending(entry_id)
    SELECT e.id FROM memory_entry e WHERE e.id = old.entry_id
      AND NOT EXISTS (SELECT 1 FROM memory_vector v WHERE v.entry_id = e.id)
      AND NOT EXISTS (SELECT 1 FROM memory_vec_pending p WHERE p.entry_id = e.id);
END;
CREATE TRIGGER memory_entry_vectors_update AFTER UPDATE OF owner_id, kind, status, project ON memory_entry
WHEN old.owner_id IS NOT new.owner_id OR old.kind IS NOT new.kind OR old.status IS NOT new.status
     OR old.project IS NOT new.project BEGIN
    INSERT INTO memory_vec_queue(vector_id)
    SELECT v.id FROM memory_vector v WHERE v.entry_id = new.id
      AND NOT EXISTS (SELECT 1 FROM memory_vec_queue WHERE vector_id = v.id);
END;
"""
NO_VECTORS_FOLLOW = """
DROP TRIGGER memory_entry_vectors_update;
DROP TRIGGER memory_vector_delete;
DROP TRIGGER memory_vector_update;
DROP TRIGGER memory_vector_insert;
"""


class Migration(migrations.Migration):
    dependencies = [("memory", "0001_first")]

    operations = [
        migrations.RunSQL(WORDS, NO_WORDS),
        migrations.RunSQL(FTS_IN_STEP, NO_FTS_IN_STEP),
        migrations.RunSQL(WORDS_FOLLOW, NO_WORDS_FOLLOW),
        migrations.RunSQL(VECTORS_FOLLOW, NO_VECTORS_FOLLOW),
    ]
