"""The door of each provider: its usual address and model, and how a query is wrapped for it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import urlsplit, urlunsplit

from forgesite.lib.embedding_failures import NO_MODEL
from forgesite.lib.embedding_servers import Address, Served
from forgesite.lib.embeddings import Bundled, Door, EmbeddingFailedError
from forgesite.lib.vectors import Vector

#: Provider → its usual address and model.
USUAL = {
    "llamacpp": ("http://127.0.0.1:8082/embedding", ""),
    "openai": ("https://api.openai.com/v1", "text-embedding-3-small"),
    "ollama": ("http://127.0.0.1:11434", "nomic-embed-text"),
    "gemini": ("https://generativelanguage.googleapis.com/v1beta/openai", ""),
}
#: For models that were trained with one; whoever serves another turns it off.
INSTRUCTION = (
    "Given a question or remark from a conversation, retrieve the stored facts, decisions and earlier exchanges that "
    "answer it"
)
INSTRUCTIONS = {"llamacpp": INSTRUCTION}
#: The setting that means: no instruction at all, where the empty one means the provider's.
NOTHING = '""'


@dataclass(frozen=True)
class Asked:
    """The settings that make a door. Equal ones make one door a process."""

    provider: str
    url: str = ""
    model: str = ""
    key: str = ""
    dim: int | None = None
    timeout: float = 30.0
    instruct: str = ""


def door(asked: Asked) -> Door | None:
    """None for `none`. Nothing is loaded, sent or raised: a door that lacks its model fails when it is asked."""
    if asked.provider == "none":
        return None
    wrapper = wrapper_of(asked.provider, asked.instruct)
    if asked.provider == "bundled":
        return Bundled(wrapper)
    url, model = USUAL[asked.provider]
    model = asked.model or model
    if asked.provider == "gemini" and not model:
        return Unset(asked.provider, wrapper)
    address = address_of(asked.provider, (asked.url or url).rstrip("/"))
    name = model or asked.provider
    return Served(address, name=name, model=model, key=asked.key, dim=asked.dim, timeout=asked.timeout, wrapper=wrapper)


class Unset:
    """A provider whose model has no usual name, and was given none."""

    def __init__(self, provider: str, wrapper: str) -> None:
        self.name, self.wrapper = provider, wrapper

    @property
    def dim(self) -> int:
        raise self._error()

    def embed_documents(self, texts: Sequence[str]) -> list[Vector]:
        raise self._error()

    def embed_query(self, text: str) -> Vector:
        raise self._error()

    def _error(self) -> EmbeddingFailedError:
        return EmbeddingFailedError(NO_MODEL, provider=self.name)


def wrapper_of(provider: str, instruct: str) -> str:
    """Two lines, `Instruct: …` and `Query: {}`. An instruction with `{}` in it is the whole wrapper itself."""
    instruction = "" if instruct == NOTHING else instruct or INSTRUCTIONS.get(provider, "")
    if not instruction or "{}" in instruction:
        return instruction
    return f"Instruct: {instruction}\nQuery: {{}}"


def address_of(provider: str, url: str) -> Address:
    parts = urlsplit(url)
    last = parts.path.rsplit("/", 1)[-1]
    if provider == "ollama" and "v1" not in parts.path.split("/"):
        return _ollama(urlunsplit(parts._replace(path=parts.path.partition("/api")[0])))
    if provider == "llamacpp" and "v1" not in parts.path.split("/"):
        # `content` is what servers of before 2025 read on this route, and newer ones prefer `input`.
        return Address(url if parts.path else f"{url}/embedding", ("input", "content"))
    if last == "embeddings":
        return Address(url)
    return Address(f"{url}/embeddings" if parts.path else f"{url}/v1/embeddings")


def _ollama(base: str) -> Address:
    """`truncate` off: a text that is too long is told, and not embedded by its beginning alone."""
    old = Address(f"{base}/api/embeddings", ("prompt",), alone=True)
    return Address(f"{base}/api/embed", otherwise=old, extra=(("truncate", False),))
