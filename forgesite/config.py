"""Every setting of Forge: typed, documented, read once from the environment and `.env`.

Only this module reads the environment. A value that makes no sense stops the start with one line that names the
setting, the value and what is allowed (`SettingsError`). `.env.example` and the README's table are made from here.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field, ValidationError, field_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

ROOT = Path(__file__).resolve().parent.parent
Count = Annotated[int, Field(ge=0)]
Positive = Annotated[int, Field(ge=1)]
Share = Annotated[float, Field(gt=0, le=1)]
Policy = Literal["union", "vector", "lexical"]

#: `value`, `value@wrapper` or `value@wrapper.model`: a distance and the regime it was measured in.
DISTANCE = re.compile(r"^(off|[0-9]*\.?[0-9]+(@[0-9a-f]{6}(\.[0-9a-f]{6})?)?)?$")


class SettingsError(Exception):
    """One line a setting: its name, the value it had and what is allowed."""


class Config(BaseSettings):
    """What an owner may set. The order is the order of `.env.example`."""

    model_config = SettingsConfigDict(env_file=None, extra="ignore", case_sensitive=True, frozen=True)

    # -- where it runs
    DATA_DIR: Path = Field(Path("data"), description="Folder of everything Forge keeps; relative to the checkout.")
    DATABASE_URL: str = Field("", description="Empty: `forge.db` in `DATA_DIR`. `sqlite:///PATH` names another file.")
    SECRET_KEY: str = Field("", description="Empty: made on the first run and kept in `DATA_DIR/secret_key`.")
    PUBLIC_URL: str = Field(
        "", description="The address people open, when it is not this machine: https://forge.example.org."
    )
    TRUST_PROXY: bool = Field(False, description="Believe `X-Forwarded-Proto` from the proxy in front of Forge.")
    API_TOKEN: str = Field("", description="A fixed bearer token of the first account, of 16 characters or more.")

    # -- the model
    LLM_PROVIDER: Literal["auto", "builtin"] = Field(
        "auto", description="Who answers. `builtin` quotes memory, no model."
    )

    # -- embeddings
    EMBEDDING_PROVIDER: Literal["bundled", "none"] = Field(
        "bundled", description="Who embeds. `none`: search by words only."
    )
    EMBEDDING_MAX_CHARS: Annotated[int, Field(ge=100, le=20_000)] = Field(
        1500, description="Longest text embedded as one part."
    )
    EMBEDDING_MAX_CHUNKS: Annotated[int, Field(ge=1, le=256)] = Field(
        16, description="Most parts, each a vector, of one entry."
    )

    # -- recall
    RECALL_POLICY: Policy = Field("union", description="Which channels run, in which order shown.")
    RECALL_TOP_K: Annotated[int, Field(ge=1, le=50)] = Field(
        5, description="Rows that the vector channel gives a turn."
    )
    RECALL_MAX_DISTANCE: str = Field(
        "", description="Cutoff `value[@wrapper[.model]]`, 0 to 2; empty: the bundled one; `off`: none."
    )
    RECALL_LEXICAL: bool = Field(True, description="Search by words beside vectors.")
    RECALL_LEXICAL_TOP_K: Annotated[int, Field(ge=1, le=50)] = Field(
        3, description="Rows that only words found, given to a turn."
    )
    RECALL_LEXICAL_MAX_DF: Share = Field(
        0.2, description="Share of the store above which a word admits no deliberate row."
    )
    RECALL_LEXICAL_EXCLUDE_ARCHIVED: bool = Field(False, description="The lexical channel skips kind `exchange`.")

    # -- history and traces
    TRACE_ENABLED: bool = Field(True, description="Keep a record of every run.")
    TRACE_FILE: str = Field(
        "", description="JSON lines of runs; empty: `traces.jsonl` in the owner's folder of `DATA_DIR`."
    )

    # -- limits
    RATE_LIMIT_REQUESTS: Count = Field(
        120, description="Counted requests a token or session may make in a window; 0: no limit."
    )
    RATE_LIMIT_WINDOW_SECONDS: Positive = Field(60, description="Length of that window.")

    @field_validator("RECALL_MAX_DISTANCE")
    @classmethod
    def _a_distance(cls, value: str) -> str:
        if not DISTANCE.match(value) or (value[:1].isdigit() and float(value.split("@")[0]) > 2):
            raise ValueError("allowed: empty, off, or a distance from 0 to 2 with its tag, as 1.22@e3b0c4.1a2b3c")
        return value

    @field_validator("DATABASE_URL")
    @classmethod
    def _a_file(cls, value: str) -> str:
        if value and not value.startswith("sqlite:///"):
            raise ValueError("allowed: empty, or sqlite:///PATH")
        return value

    @field_validator("PUBLIC_URL")
    @classmethod
    def _an_origin(cls, value: str) -> str:
        if value and not re.match(r"^https?://[^/\s@]+/?$", value):
            raise ValueError("allowed: empty, or scheme and host alone, as https://forge.example.org")
        return value.rstrip("/")

    @field_validator("API_TOKEN")
    @classmethod
    def _long_enough(cls, value: str) -> str:
        if value and len(value) < 16:
            raise ValueError("allowed: empty, or at least 16 characters")
        return value


#: Names of the systems before us that are still understood: old name → ours.
ALIASES: dict[str, str] = {"FORGE_EMBEDDING_PROVIDER": "EMBEDDING_PROVIDER"}


def read() -> Config:
    """The settings in force: the environment, then `.env`. Raises SettingsError, a line for each without sense.

    `FORGE_ENV_FILE` names another file than the checkout's `.env`; empty, none is read.
    """
    named = os.environ.get("FORGE_ENV_FILE", str(ROOT / ".env"))
    env_file = Path(named) if named else None
    for old, new in ALIASES.items():
        if old in os.environ:
            os.environ.setdefault(new, os.environ[old])
    try:
        return Config(_env_file=env_file)  # type: ignore[call-arg]
    except ValidationError as error:
        raise SettingsError("\n".join(_line(problem) for problem in error.errors())) from None


def _line(problem: Any) -> str:
    name = ".".join(str(part) for part in problem["loc"])
    shown = "(hidden)" if name in SECRETS else repr(problem["input"])
    return f"{name}={shown} makes no sense: {problem['msg'].removeprefix('Value error, ')}."


SECRETS = frozenset({"SECRET_KEY", "API_TOKEN"})
