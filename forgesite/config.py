"""Every setting of Forge: typed, documented, read once from the environment and `.env`.

Only this module reads the environment. A value that makes no sense stops the start with one line that names the
setting, the value and what is allowed (`SettingsError`). `.env.example` and the README's table are made from here.
"""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import Annotated, Any, Literal, get_args, get_origin

from annotated_types import Ge, Gt, Le
from pydantic import Field, ValidationError, field_validator
from pydantic_settings import BaseSettings, PydanticBaseSettingsSource, SettingsConfigDict

from forgesite.env_file import QUOTED_NOTHING, values_in

ROOT = Path(__file__).resolve().parent.parent
Count = Annotated[int, Field(ge=0)]
Positive = Annotated[int, Field(ge=1)]
Share = Annotated[float, Field(gt=0, le=1)]
Policy = Literal[
    "hybrid",
    "union",
    "interleave",
    "weighted",
    "vector",
    "lexical",
    "recent",
    "balanced",
    "semantic",
    "task_maintenance",
]
Weight = Annotated[float, Field(ge=0, le=1)]

#: `value`, `value@wrapper` or `value@wrapper.model`: a distance and the regime it was measured in.
DISTANCE = re.compile(r"^(off|[0-9]*\.?[0-9]+(@[0-9a-f]{6}(\.[0-9a-f]{6})?)?)?$")

#: One of `LLM_SERVERS`. The server of `LLM_PROVIDER` is `default`.
SERVER = re.compile(
    r"(?!default=)([A-Za-z0-9][\w.-]{0,62})="
    r"(?:(openai|llamacpp|ollama|gemini)@(https?://[^/\s,]+[^\s,]*)|(local)@(?!\w+://)([^\s,][^,]*))"
)
#: The model server's address: scheme and host, with a path or none; or the path of a model's file.
PLACE = re.compile(r"(https?://[^/\s]+\S*|(?!\w+://)\S.*)?")


class SettingsError(Exception):
    """One line a setting: its name, the value it had and what is allowed."""


def _(words: str) -> str:
    """Marks them for the catalogue of languages. Django's own mark asks for the settings, which are made from these."""
    return words


class Config(BaseSettings):
    """What an owner may set. The order is the order of `.env.example`."""

    model_config = SettingsConfigDict(
        env_file=None, env_ignore_empty=True, extra="ignore", case_sensitive=True, frozen=True
    )

    @classmethod
    def settings_customise_sources(
        cls, settings_cls: type[BaseSettings], init_settings: PydanticBaseSettingsSource, *_: Any, **__: Any
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """What `read` hands over, and nothing besides: it has read the environment itself."""
        return (init_settings,)

    # -- where it runs
    DATA_DIR: Path = Field(Path("data"), description=_("Folder of everything Forge keeps; relative to the checkout."))
    DATABASE_URL: str = Field("", description=_("The database; empty: `forge.db` in `DATA_DIR`."))
    SECRET_KEY: str = Field("", description=_("Empty: made on the first run and kept in `DATA_DIR/secret_key`."))
    PUBLIC_URL: str = Field(
        "", description=_("The address people open, when it is not this machine: https://forge.example.org.")
    )
    TRUST_PROXY: bool = Field(False, description=_("Believe `X-Forwarded-Proto` from the proxy in front of Forge."))
    API_TOKEN: str = Field("", description=_("A fixed bearer token of the first account."))

    # -- the model
    LLM_PROVIDER: Literal["auto", "openai", "llamacpp", "ollama", "gemini", "local", "builtin"] = Field(
        "auto",
        description=_("Who answers. `auto`: a server on this machine, if one is found; `builtin`: quotes of memory."),
    )
    LLM_URL: str = Field("", description=_("The model server's address; `local`: the path of a GGUF file."))
    LLM_MODEL: str = Field("", description=_("The model's name there; empty: the server's first, or only, one."))
    LLM_API_KEY: str = Field("", description=_("The model server's key."))
    LLM_SERVERS: str = Field("", description=_("Further servers, comma-separated: `name=provider@url`."))
    LLM_TIMEOUT: Annotated[float, Field(gt=0, le=3600)] = Field(
        120, description=_("Seconds that a model may stay silent.")
    )
    LLM_MAX_TOKENS: Annotated[int, Field(ge=16, le=1_000_000)] = Field(
        1024, description=_("Longest answer, in tokens; every prompt keeps room for it.")
    )
    LLM_CONTEXT: Annotated[int, Field(ge=512, le=100_000_000)] | None = Field(
        None, description=_("The model's window in tokens; empty: what the server says, or what its name is known for.")
    )
    MAX_STEPS: Annotated[int, Field(ge=1, le=16)] = Field(
        4, description=_("Times that a model is asked in one turn; with 1, what it recalls comes back as a list.")
    )
    ENABLED_TOOLS: Literal["memory", "none"] = Field(
        "memory", description=_("What a model may call. `memory`: to remember, recall, search and read entries.")
    )

    # -- embeddings
    EMBEDDING_PROVIDER: Literal["bundled", "llamacpp", "openai", "ollama", "gemini", "none"] = Field(
        "bundled", description=_("Who embeds. `none`: search by words only.")
    )
    EMBEDDING_URL: str = Field("", description=_("The embedding server's address; empty: the provider's usual one."))
    EMBEDDING_MODEL: str = Field("", description=_("The embedding model's name; empty: the provider's usual one."))
    EMBEDDING_API_KEY: str = Field("", description=_("The embedding server's key."))
    EMBEDDING_DIM: Annotated[int, Field(ge=1, le=8192)] | None = Field(
        None, description=_("Numbers a vector has; empty: as the first answer has.")
    )
    EMBEDDING_TIMEOUT: Annotated[float, Field(gt=0, le=3600)] = Field(
        30, description=_("Seconds that an embedding server may take.")
    )
    EMBEDDING_MAX_CHARS: Annotated[int, Field(ge=100, le=20_000)] = Field(
        1500, description=_("Longest text embedded as one part.")
    )
    EMBEDDING_MAX_CHUNKS: Annotated[int, Field(ge=1, le=256)] = Field(
        16, description=_("Most parts, each a vector, of one entry.")
    )
    EMBEDDING_QUERY_INSTRUCT: str = Field(
        "", description=_("What a query is told the model for; empty: by provider; an empty string in quotes: nothing.")
    )
    EMBEDDING_OUTAGE: Literal["refuse", "queue"] = Field(
        "refuse", description=_("A write while the embedding server is down: refused, or kept and embedded later.")
    )

    # -- recall
    RECALL_POLICY: Policy = Field("hybrid", description=_("Which channels run, in which order shown."))
    RECALL_AUTO: bool = Field(True, description=_("Ask memory before each turn of a model."))
    RECALL_TOP_K: Annotated[int, Field(ge=1, le=50)] = Field(
        5, description=_("Rows that a turn is given; under `union` those that vectors give it.")
    )
    RECALL_MAX_DISTANCE: str = Field(
        "",
        description=_(
            "Distance above which a row is no answer; empty: the calibrated one, or the bundled; `off`: none."
        ),
    )
    RECALL_LEXICAL: bool = Field(True, description=_("Search by words beside vectors."))
    RECALL_LEXICAL_TOP_K: Annotated[int, Field(ge=1, le=50)] = Field(
        3, description=_("Under `union`: rows beside those, which only words found.")
    )
    RECALL_LEXICAL_MAX_DF: Share = Field(
        0.2, description=_("Share of the store above which a word admits no deliberate row.")
    )
    RECALL_LEXICAL_EXCLUDE_ARCHIVED: bool = Field(False, description=_("The lexical channel skips kind `exchange`."))
    RECALL_EXPANSION: Literal["off", "terms", "llm"] = Field(
        "off",
        description=_(
            "A question that the cutoff leaves nothing is asked again: without its frame and function words, "
            "or, in a turn, as a model puts it."
        ),
    )
    RECALL_MAX_BYTES: Annotated[int, Field(ge=256, le=1024 * 1024)] = Field(
        8192, description=_("Bytes of UTF-8 that the rows of a prompt may take; a row that does not fit is skipped.")
    )
    RECALL_MAX_ITEMS: Annotated[int, Field(ge=1, le=256)] = Field(16, description=_("Rows that a prompt may hold."))
    RECALL_CANDIDATES: Annotated[int, Field(ge=1, le=64)] = Field(
        64, description=_("Rows that each channel may find before they are put in order.")
    )
    VECTOR_WEIGHT: Weight = Field(0.7, description=_("Under `weighted`: what meaning counts; 0: it is not searched."))
    KEYWORD_WEIGHT: Weight = Field(0.3, description=_("Under `weighted`: what words count; 0: they are not searched."))
    DECAY_HALF_LIFE_DAYS: Annotated[float, Field(gt=0, le=36_500)] = Field(
        7, description=_("Under `weighted`: days after which a row counts half, from when it happened or was said.")
    )

    RECALL_HOT_BLOCK: bool = Field(
        True, description=_("Every entry that somebody chose to write down, at the head of each prompt.")
    )
    RECALL_HOT_MAX_TOKENS: Annotated[int, Field(ge=50, le=1_000_000)] = Field(
        1000,
        description=_(
            "Most that those entries may take of a prompt, and a third of what the instructions leave of it; "
            "past it the block is an index of subjects, and what a message names of it comes with that message."
        ),
    )

    # -- history and traces
    MEMORY_ENABLED: bool = Field(True, description=_("Recall, and let conversations enter memory. `false`: neither."))
    MEMORY_MAX_HISTORY: Annotated[int, Field(ge=4, le=100_000)] = Field(
        100,
        description=_("Messages that a prompt can still see, pinned ones too; above it, the oldest leave its window."),
    )
    MEMORY_HARD_CAP_SLACK: Annotated[int, Field(ge=0, le=100_000)] = Field(
        20, description=_("How far below that the window is cut then.")
    )
    CONVERSATION_RETENTION_DAYS: Count = Field(
        0, description=_("Days without a word after which a conversation is compacted and removed; 0: never.")
    )
    COMPACTION_ENABLED: bool = Field(True, description=_("Move old messages into memory before the window is full."))
    COMPACTION_STRATEGY: Literal["rag_pointer", "llm_summary", "both"] = Field(
        "rag_pointer", description=_("What stands for them: a pointer to their entries, a model's summary, or both.")
    )
    COMPACTION_THRESHOLD: Annotated[int, Field(ge=2, le=100_000)] = Field(
        80, description=_("Messages in the window, pinned ones too, above which it is compacted.")
    )
    COMPACTION_KEEP_RECENT: Annotated[int, Field(ge=2, le=100_000)] = Field(
        20, description=_("Newest messages that are kept then.")
    )
    COMPACTION_TOKEN_THRESHOLD: Annotated[int, Field(ge=100, le=100_000_000)] = Field(
        6000, description=_("Tokens of the window above which it is compacted.")
    )
    COMPACTION_TOKEN_TARGET: Annotated[int, Field(ge=50, le=100_000_000)] = Field(
        3000, description=_("Tokens that are left of it then.")
    )
    TRIGGER_RATIO: Annotated[float, Field(gt=0, lt=1)] = Field(
        0.6, description=_("Share of the model's character budget above which the older half is compacted.")
    )
    CHAR_BUDGET: Annotated[int, Field(ge=1000, le=1_000_000_000)] | None = Field(
        None, description=_("That budget, in characters; empty: by the model's window or name.")
    )
    COMPACTION_AGGREGATE: bool = Field(
        False, description=_("After a compaction, fold entries that say the same subject; a fold can be unwound.")
    )
    COMPACTION_AGGREGATE_MAX_DF: Share = Field(
        0.2, description=_("Share of the newest entries above which a word names no subject of a fold.")
    )
    COMPACTION_AGGREGATE_MIN_SOURCES: Annotated[int, Field(ge=2, le=100)] = Field(
        2, description=_("Fewest entries that one line of a fold may stand for.")
    )
    TRACE_ENABLED: bool = Field(True, description=_("Keep a record of every run."))
    TRACE_FILE: str = Field(
        "", description=_("JSON lines of runs; empty: `traces.jsonl` in the owner's folder of `DATA_DIR`.")
    )
    TRACE_RETENTION_DAYS: Count = Field(
        180, description=_("Days that runs are kept, and the words of what memory was asked in them; 0: for ever.")
    )
    REFUSAL_RETENTION_DAYS: Count = Field(
        90, description=_("Days that a write is kept that a rule turned down; 0: for ever.")
    )

    # -- the forgetting pass
    FORGETTING_PASS_ENABLED: bool = Field(
        False, description=_("Every day at 04:30 UTC, propose what to archive or to replace. A person decides.")
    )
    STALE_WINDOW_DAYS: Annotated[int, Field(ge=1, le=36_500)] = Field(
        30, description=_("Days without a change or a confirmation after which an entry is looked at by itself.")
    )
    CONFLICT_FLOOR: Weight = Field(
        0.82,
        description=_("Cosine from which on two entries are judged together; rare words that they share count too."),
    )
    JUDGE: Literal["rules", "model"] = Field(
        "rules", description=_("Who judges. `rules`: arithmetic on words and dates; `model`: a server, once measured.")
    )
    JUDGE_URL: str = Field("", description=_("The judge's server, as OpenAI's; empty: the chat's."))
    JUDGE_API_KEY: str = Field("", description=_("Its key."))
    JUDGE_MODEL: str = Field("", description=_("The model's name there; empty: the chat's."))
    JUDGE_OPT_IN: bool = Field(
        False, description=_("May a judge's server be sent entries of a new account? Each account has its own switch.")
    )
    JUDGE_DAILY_BUDGET: Count = Field(200, description=_("Calls of a judge's server for one account and day."))

    EXTRACTION: Literal["off", "propose"] = Field(
        "off",
        description=_(
            "`propose`: the model that answered a message is asked for entries in it, each for a person to accept."
        ),
    )

    # -- limits
    RATE_LIMIT_REQUESTS: Count = Field(
        120, description=_("Counted requests a token or session may make in a window; 0: no limit.")
    )
    RATE_LIMIT_WINDOW_SECONDS: Positive = Field(60, description=_("Length of that window."))

    @field_validator("DATA_DIR")
    @classmethod
    def _a_folder(cls, value: Path) -> Path:
        return value.expanduser()  # in `.env` no shell does it

    @field_validator("LLM_URL")
    @classmethod
    def _a_place(cls, value: str) -> str:
        if not PLACE.fullmatch(value):
            raise ValueError(value)
        return value.strip()

    @field_validator("EMBEDDING_URL", "JUDGE_URL")
    @classmethod
    def _an_address(cls, value: str) -> str:
        if value and not re.match(r"^https?://[^/\s@]+(/\S*)?$", value):
            raise ValueError(value)
        return value

    @field_validator("LLM_SERVERS")
    @classmethod
    def _named_servers(cls, value: str) -> str:
        named_servers(value)
        return value

    @field_validator("RECALL_MAX_DISTANCE")
    @classmethod
    def _a_distance(cls, value: str) -> str:
        if not DISTANCE.match(value) or (value[:1].isdigit() and float(value.split("@")[0]) > 2):
            raise ValueError(value)
        return value

    @field_validator("DATABASE_URL")
    @classmethod
    def _a_file(cls, value: str) -> str:
        if value and not value.startswith("sqlite:///"):
            raise ValueError(value)
        return value

    @field_validator("PUBLIC_URL")
    @classmethod
    def _an_origin(cls, value: str) -> str:
        if value and not re.match(r"^https?://[^/\s@]+/?$", value):
            raise ValueError(value)
        return value.rstrip("/")

    @field_validator("API_TOKEN")
    @classmethod
    def _long_enough(cls, value: str) -> str:
        if value and len(value) < 16:
            raise ValueError("too short")
        return value


#: Names of the systems before us that are still understood: old name → ours.
ALIASES: dict[str, str] = {
    "FORGE_EMBEDDING_PROVIDER": "EMBEDDING_PROVIDER",
    "FORGE_MEMORY_PERSISTENCE": "MEMORY_ENABLED",
    "LLAMA_CPP_URL": "LLM_URL",
    "RECALL_HOT_FACTS": "RECALL_HOT_BLOCK",
}
#: Files of the systems before us: what is in them is brought in once, not read at every start.
IMPORTED = ("MEMORY_FILE", "RAG_DB_FILE")
#: Old names that have nothing to set any more, and why.
IGNORED = {
    "FORGE_MEMORY_LONG_TERM": (
        "memory lasts here without it; notes of `.forge/memory` come in by `python3 manage.py import .forge/memory`"
    ),
}
#: What a text may be, where not every text makes sense.
FORMS = {
    "DATABASE_URL": "empty, or `sqlite:///PATH`",
    "PUBLIC_URL": "empty, or scheme and host alone, as `https://forge.example.org`",
    "API_TOKEN": "empty, or at least 16 characters",
    "LLM_URL": "empty, an address as `http://127.0.0.1:8080`, or the path of a GGUF file",
    "LLM_SERVERS": (
        "empty, or `name=provider@url` with commas between, each name once and none `default`, "
        "as `box=llamacpp@http://box:8080`"
    ),
    "EMBEDDING_URL": "empty, or an address as `http://127.0.0.1:8082/embedding`",
    "JUDGE_URL": "empty, or an address as `http://127.0.0.1:8080/v1`",
    "RECALL_MAX_DISTANCE": "empty, `off`, or 0 to 2 with its tag, as `1.22@e3b0c4.1a2b3c`",
}
#: Where an empty string in quotes is a value of its own, and not the same as none.
MAY_BE_NOTHING = frozenset({"EMBEDDING_QUERY_INSTRUCT"})
SECRETS = frozenset({"SECRET_KEY", "API_TOKEN", "LLM_API_KEY", "EMBEDDING_API_KEY", "JUDGE_API_KEY"})


def read() -> Config:
    """The settings in force. Raises SettingsError, a line for each without sense."""
    found = given()
    if named := [name for name in IMPORTED if name in found]:
        raise SettingsError("\n".join(_to_import(name, found[name]) for name in named))
    renamed = {new: found[old] for old, new in ALIASES.items() if old in found} | found
    try:
        return Config.model_validate({name: renamed[name] for name in Config.model_fields if name in renamed})
    except ValidationError as error:
        raise SettingsError("\n".join(_line(problem) for problem in error.errors())) from None


def _to_import(name: str, value: str) -> str:
    return (
        f"{name}={value}: Forge keeps everything in one database and reads no such file at its start. Remove the "
        f"setting, then bring in what the file holds: python3 manage.py import {shlex.quote(value)}"
    )


def given() -> dict[str, str]:
    """What is set: the environment, then `.env`. An empty value is none at all; see MAY_BE_NOTHING.

    `FORGE_ENV_FILE` names another file than the checkout's `.env`; empty, none is read.
    """
    named = os.environ.get("FORGE_ENV_FILE", str(ROOT / ".env"))
    found = values_in(Path(named)) if named else {}
    found |= {name: value for name, value in os.environ.items() if value}
    quoted = {name for name, value in found.items() if value in QUOTED_NOTHING}
    return {name: value for name, value in found.items() if name not in quoted} | dict.fromkeys(
        quoted & MAY_BE_NOTHING, QUOTED_NOTHING[0]
    )


def origins() -> dict[str, tuple[str, str]]:
    """Of each setting that is set now: the name it is set under, and `environment` or the path of the file."""
    named = os.environ.get("FORGE_ENV_FILE", str(ROOT / ".env"))
    places = dict.fromkeys(values_in(Path(named)) if named else {}, named)
    places |= {name: "environment" for name, value in os.environ.items() if value}
    found = [*((old, new) for old, new in ALIASES.items()), *((name, name) for name in Config.model_fields)]
    return {name: (under, places[under]) for under, name in found if under in places}


def named_servers(value: str) -> list[tuple[str, str, str]]:
    """Name, provider and address of each of `LLM_SERVERS`, in order. Raises ValueError for any that is none."""
    found = [SERVER.fullmatch(part.strip()) for part in value.split(",")] if value.strip() else []
    servers = [(match[1], match[2] or match[4], match[3] or match[5]) for match in found if match]
    if len(servers) != len(found) or len({name for name, _provider, _url in servers}) != len(servers):
        raise ValueError(value)
    return servers


def notices() -> list[str]:
    """Lines for the start: an old name that was understood, a name in `.env` that is no setting."""
    found = given()
    old = [f"{old} is read as {new}; the name is {new} now." for old, new in ALIASES.items() if old in found]
    old += [f"{name} is ignored: {why}." for name, why in IGNORED.items() if name in found]
    unknown = sorted(set(found) - set(os.environ) - set(Config.model_fields) - set(ALIASES) - set(IGNORED))
    return old + [f"{name} in .env is no setting of Forge{_meant(name)}" for name in unknown]


def allowed(name: str) -> str:
    """What a setting may hold, in words."""
    field = Config.model_fields[name]
    if name in FORMS:
        return FORMS[name]
    if get_origin(field.annotation) is Literal:
        return " or ".join(f"`{value}`" for value in get_args(field.annotation))
    annotation, bounds = _bounded(field)
    low = next((str(bound.ge) for bound in bounds if isinstance(bound, Ge)), "")
    high = next((str(bound.le) for bound in bounds if isinstance(bound, Le)), "")
    if any(isinstance(bound, Gt) for bound in bounds):
        return f"a number above 0, up to {high}" if high else "a number between 0 and 1"
    words: dict[Any, str] = {bool: "`true` or `false`", int: "a whole number", float: "a number", Path: "a folder"}
    kind = ("" if annotation is field.annotation else "empty, or ") + words.get(annotation, "text")
    return kind + (f", {low} to {high}" if low and high else f", {low} or more" if low else "")


def _bounded(field: Any) -> tuple[Any, Sequence[Any]]:
    """A setting's type and its bounds, also where it may be empty: `Annotated[int, …] | None`."""
    for inner in get_args(field.annotation):
        if get_origin(inner) is Annotated:
            return inner.__origin__, inner.__metadata__[0].metadata
    return field.annotation, field.metadata


def _line(problem: Any) -> str:
    name = str(problem["loc"][0])
    shown = "(hidden)" if name in SECRETS else repr(problem["input"])
    return f"{name}={shown} makes no sense. Allowed: {allowed(name).replace('`', '')}."


def _meant(name: str) -> str:
    [*close] = get_close_matches(name, Config.model_fields, n=1)
    return f"; is {close[0]} meant?" if close else "."
