"""An account that is deleted takes its lines of the change log with it: nobody is left to prove anything to."""

from django.conf import settings
from django.db import migrations

END = """
CREATE TRIGGER memory_change_log_ends AFTER DELETE ON forgesite_account BEGIN
    DELETE FROM memory_change_log WHERE owner_id = old.id;
END;
"""
NO_END = "DROP TRIGGER memory_change_log_ends;"


class Migration(migrations.Migration):
    dependencies = [
        ("memory", "0007_log_owners"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [migrations.RunSQL(END, NO_END)]
