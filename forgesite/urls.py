"""Every route of the site: the pages first, then the API, which has the rest of the root."""

from django.contrib import admin
from django.urls import URLPattern, URLResolver, path
from django.views.i18n import JavaScriptCatalog

from forgesite.api import api

urlpatterns: list[URLPattern | URLResolver] = [
    path("jsi18n/", JavaScriptCatalog.as_view(packages=["forgesite"]), name="jsi18n"),
    path("admin/", admin.site.urls),
    path("", api.urls),
]
handler400 = "forgesite.error_shape.bad_request"
handler403 = "forgesite.error_shape.forbidden"
handler404 = "forgesite.error_shape.not_found"
handler500 = "forgesite.error_shape.failed"
