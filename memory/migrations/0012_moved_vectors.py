"""What the vector index took in, one line after another, so that a process keeps its copy of it true (vector_cache.py).

`mark` tells a line from another of the same number, in a file that was restored or after a transaction that was undone.
The first line stands for all that was there before.
"""

from django.db import migrations

MOVED = """
CREATE TABLE memory_vec_moved (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    vector_id INTEGER NOT NULL,
    mark INTEGER NOT NULL DEFAULT (random())
);
INSERT INTO memory_vec_moved (vector_id) VALUES (0);
"""
NOT_MOVED = "DROP TABLE memory_vec_moved;"


class Migration(migrations.Migration):
    dependencies = [("memory", "0011_long_answers")]

    operations = [migrations.RunSQL(MOVED, NOT_MOVED)]
