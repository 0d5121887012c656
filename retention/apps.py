from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class RetentionConfig(AppConfig):
    name = "retention"
    verbose_name = _("Review")

    def ready(self) -> None:
        from memory.forget import register_eraser
        from retention import erase

        register_eraser(erase.plan)
