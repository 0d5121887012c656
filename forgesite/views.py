"""Signing in and out, and the settings of one's own account."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth import login, update_session_auth_hash
from django.contrib.auth.base_user import AbstractBaseUser
from django.contrib.auth.decorators import login_required
from django.contrib.auth.forms import AuthenticationForm, PasswordChangeForm, SetPasswordForm
from django.contrib.auth.views import LoginView
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import translation
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods

from forgesite.accounts import redeem, set_password
from forgesite.errors import LinkError
from forgesite.forms import PreferencesForm
from forgesite.models import Account, Language

BACKEND = "django.contrib.auth.backends.ModelBackend"


class SignIn(LoginView):
    template_name = "signin.html"
    redirect_authenticated_user = True

    def form_valid(self, form: AuthenticationForm) -> HttpResponse:
        _speak_as_the_browser(form.get_user())
        return super().form_valid(form)


@never_cache
@require_GET
def signin_by_link(request: HttpRequest, token: str) -> HttpResponse:
    """Signs in, once. A link that is spent, expired or mistyped says so and what to do."""
    try:
        account = redeem(token)
    except LinkError as error:
        return render(request, "signin_link.html", {"why": error.message}, status=error.status)
    _speak_as_the_browser(account)
    login(request, account, backend=BACKEND)
    return redirect("chat")


@login_required
@require_http_methods(["GET", "POST"])
def preferences(request: HttpRequest) -> HttpResponse:
    account = _signed_in(request)
    form = PreferencesForm(request.POST or None, instance=account)
    if form.is_valid():
        form.save()
        translation.activate(account.language)
        messages.success(request, _("Saved."))
        return redirect("settings")
    return render(request, "settings.html", {"form": form, "password": _password_form(account)})


@login_required
@require_http_methods(["POST"])
def password(request: HttpRequest) -> HttpResponse:
    """Sets the first password, or changes it. Whoever came by a link has none yet and is asked for none."""
    account = _signed_in(request)
    form = _password_form(account, request.POST)
    if form.is_valid():
        set_password(account, form.cleaned_data["new_password1"])
        update_session_auth_hash(request, account)
        messages.success(request, _("Your password is set. Other browsers were signed out."))
        return redirect("settings")
    return render(request, "settings.html", {"form": PreferencesForm(instance=account), "password": form}, status=400)


def _password_form(account: Account, data: object = None) -> SetPasswordForm[Account]:
    form = PasswordChangeForm if account.has_usable_password() else SetPasswordForm
    return form(account, data)


def _signed_in(request: HttpRequest) -> Account:
    """What `login_required` has made sure of, said to the type checker."""
    assert isinstance(request.user, Account)
    return request.user


def _speak_as_the_browser(account: AbstractBaseUser) -> None:
    """At somebody's first sign-in only: from then on the settings page decides."""
    asked = translation.get_language()
    if isinstance(account, Account) and account.last_login is None and asked in Language.values:
        account.language = asked
        account.save(update_fields=["language"])
