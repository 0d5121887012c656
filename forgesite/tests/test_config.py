"""Settings: read from where they are set, refused when senseless, documented as they are."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from forgesite.config import ALIASES, IMPORTED, ROOT, Config, SettingsError, allowed, notices, read
from forgesite.settings_docs import env_example, with_table
from forgesite.testing_server import own_environment

SENSELESS = [
    ("DATABASE_URL", "postgres://db/forge", "sqlite:///PATH"),
    ("PUBLIC_URL", "forge.example.org", "https://forge.example.org"),
    ("PUBLIC_URL", "https://forge.example.org/chat", "scheme and host alone"),
    ("TRUST_PROXY", "perhaps", "true or false"),
    ("LLM_PROVIDER", "skynet", "auto or openai"),
    ("LLM_URL", "ftp://box", "an address as http://127.0.0.1:8080"),
    ("LLM_URL", "http://", "a GGUF file"),
    ("LLM_SERVERS", "http://box:8080", "name=provider@url"),
    ("LLM_SERVERS", "box=http://box:8080", "name=provider@url"),
    ("LLM_SERVERS", "box=skynet@http://box:8080", "name=provider@url"),
    ("LLM_SERVERS", "box=openai@box:8080", "box=llamacpp@http://box:8080"),
    ("LLM_SERVERS", "default=openai@http://box:8080", "none default"),
    ("LLM_SERVERS", "a=openai@http://one:1, a=openai@http://two:1", "each name once"),
    ("LLM_SERVERS", "a=openai@http://one:1,", "commas between"),
    ("LLM_TIMEOUT", "0", "above 0, up to 3600"),
    ("LLM_MAX_TOKENS", "15", "16 to 1000000"),
    ("LLM_CONTEXT", "511", "512 to 100000000"),
    ("MAX_STEPS", "0", "1 to 16"),
    ("ENABLED_TOOLS", "chat", "memory or none"),
    ("EMBEDDING_PROVIDER", "word2vec", "bundled or llamacpp"),
    ("EMBEDDING_URL", "box:8082", "an address as http://127.0.0.1:8082/embedding"),
    ("EMBEDDING_DIM", "0", "1 to 8192"),
    ("EMBEDDING_TIMEOUT", "0", "above 0, up to 3600"),
    ("EMBEDDING_OUTAGE", "explode", "refuse or queue"),
    ("EMBEDDING_MAX_CHARS", "99", "100 to 20000"),
    ("EMBEDDING_MAX_CHUNKS", "0", "1 to 256"),
    ("RECALL_POLICY", "psychic", "union or interleave or weighted or vector or lexical or recent or balanced"),
    ("RECALL_AUTO", "often", "true or false"),
    ("RECALL_TOP_K", "51", "1 to 50"),
    ("RECALL_TOP_K", "five", "a whole number"),
    ("RECALL_MAX_DISTANCE", "3", "0 to 2"),
    ("RECALL_MAX_DISTANCE", "near", "off"),
    ("RECALL_LEXICAL", "maybe", "true or false"),
    ("RECALL_LEXICAL_TOP_K", "-1", "1 to 50"),
    ("RECALL_LEXICAL_MAX_DF", "0", "above 0, up to 1"),
    ("RECALL_LEXICAL_MAX_DF", "1.5", "above 0, up to 1"),
    ("RECALL_LEXICAL_EXCLUDE_ARCHIVED", "2", "true or false"),
    ("RECALL_MAX_BYTES", "255", "256 to 1048576"),
    ("RECALL_MAX_ITEMS", "0", "1 to 256"),
    ("RECALL_CANDIDATES", "65", "1 to 64"),
    ("VECTOR_WEIGHT", "-0.1", "0 to 1"),
    ("KEYWORD_WEIGHT", "1.1", "0 to 1"),
    ("DECAY_HALF_LIFE_DAYS", "0", "above 0, up to 36500"),
    ("RECALL_HOT_BLOCK", "2", "true or false"),
    ("RECALL_HOT_MAX_TOKENS", "49", "50 to 1000000"),
    ("MEMORY_ENABLED", "2", "true or false"),
    ("MEMORY_MAX_HISTORY", "3", "4 to 100000"),
    ("MEMORY_HARD_CAP_SLACK", "-1", "0 to 100000"),
    ("CONVERSATION_RETENTION_DAYS", "-1", "0 or more"),
    ("TRACE_RETENTION_DAYS", "half a year", "0 or more"),
    ("REFUSAL_RETENTION_DAYS", "-90", "0 or more"),
    ("COMPACTION_ENABLED", "2", "true or false"),
    ("COMPACTION_STRATEGY", "burn", "rag_pointer or llm_summary or both"),
    ("COMPACTION_THRESHOLD", "1", "2 to 100000"),
    ("COMPACTION_KEEP_RECENT", "1", "2 to 100000"),
    ("COMPACTION_TOKEN_THRESHOLD", "99", "100 to 100000000"),
    ("COMPACTION_TOKEN_TARGET", "49", "50 to 100000000"),
    ("TRIGGER_RATIO", "1", "between 0 and 1"),
    ("CHAR_BUDGET", "999", "1000 to 1000000000"),
    ("COMPACTION_AGGREGATE", "2", "true or false"),
    ("COMPACTION_AGGREGATE_MAX_DF", "0", "up to 1"),
    ("COMPACTION_AGGREGATE_MIN_SOURCES", "1", "2 to 100"),
    ("TRACE_ENABLED", "2", "true or false"),
    ("RECALL_EXPANSION", "always", "off or terms or llm"),
    ("FORGETTING_PASS_ENABLED", "daily", "true or false"),
    ("STALE_WINDOW_DAYS", "0", "1 to 36500"),
    ("CONFLICT_FLOOR", "1.2", "0 to 1"),
    ("JUDGE", "jury", "rules or model"),
    ("JUDGE_URL", "box:8080", "an address as http://127.0.0.1:8080/v1"),
    ("JUDGE_OPT_IN", "2", "true or false"),
    ("JUDGE_DAILY_BUDGET", "-1", "0 or more"),
    ("EXTRACTION", "save", "off or propose"),
    ("RATE_LIMIT_REQUESTS", "-5", "0 or more"),
    ("RATE_LIMIT_WINDOW_SECONDS", "0", "1 or more"),
]
#: Any text, or any path, is one that could be meant.
FREE = {"DATA_DIR", "SECRET_KEY", "LLM_MODEL", "LLM_API_KEY", "TRACE_FILE"}
FREE |= {"EMBEDDING_MODEL", "EMBEDDING_API_KEY", "EMBEDDING_QUERY_INSTRUCT", "JUDGE_MODEL", "JUDGE_API_KEY"}

#: What the tests set themselves.
OURS = {"DATA_DIR", "LLM_PROVIDER"}


@pytest.fixture
def env_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An `.env` of the test's own."""
    file = tmp_path / "env"
    monkeypatch.setenv("FORGE_ENV_FILE", str(file))
    monkeypatch.delenv("DATA_DIR")
    monkeypatch.delenv("LLM_PROVIDER")
    return file


@pytest.mark.parametrize(("name", "value", "said"), SENSELESS)
def test_a_senseless_value_is_named_with_what_is_allowed(env_file: Path, name: str, value: str, said: str) -> None:
    env_file.write_text(f"{name}={value}\n")

    with pytest.raises(SettingsError) as refused:
        read()

    assert str(refused.value).startswith(f"{name}={value!r} makes no sense. Allowed: ")
    assert said in str(refused.value)


def test_every_setting_that_can_be_senseless_is_tried() -> None:
    assert {name for name, _, _ in SENSELESS} | FREE | {"API_TOKEN"} == set(Config.model_fields)


def test_a_senseless_value_stops_the_start_without_a_traceback() -> None:
    env = own_environment() | {"RECALL_TOP_K": "51", "TRUST_PROXY": "perhaps"}
    started = subprocess.run(
        [sys.executable, "manage.py", "check"], cwd=ROOT, env=env, capture_output=True, text=True, check=False
    )

    assert started.returncode == 1
    assert "RECALL_TOP_K='51'" in started.stderr
    assert "TRUST_PROXY='perhaps'" in started.stderr
    assert "Traceback" not in started.stderr


def test_a_short_token_is_refused_and_not_shown(env_file: Path) -> None:
    env_file.write_text("API_TOKEN=hunter2\n")

    with pytest.raises(SettingsError, match="16 characters") as refused:
        read()

    assert "hunter2" not in str(refused.value)


def test_the_environment_wins_over_the_file(env_file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    env_file.write_text("RECALL_TOP_K=7\nRECALL_LEXICAL_TOP_K=9\n")
    monkeypatch.setenv("RECALL_TOP_K", "8")

    assert (read().RECALL_TOP_K, read().RECALL_LEXICAL_TOP_K) == (8, 9)


@pytest.mark.parametrize("name", sorted(Config.model_fields))
def test_an_empty_value_is_the_default(env_file: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    env_file.write_text(f"{name}=\n")
    monkeypatch.setenv(name, "")

    assert getattr(read(), name) == Config.model_fields[name].default


@pytest.mark.parametrize("line", ['""', "''", '""  # no instruction', "'\"\"'"])
def test_an_empty_string_in_quotes_is_no_instruction(env_file: Path, line: str) -> None:
    env_file.write_text(f"EMBEDDING_QUERY_INSTRUCT={line}\n")

    assert read().EMBEDDING_QUERY_INSTRUCT == '""'


@pytest.mark.parametrize("value", ['""', "''"])
def test_two_quotes_in_the_environment_are_an_empty_string(monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    monkeypatch.setenv("EMBEDDING_QUERY_INSTRUCT", value)
    monkeypatch.setenv("EMBEDDING_MODEL", value)

    assert (read().EMBEDDING_QUERY_INSTRUCT, read().EMBEDDING_MODEL) == ('""', "")


@pytest.mark.parametrize("name", sorted(set(Config.model_fields) - {"EMBEDDING_QUERY_INSTRUCT"}))
def test_any_other_empty_string_in_quotes_is_the_default(env_file: Path, name: str) -> None:
    env_file.write_text(f'{name}=""\n')

    assert getattr(read(), name) == Config.model_fields[name].default


def test_a_dollar_sign_is_a_dollar_sign(env_file: Path) -> None:
    env_file.write_text("SECRET_KEY=pa${HOME}ss$word\n")

    assert read().SECRET_KEY == "pa${HOME}ss$word"


def test_a_folder_may_be_below_the_home(env_file: Path) -> None:
    env_file.write_text("DATA_DIR=~/forge\n")

    assert Path.home() / "forge" == read().DATA_DIR


@pytest.mark.parametrize(("old", "new"), ALIASES.items())
def test_an_old_name_is_understood_and_said(env_file: Path, old: str, new: str) -> None:
    value = "none" if isinstance(Config.model_fields[new].default, str) else "false"
    env_file.write_text(f"{old}={value}\n")

    assert getattr(read(), new) == (value if value == "none" else False)
    assert notices() == [f"{old} is read as {new}; the name is {new} now."]


@pytest.mark.parametrize("name", IMPORTED)
def test_a_file_of_an_earlier_forge_stops_the_start_with_the_command_that_imports_it(env_file: Path, name: str) -> None:
    env_file.write_text(f'{name}="my data/memory.json"\n')

    with pytest.raises(SettingsError, match=rf"^{name}=.*Remove the setting.*import 'my data/memory\.json'$"):
        read()


def test_an_old_name_with_nothing_to_set_is_said(env_file: Path) -> None:
    env_file.write_text("FORGE_MEMORY_LONG_TERM=true\n")

    [line] = notices()
    assert read() == Config.model_validate({})
    assert line.startswith("FORGE_MEMORY_LONG_TERM is ignored: memory lasts here without it")


def test_a_misspelt_name_in_the_file_is_said(env_file: Path) -> None:
    env_file.write_text("RECALL_TOPK=9\n")

    assert notices() == ["RECALL_TOPK in .env is no setting of Forge; is RECALL_TOP_K meant?"]


def test_the_examples_file_is_current() -> None:
    assert (ROOT / ".env.example").read_text() == env_example(), "run: python3 manage.py settings_docs --write"


def test_the_examples_uncommented_are_the_defaults(env_file: Path) -> None:
    lines = [line.removeprefix("#") for line in env_example().splitlines() if line.startswith("#") and "=" in line]
    env_file.write_text("\n".join(line for line in lines if line.split("=")[0] in Config.model_fields))

    assert read() == Config.model_validate({})


def test_the_readme_s_table_is_current() -> None:
    readme = (ROOT / "README.md").read_text()

    assert readme == with_table(readme), "run: python3 manage.py settings_docs --write"


@pytest.mark.parametrize("name", sorted(Config.model_fields))
def test_every_setting_is_documented(name: str) -> None:
    assert str(Config.model_fields[name].description).endswith(".")
    assert allowed(name)


def test_the_owner_s_settings_change_no_test() -> None:
    assert not [name for name in Config.model_fields if name in os.environ and name not in OURS]
