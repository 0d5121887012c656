from django.db import migrations, models


class Migration(migrations.Migration):
    """A thread is asked for by owner and conversation: one index for both."""

    dependencies = [
        ("chat", "0004_continuations"),
    ]

    operations = [
        migrations.AddIndex(
            model_name="message",
            index=models.Index(fields=["owner", "conversation", "id"], name="chat_message_of_owner"),
        ),
        migrations.RemoveIndex(
            model_name="message",
            name="chat_message_thread",
        ),
    ]
