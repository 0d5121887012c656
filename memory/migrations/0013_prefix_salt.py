"""What the hash of a prompt's head is salted with, in a column of its own: it goes when any word is erased.

By a statement of its own: Django would copy the whole table for a column that is never null. Receipts of before have
their hashes unsalted in what is hashed, and keep them.
"""

from django.db import migrations, models

ADD = "ALTER TABLE memory_receipt ADD COLUMN prefix_salt varchar(32) NOT NULL DEFAULT ''"
REMOVE = "ALTER TABLE memory_receipt DROP COLUMN prefix_salt"


class Migration(migrations.Migration):
    dependencies = [("memory", "0012_moved_vectors")]

    operations = [
        migrations.RunSQL(
            ADD,
            REMOVE,
            state_operations=[
                migrations.AddField("receipt", "prefix_salt", models.CharField(blank=True, default="", max_length=32))
            ],
        )
    ]
