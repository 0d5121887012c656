"""An index of what a search by words looks at in the rows that hold a word: without it each row is read, text and all."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("memory", "0013_prefix_salt")]

    operations = [
        migrations.AddIndex(
            "entry",
            models.Index(
                fields=["id", "owner", "kind", "status", "superseded_how", "stale", "project"],
                name="memory_entry_holds",
            ),
        )
    ]
