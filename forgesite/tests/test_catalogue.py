"""French is complete: every string of the sources is translated, nothing is fuzzy, and the compiled file is current."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import polib
import pytest

from forgesite.config import ROOT

FRENCH = ROOT / "forgesite" / "locale" / "fr" / "LC_MESSAGES"
DOMAINS = ("django", "djangojs")


@pytest.mark.parametrize("domain", DOMAINS)
def test_nothing_is_fuzzy_or_untranslated(domain: str) -> None:
    catalogue = polib.pofile(str(FRENCH / f"{domain}.po"))

    assert [entry.msgid for entry in catalogue if entry.fuzzy or not entry.translated()] == []


@pytest.mark.parametrize("domain", DOMAINS)
def test_the_compiled_catalogue_is_the_source(domain: str) -> None:
    source, compiled = (
        suffix(str(FRENCH / f"{domain}{end}")) for suffix, end in ((polib.pofile, ".po"), (polib.mofile, ".mo"))
    )

    def said(catalogue: polib.POFile | polib.MOFile) -> dict[tuple[str | None, str], object]:
        return {(one.msgctxt, one.msgid): one.msgstr_plural or one.msgstr for one in catalogue if not one.obsolete}

    assert said(compiled) == said(source)


@pytest.mark.parametrize("domain", DOMAINS)
def test_placeholders_survive_the_translation(domain: str) -> None:
    for entry in polib.pofile(str(FRENCH / f"{domain}.po")):
        for said in (entry.msgstr, *entry.msgstr_plural.values()):
            if said and "python-format" in entry.flags:
                assert holes(said) <= holes(entry.msgid + (entry.msgid_plural or "")), entry.msgid


def holes(text: str) -> set[str]:
    return set(re.findall(r"%\(\w+\)[sd]|%[sd]", text))


@pytest.mark.parametrize("domain", DOMAINS)
def test_every_string_of_the_sources_is_in_the_catalogue(domain: str, tmp_path: Path) -> None:
    if shutil.which("xgettext") is None:
        pytest.skip("CATALOGUE NOT COMPARED WITH THE SOURCES: no xgettext here (Debian: apt-get install gettext).")
    before = {entry.msgid for entry in polib.pofile(str(FRENCH / f"{domain}.po")) if not entry.obsolete}
    tree = tmp_path / "tree"
    ignored = shutil.ignore_patterns(".*", "data", "docs", "bench", "__pycache__", "tests", "*.lock")
    shutil.copytree(ROOT, tree, ignore=ignored)
    command = [sys.executable, "-m", "django", "makemessages", "-l", "fr", "-d", domain, "--no-location", "-v", "0"]
    subprocess.run(command, cwd=tree, check=True, env=os.environ | {"DJANGO_SETTINGS_MODULE": "forgesite.settings"})

    now = {
        entry.msgid
        for entry in polib.pofile(str(tree / FRENCH.relative_to(ROOT) / f"{domain}.po"))
        if not entry.obsolete
    }

    assert now - before == set()
