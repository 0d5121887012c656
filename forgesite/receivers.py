"""Which server is sent which text, by the settings in force. Whatever is not named here is sent nowhere."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import urlsplit

from django.conf import settings
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from forgesite import model_servers as servers
from forgesite.lib.embedding_doors import USUAL
from forgesite.lib.model_addresses import DEFAULTS
from forgesite.models import Account

Words = str | Promise
#: What stands in an address for a person's or a machine's eyes only: before an @, and after key= or token=.
BEFORE_AT = re.compile(r"(?<=://)[^/@\s,]+@")
NAMED_SECRET = re.compile(r"(?i)([?&][\w.-]*(?:key|token|secret|password)[\w.-]*=)[^&\s,]+")
HIDDEN = "•••"
PROMPTS = _(
    "every prompt: the instructions, the entries at hand, what was recalled, the history in the window, your message"
)
SUMMARISED = _("the messages that a compaction takes out of the window, for a summary")
EXTRACTED = _("each message of yours once more, to propose entries from it")
REWRITTEN = _("a question that found nothing, to be put in other words")
TEXTS = _("the text of every entry once, and of every question that is searched by meaning")
PAIRS = _("the texts of entries that the forgetting pass judges")
NOBODY, INSIDE = _("nobody"), _("stays inside Forge’s own process")
HERE, NEAR, FAR = _("on this machine"), _("in your network"), _("another machine, beyond your network")


@dataclass(frozen=True)
class Receiver:
    """`far`: it is on no machine of this network, so far as its address says."""

    who: Words
    what: Words
    name: str
    address: str
    where: Words
    key: bool
    far: bool


def receivers(viewer: Account) -> list[Receiver]:
    return [*_models(), _embedder(), _judge(viewer)]


def _models() -> Iterator[Receiver]:
    """The default server first. Without any the built-in responder answers, which sends nothing."""
    forge, there, what = settings.FORGE, servers.servers(), _prompts()
    if not there or there[0].name != servers.DEFAULT:
        yield Receiver(_("model: built in"), _("quotes of memory"), "", "", INSIDE, False, False)
    for server in there:
        default = server.name == servers.DEFAULT
        label = _("model") if default else _("model, where a conversation chooses it")
        url = server.url or DEFAULTS.get(server.provider, "")
        name = " · ".join(filter(None, (server.name, server.provider, server.model)))
        yield _receiver(label, what, name, url, key=bool(default and forge.LLM_API_KEY))


def _prompts() -> str:
    """What a model is sent, with what only some settings send it."""
    forge = settings.FORGE
    more = [
        (SUMMARISED, forge.COMPACTION_ENABLED and forge.COMPACTION_STRATEGY != "rag_pointer"),
        (EXTRACTED, forge.EXTRACTION == "propose"),
        (REWRITTEN, forge.RECALL_EXPANSION == "llm"),
    ]
    return "; ".join([str(PROMPTS), *(str(words) for words, sent in more if sent)])


def _embedder() -> Receiver:
    forge = settings.FORGE
    if forge.EMBEDDING_PROVIDER in ("none", "bundled"):
        inside = forge.EMBEDDING_PROVIDER == "bundled"
        what, where = (TEXTS, INSIDE) if inside else (_("nothing: memory is searched by words"), NOBODY)
        return Receiver(_("embeddings"), what, forge.EMBEDDING_PROVIDER, "", where, False, False)
    url, model = USUAL[forge.EMBEDDING_PROVIDER]
    name = " · ".join(filter(None, (forge.EMBEDDING_PROVIDER, forge.EMBEDDING_MODEL or model)))
    return _receiver(_("embeddings"), TEXTS, name, forge.EMBEDDING_URL or url, key=bool(forge.EMBEDDING_API_KEY))


def _judge(viewer: Account) -> Receiver:
    """A server judges only where that is set, and only for those who opted in: asked anew before each sending."""
    forge, who = settings.FORGE, _("judge of the forgetting pass")
    if forge.JUDGE != "model":
        return Receiver(who, _("nothing: rules judge, and no model"), "", "", NOBODY, False, False)
    if not viewer.judge_opt_in:
        return Receiver(who, _("nothing: you have not opted in"), "", "", NOBODY, False, False)
    chat = next((server for server in servers.servers() if server.name == servers.DEFAULT), None)
    url = forge.JUDGE_URL or (chat.url or DEFAULTS.get(chat.provider, "") if chat else "")
    name = forge.JUDGE_MODEL or (chat.model if chat else "")
    key = forge.JUDGE_API_KEY if forge.JUDGE_URL else forge.LLM_API_KEY
    return _receiver(who, PAIRS, name, url, key=bool(key))


def _receiver(who: Words, what: Words, name: str, url: str, *, key: bool) -> Receiver:
    where = where_is(url)
    return Receiver(who, what, name, masked_address(url), where, key, where is FAR)


def where_is(url: str) -> Words:
    """By the address alone: no name is looked up."""
    if "://" not in url:
        return INSIDE  # a model in a file
    host = urlsplit(url).hostname or ""
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        if host == "localhost" or host.endswith(".localhost"):
            return HERE
        return NEAR if "." not in host or host.endswith((".local", ".lan", ".home.arpa", ".internal")) else FAR
    return HERE if address.is_loopback else NEAR if address.is_private or address.is_link_local else FAR


def masked_address(text: str) -> str:
    """Addresses without what lets somebody in."""
    return NAMED_SECRET.sub(rf"\1{HIDDEN}", BEFORE_AT.sub(f"{HIDDEN}@", text))
