"""`.env.example` and the README's table, made from the settings themselves."""

from __future__ import annotations

import re
from typing import Any

from forgesite.config import Config, allowed

START, END = "<!-- settings -->", "<!-- /settings -->"


def env_example() -> str:
    lines = ["# Every setting of Forge with its default. Copy this file to `.env` and uncomment what you change.", ""]
    for name, field in Config.model_fields.items():
        lines += [
            f"# {field.description}",
            f"# Allowed: {allowed(name).replace('`', '')}.",
            f"#{name}={_shown(field)}",
            "",
        ]
    return "\n".join(lines)


def table() -> str:
    rows = ["| setting | default | allowed | meaning |", "| --- | --- | --- | --- |"]
    for name, field in Config.model_fields.items():
        default = f"`{_shown(field)}`" if _shown(field) else ""
        rows.append(f"| `{name}` | {default} | {allowed(name)} | {_cell(str(field.description))} |")
    return "\n".join(rows)


def with_table(readme: str) -> str:
    """The README with its table as it should be. Raises ValueError where the two markers are not there."""
    if START not in readme or END not in readme:
        raise ValueError(f"README.md has no {START} … {END}.")
    return re.sub(f"{START}.*?{END}", lambda _: f"{START}\n{table()}\n{END}", readme, flags=re.DOTALL)


def _shown(field: Any) -> str:
    default = "" if field.default is None else field.default
    return str(default).lower() if isinstance(default, bool) else str(default)


def _cell(text: str) -> str:
    return text.replace("|", "\\|")
