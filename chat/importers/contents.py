"""What a file holds, whatever wrote it: told by its first bytes, by its name, or by the shape of its JSON."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

from chat.importers import forge_export, forge_rag, notes_md
from chat.importers.entries import ReadEntries
from chat.importers.formats import FORMATS, conversations
from chat.importers.imported import ReadConversation, Skipped
from chat.importers.reading import Document, check_size

Read: TypeAlias = ReadConversation | ReadEntries | Skipped
NAMES: dict[str, str] = {form.key: form.name for form in FORMATS} | {
    module.FORMAT: module.NAME for module in (forge_export, forge_rag, notes_md)
}


def contents(document: Document) -> tuple[Iterator[Read], int]:
    """And how many unreadable characters were replaced. Raises NotAnExportError or TooLargeError."""
    if forge_rag.matches(document):
        return iter([forge_rag.entries(document)]), 0
    if notes_md.matches(document.name):
        check_size(document.name, len(document.data), notes_md.LIMIT)
        text, replaced = document.text()
        return iter([notes_md.entries(document.name, text)]), replaced
    if forge_export.matches(document):
        return forge_export.read(document)
    value, replaced = document.parsed()
    return conversations(value, document.name), replaced
