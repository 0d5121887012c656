"""Combinations of settings that cannot work, and a database that is not as it should be. `up` refuses the errors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Error, Tags, Warning, register
from django.db import connections

WANTED = {"journal_mode": "wal", "busy_timeout": 5000}


@register
def jobs(app_configs: Any = None, **_: Any) -> list[CheckMessage]:
    """A job is stopped only after a model had its time, and taken up again only after that: else two workers run it."""
    queue: dict[str, Any] = settings.Q_CLUSTER
    least = settings.FORGE.LLM_TIMEOUT * settings.FORGE.MAX_STEPS + 60
    if queue["timeout"] < int(least):
        return [
            Error(
                f"The queue stops a job after {queue['timeout']} s, while a model may take {least:g} s: LLM_TIMEOUT "
                "times MAX_STEPS, and 60.",
                hint="Set Q_CLUSTER's timeout to that at least.",
                id="forge.E013",
            )
        ]
    if queue["retry"] >= queue["timeout"] + 60:
        return []
    return [
        Error(
            f"The queue takes a job up again after {queue['retry']} s, while it may run {queue['timeout']} s.",
            hint="Set Q_CLUSTER's retry 60 s above its timeout.",
            id="forge.E001",
        )
    ]


@register
def recall(app_configs: Any = None, **_: Any) -> list[CheckMessage]:
    """Some channel has to run. Two policies ask none of the question."""
    forge = settings.FORGE
    if forge.RECALL_POLICY in ("recent", "task_maintenance"):
        return []
    no_vectors, no_words = forge.EMBEDDING_PROVIDER == "none", not forge.RECALL_LEXICAL
    if no_vectors and (no_words or forge.RECALL_POLICY == "vector"):
        return [_nothing_to_search("EMBEDDING_PROVIDER=none leaves search by words only", "forge.E002")]
    if no_words and forge.RECALL_POLICY == "lexical":
        return [_nothing_to_search("RECALL_LEXICAL=false leaves search by meaning only", "forge.E003")]
    if forge.RECALL_POLICY == "weighted":
        return _weights(not (no_vectors or forge.VECTOR_WEIGHT == 0) or not (no_words or forge.KEYWORD_WEIGHT == 0))
    return []


def _weights(any_runs: bool) -> list[CheckMessage]:
    forge = settings.FORGE
    if any_runs:
        return []
    return [
        Error(
            f"RECALL_POLICY=weighted with VECTOR_WEIGHT={forge.VECTOR_WEIGHT:g} and "
            f"KEYWORD_WEIGHT={forge.KEYWORD_WEIGHT:g} searches by nothing that is on (EMBEDDING_PROVIDER="
            f"{forge.EMBEDDING_PROVIDER}, RECALL_LEXICAL={str(forge.RECALL_LEXICAL).lower()}).",
            hint="Give a channel that is on a weight above 0.",
            id="forge.E014",
        )
    ]


def _nothing_to_search(why: str, number: str) -> CheckMessage:
    forge = settings.FORGE
    return Error(
        f"{why}, but RECALL_POLICY={forge.RECALL_POLICY} and RECALL_LEXICAL={str(forge.RECALL_LEXICAL).lower()} "
        "do not: nothing could be recalled.",
        hint="Change one of the three.",
        id=number,
    )


@register
def embedder(app_configs: Any = None, **_: Any) -> list[CheckMessage]:
    """Gemini has no embedding model that could be taken for granted."""
    forge = settings.FORGE
    if forge.EMBEDDING_PROVIDER != "gemini" or forge.EMBEDDING_MODEL:
        return []
    return [
        Error(
            "EMBEDDING_PROVIDER=gemini needs a model, but EMBEDDING_MODEL is empty.",
            hint="Set EMBEDDING_MODEL, as gemini-embedding-001.",
            id="forge.E011",
        )
    ]


@register
def model(app_configs: Any = None, **_: Any) -> list[CheckMessage]:
    """A model in a file has a path, one on a server has an address."""
    provider, url = settings.FORGE.LLM_PROVIDER, settings.FORGE.LLM_URL
    in_file = url.endswith(".gguf") and "://" not in url
    if provider == "local" and not in_file:
        return [_misplaced(f"LLM_PROVIDER=local needs the path of a GGUF file, but LLM_URL is {url!r}.")]
    if in_file and provider not in ("local", "auto", "builtin"):
        return [_misplaced(f"LLM_URL is the path of a file, which LLM_PROVIDER={provider} cannot ask.")]
    return []


def _misplaced(why: str) -> CheckMessage:
    return Error(why, hint="Change LLM_URL, or LLM_PROVIDER.", id="forge.E012")


@register
def proxy(app_configs: Any = None, **_: Any) -> list[CheckMessage]:
    """Forwarded headers say how a page was reached; only the public address says whether that is the right one."""
    if not settings.FORGE.TRUST_PROXY or settings.FORGE.PUBLIC_URL:
        return []
    return [
        Error(
            "TRUST_PROXY=true, but PUBLIC_URL is empty: requests through the proxy would be refused as foreign.",
            hint="Set PUBLIC_URL to the address that people open.",
            id="forge.E004",
        )
    ]


@register
def compaction(app_configs: Any = None, **_: Any) -> list[CheckMessage]:
    """What is kept is less than what sets it off, and memory is given messages before the cap takes them."""
    forge = settings.FORGE
    if not forge.COMPACTION_ENABLED:
        return []
    pairs = [
        ("COMPACTION_KEEP_RECENT", "COMPACTION_THRESHOLD", "the number of messages sets off nothing", "forge.W002"),
        ("COMPACTION_TOKEN_TARGET", "COMPACTION_TOKEN_THRESHOLD", "tokens set off next to nothing", "forge.W003"),
        ("COMPACTION_THRESHOLD", "MEMORY_MAX_HISTORY", "messages leave the window without memory", "forge.W004"),
    ]
    return [_not_below(*pair) for pair in pairs if getattr(forge, pair[0]) >= getattr(forge, pair[1])]


def _not_below(less: str, more: str, so: str, number: str) -> CheckMessage:
    values = f"{less}={getattr(settings.FORGE, less)} is not below {more}={getattr(settings.FORGE, more)}"
    return Warning(f"{values}: {so}.", hint=f"Set {less} below {more}.", id=number)


@register
def items(app_configs: Any = None, **_: Any) -> list[CheckMessage]:
    """A turn asks for more rows than its prompt may hold."""
    forge = settings.FORGE
    if forge.RECALL_TOP_K <= forge.RECALL_MAX_ITEMS:
        return []
    return [
        Warning(
            f"RECALL_TOP_K={forge.RECALL_TOP_K} is above RECALL_MAX_ITEMS={forge.RECALL_MAX_ITEMS}: a prompt holds no "
            "more rows than that.",
            hint="Raise RECALL_MAX_ITEMS, and RECALL_MAX_BYTES with it.",
            id="forge.W008",
        )
    ]


@register
def expansion(app_configs: Any = None, **_: Any) -> list[CheckMessage]:
    """What keeps a question that found nothing from ever being asked in other words."""
    forge = settings.FORGE
    if forge.RECALL_EXPANSION == "off":
        return []
    no_cutoff = forge.RECALL_MAX_DISTANCE == "off" or forge.EMBEDDING_PROVIDER == "none"
    words = forge.RECALL_LEXICAL and forge.RECALL_POLICY != "vector"
    uncalibrated = not (no_cutoff or forge.RECALL_MAX_DISTANCE or forge.EMBEDDING_PROVIDER == "bundled")
    no_model = forge.RECALL_EXPANSION == "llm" and forge.LLM_PROVIDER == "builtin"
    found = [
        (no_cutoff, "no cutoff is in force: nothing is ever left out that could be looked for", "forge.W005"),
        (
            uncalibrated,
            "this embedder has no cutoff before one is set, or measured on your own questions",
            "forge.W005",
        ),
        (words, "the word channel runs: where it keeps a row, nothing is asked in other words", "forge.W006"),
        (no_model, "LLM_PROVIDER=builtin is no model that could be asked", "forge.W007"),
    ]
    return [_of_no_use(why, number) for holds, why, number in found if holds]


def _of_no_use(why: str, number: str) -> CheckMessage:
    said = f"RECALL_EXPANSION={settings.FORGE.RECALL_EXPANSION}, but {why}."
    return Warning(said, hint="Set RECALL_EXPANSION=off, or change the other.", id=number)


@register
def judge(app_configs: Any = None, **_: Any) -> list[CheckMessage]:
    """A pass that is on needs somebody who judges."""
    forge = settings.FORGE
    nobody = forge.JUDGE == "model" and not forge.JUDGE_URL and forge.LLM_PROVIDER == "builtin"
    if not (forge.FORGETTING_PASS_ENABLED and nobody):
        return []
    return [
        Warning(
            "JUDGE=model, but no model could be asked: JUDGE_URL is empty, and LLM_PROVIDER=builtin is none. A pass "
            "proposes nothing.",
            hint="Set JUDGE_URL, or JUDGE=rules.",
            id="forge.W009",
        )
    ]


@register(Tags.database)
def live_connection(databases: Sequence[str] | None = None, **_: Any) -> list[CheckMessage]:
    """What the settings ask of SQLite is what the open connection has: some folders allow no write-ahead log."""
    return [message for alias in databases or () for message in _live(alias)]


def _live(alias: str) -> list[CheckMessage]:
    connection = connections[alias]
    found: dict[str, Any] = {}
    with connection.cursor() as cursor:
        for pragma in WANTED:
            cursor.execute(f"PRAGMA {pragma}")
            found[pragma] = cursor.fetchone()[0]
    found["transaction_mode"] = connection.transaction_mode  # type: ignore[attr-defined]
    wanted = WANTED | {"transaction_mode": "IMMEDIATE"}
    return [
        Warning(
            f"SQLite's {name} is {found[name]} on {alias}, not {value}: writers will get in each other's way.",
            hint="Give DATA_DIR a folder on a local disk.",
            id="forge.W001",
        )
        for name, value in wanted.items()
        if found[name] != value
    ]
