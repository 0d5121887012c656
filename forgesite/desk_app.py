"""Tells Django which admin site is ours. A module of its own: it is read before any model may be."""

from django.contrib.admin.apps import AdminConfig


class DeskConfig(AdminConfig):
    default_site = "forgesite.admin_site.Desk"
