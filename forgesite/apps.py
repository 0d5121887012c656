from django.apps import AppConfig
from django.db.models.signals import post_migrate


class ForgesiteConfig(AppConfig):
    name = "forgesite"
    verbose_name = "Forge"

    def ready(self) -> None:
        from forgesite import checks, erase  # noqa: F401  checks register themselves
        from forgesite.accounts import ensure_members, register_leaver
        from memory.forget import register_eraser

        register_eraser(erase.plan)
        register_leaver(erase.leave)
        post_migrate.connect(ensure_members, dispatch_uid="forgesite.members")
