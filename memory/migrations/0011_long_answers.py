"""The words of entries folded anew where they are folded otherwise by now: a mark before the rest of a long answer, and
one before a standing rule. A long exchange loses the vectors that were made of its whole answer, and waits for others.

By the code of today, and not written out here: what the index holds has to be what that code makes of the text. Rows
that are right are left alone, so that it may begin again after a kill.
"""

from django.db import migrations

AT_ONCE = 500
AFTER = """
SELECT e.id, e.text, w.words FROM memory_entry e JOIN memory_words w ON w.entry_id = e.id
WHERE e.id > %s AND e.id NOT IN (SELECT entry_id FROM memory_words_queue) ORDER BY e.id LIMIT %s
"""
WRITE = "UPDATE memory_words SET words = %s WHERE entry_id = %s"
DROP_VECTORS = "DELETE FROM memory_vector WHERE entry_id = %s"
LAST = "SELECT COALESCE(MAX(id), 0) FROM memory_change_log"
CLEAR = "DELETE FROM memory_change_log WHERE id > %s"


def fold(apps, schema_editor):
    from memory.domain.searched_text import sides
    from memory.domain.words import indexed

    with schema_editor.connection.cursor() as cursor:
        before = cursor.execute(LAST).fetchone()[0]
        last = 0
        while rows := cursor.execute(AFTER, [last, AT_ONCE]).fetchall():
            changed = [(text, words, pk) for pk, text, old in rows if (words := indexed(text)) != old]
            cursor.executemany(WRITE, [(words, pk) for _text, words, pk in changed])
            cursor.executemany(DROP_VECTORS, [(pk,) for text, _words, pk in changed if sides(text)[1]])
            last = rows[-1][0]
        cursor.execute(CLEAR, [before])  # Forge's own doing, and no edit from outside


class Migration(migrations.Migration):
    dependencies = [("memory", "0010_recall_tables")]

    operations = [migrations.RunPython(fold, migrations.RunPython.noop)]
