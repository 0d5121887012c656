"""Who answers: the model servers that are configured, or found on this machine, and the door of a conversation."""

from __future__ import annotations

import time
from dataclasses import dataclass

from django.conf import settings
from django.utils.translation import gettext as _

from forgesite.config import named_servers
from forgesite.errors import InvalidError
from forgesite.lib import discovery, model_doors
from forgesite.lib.language_models import ModelDoor

#: What the server of `LLM_PROVIDER` is called.
DEFAULT = "default"
#: Seconds between two looks for a server on this machine, while there is none.
LOOK_EVERY = 30.0


@dataclass(frozen=True)
class Server:
    """`name` is what a conversation calls it; the server of `LLM_PROVIDER` is `default`, and comes first."""

    name: str
    provider: str
    url: str
    model: str


@dataclass
class _Look:
    """What `auto` found in this process, and when it looked last."""

    found: discovery.Found | None = None
    at: float = float("-inf")


_look = _Look()


def servers() -> tuple[Server, ...]:
    """Those to choose from; empty with the built-in responder alone. What `auto` may find counts once it is found."""
    default = _default()
    further = (Server(name, provider, url, "") for name, provider, url in named_servers(settings.FORGE.LLM_SERVERS))
    return (*((default,) if default else ()), *further)


def _default() -> Server | None:
    forge = settings.FORGE
    if forge.LLM_PROVIDER == "builtin":
        return None
    if forge.LLM_PROVIDER != "auto":
        return Server(DEFAULT, forge.LLM_PROVIDER, forge.LLM_URL, forge.LLM_MODEL)
    if found := _look.found:
        return Server(DEFAULT, found.provider, found.url, forge.LLM_MODEL or found.model)
    # An address that somebody set is one that they want an answer from, or an error.
    return Server(DEFAULT, _spoken_at(forge.LLM_URL), forge.LLM_URL, forge.LLM_MODEL) if forge.LLM_URL else None


def _spoken_at(url: str) -> str:
    return "local" if url.endswith(".gguf") and "://" not in url else "openai"


async def look() -> None:
    """Under `auto`, find a server of this machine, or what speaks at `LLM_URL`: if none is known, and the last look is
    long enough ago."""
    now = time.monotonic()
    if settings.FORGE.LLM_PROVIDER != "auto" or _look.found or now - _look.at < LOOK_EVERY:
        return
    _look.at = now
    url = settings.FORGE.LLM_URL
    there = [discovery.Candidate(provider, url, provider) for provider in ("llamacpp", "ollama", "openai")]
    _look.found = await discovery.find(there if url else discovery.USUAL)


def found() -> discovery.Found | None:
    """What `auto` found."""
    return _look.found if settings.FORGE.LLM_PROVIDER == "auto" else None


def lost(url: str) -> None:
    """Nobody answers there any more: what `auto` found is looked for anew, now."""
    if _look.found and _look.found.url == url:
        forget()


def forget() -> None:
    _look.found, _look.at = None, float("-inf")


async def door_of(server: str = "", model: str = "") -> ModelDoor | None:
    """The door that answers a conversation with this choice; None: the built-in responder.

    Raises InvalidError for a server that is not configured.
    """
    await look()
    check_choice(server, model)
    chosen = next((one for one in servers() if one.name == (server or DEFAULT)), None)
    return door_to(chosen, model) if chosen else None


def door_to(server: Server, model: str = "") -> ModelDoor:
    """The key goes to the server that it was set for and to no other."""
    forge = settings.FORGE
    named = server.name == DEFAULT and (forge.LLM_PROVIDER != "auto" or forge.LLM_URL)
    key, timeout = forge.LLM_API_KEY if named else "", forge.LLM_TIMEOUT
    try:
        return model_doors.door(
            server.provider,
            server.url,
            model=model or server.model,
            key=key,
            timeout=timeout,
            context=forge.LLM_CONTEXT,
        )
    except ValueError as error:
        raise InvalidError(str(error)) from error


def check_choice(server: str, model: str) -> None:
    """Raises InvalidError, with the names there are, for a server that is not configured."""
    names = [DEFAULT, *(one.name for one in servers() if one.name != DEFAULT)]
    if server and server not in names:
        raise InvalidError(
            _("There is no model server “%(server)s”. There are: %(names)s.")
            % {"server": server[:64], "names": ", ".join(names)}
        )
    if len(model) > 200:
        raise InvalidError(_("A model's name has at most %(most)s characters.") % {"most": 200})
