"""The line of a start that says who answers, and how to change it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from threading import Thread

from django.conf import settings
from django.utils.translation import gettext as _

from forgesite import model_servers as servers
from forgesite.model_servers import DEFAULT


def looking() -> Callable[[], None]:
    """Under `auto`, look for a server meanwhile. Calling what this gives back waits for the end of it."""
    if settings.FORGE.LLM_PROVIDER != "auto":
        return lambda: None
    # A thread: the server's own event loop does not run yet, and must stay this thread's. What breaks in it is printed
    # by itself, and the start goes on.
    look = Thread(target=_look, daemon=True)
    look.start()
    return look.join


def _look() -> None:
    asyncio.run(servers.look())


def start_line() -> str:
    """In one line, with what its tools can do no more where a setting says so."""
    return " ".join(filter(None, [_who_answers(), _one_step()]))


def _one_step() -> str:
    config = settings.FORGE
    if config.MAX_STEPS > 1 or config.ENABLED_TOOLS == "none" or not (config.MEMORY_ENABLED and servers.servers()):
        return ""
    return _(
        "MAX_STEPS is 1: what a model looks up in memory comes back as a list of entries, and what it saves as an echo."
    )


def _who_answers() -> str:
    if found := servers.found():
        words = _(
            "Model: `auto` found %(name)s at %(url)s, and it answers. To change it, set LLM_PROVIDER and LLM_URL."
        )
        return words % {"name": found.name, "url": found.url}
    first = next((server for server in servers.servers() if server.name == DEFAULT), None)
    if first:
        words = _("Model: %(provider)s at %(url)s answers, as LLM_PROVIDER says.")
        return words % {"provider": first.provider, "url": servers.door_to(first).url}
    if settings.FORGE.LLM_PROVIDER == "builtin":
        return _("Model: none; the built-in responder answers, as LLM_PROVIDER says.")
    return _(
        "Model: none was found on this machine; the built-in responder answers. To connect one, set LLM_PROVIDER and "
        "LLM_URL."
    )
