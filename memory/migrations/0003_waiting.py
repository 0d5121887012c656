"""Why an entry still waits for its vectors, how often they were tried for, and when they are tried for next.

A new text is a new try: the trigger is built-in SQL, as those of 0002 are and for the same reason.
"""

from django.db import migrations

COLUMNS = """
ALTER TABLE memory_vec_pending ADD COLUMN why TEXT NOT NULL DEFAULT '';
ALTER TABLE memory_vec_pending ADD COLUMN tries INTEGER NOT NULL DEFAULT 0;
ALTER TABLE memory_vec_pending ADD COLUMN retry_at REAL NOT NULL DEFAULT 0;
"""
NO_COLUMNS = """
ALTER TABLE memory_vec_pending DROP COLUMN retry_at;
ALTER TABLE memory_vec_pending DROP COLUMN tries;
ALTER TABLE memory_vec_pending DROP COLUMN why;
"""

TRIED_ANEW = """
CREATE TRIGGER memory_entry_pending_anew AFTER UPDATE OF text ON memory_entry WHEN old.text IS NOT new.text BEGIN
    UPDATE memory_vec_pending SET why = '', tries = 0, retry_at = 0 WHERE entry_id = new.id;
END;
"""
NOT_TRIED_ANEW = "DROP TRIGGER memory_entry_pending_anew;"


class Migration(migrations.Migration):
    dependencies = [("memory", "0002_indexes")]

    operations = [
        migrations.RunSQL(COLUMNS, NO_COLUMNS),
        migrations.RunSQL(TRIED_ANEW, NOT_TRIED_ANEW),
    ]
