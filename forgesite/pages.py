"""Every page of the site, by its address."""

from django.contrib.auth.views import LogoutView
from django.urls import URLPattern, path
from django.views.i18n import JavaScriptCatalog

from chat import views as chat
from chat.intake import views as importing
from forgesite import views
from forgesite.throttle import per_address

pages: list[URLPattern] = [
    path("", chat.page, name="chat"),
    path("c/", chat.conversation_list, name="conversation-list"),
    path("c/<str:conversation>/", chat.page, name="conversation"),
    path("c/<str:conversation>/rename/", chat.rename, name="conversation-rename"),
    path("c/<str:conversation>/pin/", chat.pin, name="conversation-pin"),
    path("c/<str:conversation>/archive/", chat.archive, name="conversation-archive"),
    path("c/<str:conversation>/branch/", chat.branch, name="conversation-branch"),
    path("c/<str:conversation>/delete/", chat.delete, name="conversation-delete"),
    path("import/", importing.choose, name="import"),
    path("import/confirm/", importing.confirm, name="import-confirm"),
    path("signin/", per_address(views.SignIn.as_view()), name="signin"),
    path("signin/<str:token>/", views.signin_by_link, name="signin-link"),
    path("signout/", LogoutView.as_view(next_page="signin"), name="signout"),
    path("settings/", views.preferences, name="settings"),
    path("settings/password/", views.password, name="password"),
    path("jsi18n/", JavaScriptCatalog.as_view(packages=["forgesite"]), name="jsi18n"),
]
