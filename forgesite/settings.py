"""Django's settings, built from `config.py`. Nothing here reads the environment."""

from __future__ import annotations

import secrets
import socket
import sys
from urllib.parse import urlsplit

from django.utils.translation import gettext_lazy as _

from forgesite import config

try:
    FORGE = config.read()
except config.SettingsError as error:
    sys.exit(f"Forge does not start:\n{error}")

BASE_DIR = config.ROOT
DATA_DIR = (BASE_DIR / FORGE.DATA_DIR).resolve()
DATABASE_FILE = (
    BASE_DIR / FORGE.DATABASE_URL.removeprefix("sqlite:///") if FORGE.DATABASE_URL else DATA_DIR / "forge.db"
)


def secret_key() -> str:
    """The one in force: set, kept from the first run, or made now with mode 600."""
    if FORGE.SECRET_KEY:
        return FORGE.SECRET_KEY
    DATA_DIR.mkdir(mode=0o700, parents=True, exist_ok=True)
    kept = DATA_DIR / "secret_key"
    if not kept.exists():
        made = DATA_DIR / f".secret_key.{secrets.token_hex(4)}"
        made.touch(mode=0o600)
        made.write_text(secrets.token_urlsafe(50))
        try:
            made.rename(kept) if not kept.exists() else made.unlink()
        except OSError:
            made.unlink(missing_ok=True)
    return kept.read_text().strip()


try:
    SECRET_KEY = secret_key()
except OSError as error:
    sys.exit(f"Forge does not start: its data folder DATA_DIR={DATA_DIR} cannot be used: {error.strerror}.")
DEBUG = False
PUBLIC_HOST, HOSTNAME = urlsplit(FORGE.PUBLIC_URL).hostname, socket.gethostname()
# Django cannot say "any literal IP address": `origins.host_allowed` is asked first and goes by the names here.
ALLOWED_HOSTS = ["*", *filter(None, ("localhost", PUBLIC_HOST, HOSTNAME, f"{HOSTNAME}.local"))]
CSRF_TRUSTED_ORIGINS = [FORGE.PUBLIC_URL] if FORGE.PUBLIC_URL else []
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if FORGE.TRUST_PROXY else None
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = FORGE.PUBLIC_URL.startswith("https://")
SESSION_COOKIE_SAMESITE = CSRF_COOKIE_SAMESITE = "Lax"
SESSION_COOKIE_AGE = 60 * 60 * 24 * 90
# Not `no-referrer`: with it browsers send a form's Origin as `null`, and no form would pass the CSRF check.
SECURE_REFERRER_POLICY = "same-origin"
CSRF_FAILURE_VIEW = "forgesite.error_shape.csrf_failure"
X_FRAME_OPTIONS = "DENY"

INSTALLED_APPS = [
    "forgesite.desk_app.DeskConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "django_q",
    "ninja",
    "csp",
    "forgesite",
    "traces",
    "memory",
    "retention",
    "chat",
]
MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "csp.middleware.CSPMiddleware",
    "forgesite.middleware.one_shape",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "forgesite.language.AccountLanguageMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
]
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": ["'none'"],
        "script-src": ["'self'"],
        "style-src": ["'self'"],
        "img-src": ["'self'", "data:"],
        "font-src": ["'self'"],
        "connect-src": ["'self'"],
        "form-action": ["'self'"],
        "base-uri": ["'none'"],
        "frame-ancestors": ["'none'"],
    }
}
ROOT_URLCONF = "forgesite.urls"
ASGI_APPLICATION = "forgesite.asgi.application"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ]
        },
    }
]

DATABASES = {
    "default": {
        "ENGINE": "forgesite.sqlite3_vec",
        "NAME": DATABASE_FILE,
        # None: a reopened connection costs 0.8 ms of CPU a call, a kept one 0.3 (measured; see bench/README.md).
        "CONN_MAX_AGE": None,
        "OPTIONS": {
            # Immediate: a deferred transaction that reads, then writes, fails at once when another wrote in between.
            "transaction_mode": "IMMEDIATE",
            "init_command": "PRAGMA journal_mode=WAL;PRAGMA synchronous=NORMAL;PRAGMA busy_timeout=5000;"
            "PRAGMA mmap_size=268435456;PRAGMA trusted_schema=ON;PRAGMA secure_delete=ON",
        },
        # A file: connections that share one database in memory answer "table is locked" without waiting.
        "TEST": {"NAME": DATA_DIR / "test.db"},
    }
}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# In the one web process: counted requests (see throttle.py), one entry a caller.
CACHES = {
    "default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache", "OPTIONS": {"MAX_ENTRIES": 10_000}},
}

AUTH_USER_MODEL = "forgesite.Account"
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator", "OPTIONS": {"min_length": 10}},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
]
LOGIN_URL = "signin"
LOGIN_REDIRECT_URL = "chat"

# The longest a job may run, and when a lost one is taken up again: the second is always the longer.
#: A job may ask a model as often as a turn does, and embeds for up to five minutes at once.
JOB_TIMEOUT = max(420, int(FORGE.LLM_TIMEOUT * FORGE.MAX_STEPS) + 60)
Q_CLUSTER = {
    "name": "forge",
    "orm": "default",
    "workers": 1,
    "timeout": JOB_TIMEOUT,
    "retry": JOB_TIMEOUT + 60,
    "max_attempts": 3,
    "poll": 0.5,
    "catch_up": False,
    "bulk": 1,
    "label": "Jobs",
}

USE_TZ = True
TIME_ZONE = "UTC"
LANGUAGE_CODE = "en"
LANGUAGES = [("en", _("English")), ("fr", _("French"))]
FORMAT_MODULE_PATH = ["forgesite.formats"]
LOCALE_PATHS = [BASE_DIR / "forgesite" / "locale"]

STATIC_URL = "/static/"
STATICFILES_DIRS = [BASE_DIR / "static"]
STATIC_ROOT = DATA_DIR / "static"

# A message may hold 1 MiB of text; JSON escapes can make four of it, an export is larger and has its own limit.
DATA_UPLOAD_MAX_MEMORY_SIZE = 8 * 1024 * 1024

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"line": {"format": "{asctime} {levelname} {name} {message}", "style": "{"}},
    "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "line"}},
    "root": {"handlers": ["console"], "level": "INFO"},
    # Their news of every start, stop and request is noise below Forge's own lines.
    "loggers": {name: {"level": "WARNING"} for name in ("daphne", "django-q", "httpx")},
}
