from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class MemoryConfig(AppConfig):
    name = "memory"
    verbose_name = _("Memory")

    def ready(self) -> None:
        from forgesite.accounts import register_leaver
        from memory.erasing import calibrations, recalls
        from memory.forget import register_eraser
        from memory.leaving import leave

        register_leaver(leave)
        register_eraser(recalls.plan)
        register_eraser(calibrations.plan)
