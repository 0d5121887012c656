from django.apps import AppConfig


class ForgesiteConfig(AppConfig):
    name = "forgesite"
    verbose_name = "Forge"
