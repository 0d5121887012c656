"""Every route of the site: the pages first, then the API, which has the rest of the root."""

from django.contrib import admin
from django.urls import URLPattern, URLResolver, path

from forgesite.api import api
from forgesite.pages import pages

urlpatterns: list[URLPattern | URLResolver] = [
    *pages,
    path("admin/", admin.site.urls),
    path("", api.urls),
]
handler400 = "forgesite.error_shape.bad_request"
handler403 = "forgesite.error_shape.forbidden"
handler404 = "forgesite.error_shape.not_found"
handler500 = "forgesite.error_shape.failed"
