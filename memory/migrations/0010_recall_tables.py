import django.db.models.deletion
import django.utils.timezone
import memory.domain.chain
from django.conf import settings
from django.db import migrations, models

#: As 0007 has it for the other tables: an edit from outside is told from damage.
FOLLOW = """
CREATE TRIGGER memory_receipt_log_insert AFTER INSERT ON memory_receipt BEGIN
    INSERT INTO memory_change_log(tbl, row_id, did, owner_id) VALUES ('memory_receipt', new.id, 'insert', new.owner_id);
END;
CREATE TRIGGER memory_receipt_log_update AFTER UPDATE ON memory_receipt BEGIN
    INSERT INTO memory_change_log(tbl, row_id, did, owner_id) VALUES ('memory_receipt', old.id, 'update', old.owner_id);
    INSERT INTO memory_change_log(tbl, row_id, did, owner_id)
    SELECT 'memory_receipt', new.id, 'update', new.owner_id
    WHERE old.id IS NOT new.id OR old.owner_id IS NOT new.owner_id;
END;
CREATE TRIGGER memory_receipt_log_delete AFTER DELETE ON memory_receipt BEGIN
    INSERT INTO memory_change_log(tbl, row_id, did, owner_id) VALUES ('memory_receipt', old.id, 'delete', old.owner_id);
END;
"""
UNFOLLOW = """
DROP TRIGGER memory_receipt_log_delete;
DROP TRIGGER memory_receipt_log_update;
DROP TRIGGER memory_receipt_log_insert;
"""


class Migration(migrations.Migration):
    dependencies = [
        ("memory", "0009_rules"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="GoldenEntry",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "entry",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        db_constraint=False,
                        to="memory.entry",
                    ),
                ),
            ],
            options={
                "verbose_name": "right entry",
                "verbose_name_plural": "right entries",
            },
        ),
        migrations.CreateModel(
            name="GoldenQuestion",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("text", models.TextField(verbose_name="question")),
                ("run_id", models.CharField(blank=True, default="", max_length=32, verbose_name="run")),
                ("message", models.BigIntegerField(blank=True, editable=False, null=True, verbose_name="message")),
                (
                    "created_at",
                    models.DateTimeField(default=django.utils.timezone.now, editable=False, verbose_name="time"),
                ),
                ("last_result", models.JSONField(editable=False, null=True, verbose_name="last result")),
                (
                    "entries",
                    models.ManyToManyField(
                        related_name="golden_questions",
                        through="memory.GoldenEntry",
                        to="memory.entry",
                        verbose_name="right entries",
                    ),
                ),
                (
                    "owner",
                    models.ForeignKey(
                        editable=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "verbose_name": "golden question",
                "verbose_name_plural": "golden questions",
                "ordering": ("-id",),
            },
        ),
        migrations.AddField(
            model_name="goldenentry",
            name="question",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE, related_name="right", to="memory.goldenquestion"
            ),
        ),
        migrations.CreateModel(
            name="Receipt",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("number", models.PositiveBigIntegerField(verbose_name="number")),
                ("address", models.CharField(max_length=64, unique=True, verbose_name="address")),
                ("parent", models.CharField(blank=True, max_length=64, verbose_name="parent")),
                ("at", models.DateTimeField(verbose_name="time")),
                ("run_id", models.CharField(max_length=32, verbose_name="run")),
                ("tick", models.PositiveBigIntegerField(verbose_name="tick")),
                ("head", models.CharField(blank=True, max_length=64, verbose_name="commit")),
                ("body", models.JSONField(encoder=memory.domain.chain.Canonical, verbose_name="body")),
                ("salt", models.CharField(blank=True, max_length=32)),
                ("questions", models.JSONField(default=list, verbose_name="questions")),
                (
                    "owner",
                    models.ForeignKey(
                        editable=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "verbose_name": "receipt",
                "verbose_name_plural": "receipts",
                "ordering": ("-number",),
            },
        ),
        migrations.CreateModel(
            name="Alias",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("name", models.CharField(max_length=100, verbose_name="name")),
                ("other", models.CharField(max_length=100, verbose_name="other name")),
                (
                    "state",
                    models.CharField(
                        choices=[("proposed", "proposed"), ("accepted", "accepted"), ("rejected", "rejected")],
                        default="proposed",
                        max_length=8,
                        verbose_name="state",
                    ),
                ),
                (
                    "created_at",
                    models.DateTimeField(default=django.utils.timezone.now, editable=False, verbose_name="time"),
                ),
                ("decided_at", models.DateTimeField(editable=False, null=True, verbose_name="decided")),
                (
                    "entry",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        db_constraint=False,
                        to="memory.entry",
                        verbose_name="entry",
                    ),
                ),
                (
                    "owner",
                    models.ForeignKey(
                        editable=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "verbose_name": "alias",
                "verbose_name_plural": "aliases",
                "ordering": ("-id",),
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("state__in", ["proposed", "accepted", "rejected"])),
                        name="memory_alias_state",
                    ),
                    models.CheckConstraint(condition=models.Q(("name", ""), _negated=True), name="memory_alias_name"),
                    models.CheckConstraint(condition=models.Q(("other", ""), _negated=True), name="memory_alias_other"),
                    models.CheckConstraint(
                        condition=models.Q(("name", models.F("other")), _negated=True), name="memory_alias_two"
                    ),
                    models.UniqueConstraint(fields=("owner", "name", "other"), name="memory_alias_once"),
                ],
            },
        ),
        migrations.CreateModel(
            name="Calibration",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("cutoff", models.CharField(blank=True, max_length=40, verbose_name="cutoff")),
                ("regime", models.CharField(max_length=16, verbose_name="regime")),
                ("asked", models.JSONField(default=list, verbose_name="questions")),
                ("used", models.BooleanField(default=False, verbose_name="used")),
                (
                    "created_at",
                    models.DateTimeField(default=django.utils.timezone.now, editable=False, verbose_name="time"),
                ),
                (
                    "owner",
                    models.ForeignKey(
                        editable=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "verbose_name": "calibration",
                "verbose_name_plural": "calibrations",
                "ordering": ("-id",),
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("used", False), models.Q(("cutoff", ""), _negated=True), _connector="OR"),
                        name="memory_calibration_used",
                    )
                ],
            },
        ),
        migrations.AddConstraint(
            model_name="goldenquestion",
            constraint=models.CheckConstraint(
                condition=models.Q(("text", ""), _negated=True), name="memory_golden_text"
            ),
        ),
        migrations.AddConstraint(
            model_name="goldenentry",
            constraint=models.UniqueConstraint(fields=("question", "entry"), name="memory_golden_once"),
        ),
        migrations.AddIndex(
            model_name="receipt",
            index=models.Index(fields=["owner", "run_id"], name="memory_receipt_run"),
        ),
        migrations.AddConstraint(
            model_name="receipt",
            constraint=models.UniqueConstraint(fields=("owner", "number"), name="memory_receipt_number"),
        ),
        migrations.CreateModel(
            name="ReceiptEntry",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("entry", models.PositiveBigIntegerField(db_index=True)),
                (
                    "receipt",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="entries", to="memory.receipt"
                    ),
                ),
            ],
            options={
                "verbose_name": "entry of a receipt",
                "verbose_name_plural": "entries of receipts",
            },
        ),
        migrations.AddConstraint(
            model_name="receiptentry",
            constraint=models.UniqueConstraint(fields=("receipt", "entry"), name="memory_receipt_entry_once"),
        ),
        migrations.RunSQL(FOLLOW, UNFOLLOW),
    ]
