from django.db import migrations, models


class Migration(migrations.Migration):
    """Whether a conversation has branches, known without reading it."""

    dependencies = [
        ("chat", "0002_branches_and_models"),
    ]

    operations = [
        migrations.AddIndex(
            model_name="message",
            index=models.Index(
                condition=models.Q(("parent__isnull", False)),
                fields=["owner", "conversation"],
                name="chat_message_branched",
            ),
        ),
    ]
