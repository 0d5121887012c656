from django.apps import AppConfig
from django.db.models.signals import post_migrate


class ForgesiteConfig(AppConfig):
    name = "forgesite"
    verbose_name = "Forge"

    def ready(self) -> None:
        from forgesite import checks  # noqa: F401  registers itself
        from forgesite.accounts import ensure_members

        post_migrate.connect(ensure_members, dispatch_uid="forgesite.members")
