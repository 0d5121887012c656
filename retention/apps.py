from django.apps import AppConfig


class RetentionConfig(AppConfig):
    name = "retention"

    def ready(self) -> None:
        from memory.forget import register_eraser
        from retention import erase

        register_eraser(erase.plan)
