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
            f"#{name}={shown(field.default)}",
            "",
        ]
    return "\n".join(lines)


def table() -> str:
    rows = ["| setting | default | allowed | meaning |", "| --- | --- | --- | --- |"]
    for name, field in Config.model_fields.items():
        default = f"`{shown(field.default)}`" if shown(field.default) else ""
        rows.append(f"| `{name}` | {default} | {allowed(name)} | {_cell(str(field.description))} |")
    return "\n".join(rows)


def with_table(readme: str) -> str:
    """The README with its table as it should be. Raises ValueError where the two markers are not there."""
    if START not in readme or END not in readme:
        raise ValueError(f"README.md has no {START} … {END}.")
    return re.sub(f"{START}.*?{END}", lambda _: f"{START}\n{table()}\n{END}", readme, flags=re.DOTALL)


def shown(value: Any) -> str:
    """As it would stand in `.env`; empty for none."""
    told = "" if value is None else value
    return str(told).lower() if isinstance(told, bool) else str(told).removesuffix(".0")


def _cell(text: str) -> str:
    return text.replace("|", "\\|")
