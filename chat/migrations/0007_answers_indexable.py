"""An answer has the mark of its question: the turns before kept it at the question alone."""

from django.db import migrations

FILL = """
UPDATE chat_message SET indexable = (
    SELECT asked.indexable FROM chat_message AS asked
    WHERE asked.conversation_id = chat_message.conversation_id AND asked.role = 'user' AND asked.id < chat_message.id
    ORDER BY asked.id DESC LIMIT 1
)
WHERE role = 'assistant' AND run_id <> '' AND state = 'complete' AND EXISTS (
    SELECT 1 FROM chat_message AS asked
    WHERE asked.conversation_id = chat_message.conversation_id AND asked.role = 'user' AND asked.id < chat_message.id
)
"""


class Migration(migrations.Migration):
    dependencies = [("chat", "0006_window")]

    operations = [migrations.RunSQL(FILL, migrations.RunSQL.noop)]
