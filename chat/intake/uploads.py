"""Exports between upload and confirmation: kept in the owner's own folder, for an hour, under a secret name."""

from __future__ import annotations

import re
import secrets
import shutil
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from django.core.files.uploadedfile import UploadedFile
from django.utils.translation import gettext as _

from chat.importers.reading import LIMIT
from forgesite.accounts import folder_of
from forgesite.errors import EmptyError, TooLargeError, UnknownError
from forgesite.models import Account

KEPT_SECONDS = 3600
TOKEN = re.compile(r"[0-9a-f]{32}")


def keep(owner: Account, files: Sequence[UploadedFile]) -> str:
    """Write the files down and return the token they are kept under. Older uploads of this owner are removed."""
    if not files:
        raise EmptyError(_("Choose the file of an export first."))
    check_size(sum(file.size or 0 for file in files))
    _sweep(owner)
    token = secrets.token_hex(16)
    for number, file in enumerate(files):
        folder = _folder(owner) / token / str(number)
        folder.mkdir(parents=True, mode=0o700)
        write(folder / name_of(file), file.chunks())
    return token


def kept(owner: Account, token: str) -> list[Path]:
    """The files of an upload, in the order they came. Raises UnknownError once they are gone."""
    folder = _folder(owner) / token if TOKEN.fullmatch(token) else None
    if folder is None or not folder.is_dir():
        raise UnknownError(_("This upload is no longer kept. Choose the file again."))
    return [file for number in sorted(folder.iterdir(), key=lambda path: int(path.name)) for file in number.iterdir()]


def drop(owner: Account, token: str) -> None:
    if TOKEN.fullmatch(token):
        shutil.rmtree(_folder(owner) / token, ignore_errors=True)


@contextmanager
def aside(owner: Account) -> Iterator[Path]:
    """A folder beside the uploads, and gone after the block; what a kill leaves of it goes as an upload does."""
    _folder(owner).mkdir(parents=True, mode=0o700, exist_ok=True)
    with TemporaryDirectory(dir=_folder(owner)) as name:
        yield Path(name)


def check_size(size: int) -> None:
    if size > LIMIT:
        message = _("The upload has %(size)s bytes; %(limit)s are allowed.") % {"size": size, "limit": LIMIT}
        raise TooLargeError(message, detail={"size": size, "limit": LIMIT})


def name_of(file: UploadedFile) -> str:
    """A name safe to make a file of; Django has taken any folder from it."""
    return (file.name or "")[-100:].lstrip(".").replace("\0", "") or "export.json"


def write(path: Path, chunks: Iterable[bytes]) -> None:
    """To the file, at most the limit. Raises TooLargeError and leaves what it has for the caller to remove."""
    size = 0
    with path.open("wb") as file:
        for chunk in chunks:
            size += len(chunk)
            check_size(size)
            file.write(chunk)


def _folder(owner: Account) -> Path:
    return folder_of(owner) / "uploads"


def _sweep(owner: Account) -> None:
    """What nobody confirmed within the hour."""
    if not _folder(owner).is_dir():
        return
    for folder in _folder(owner).iterdir():
        if folder.stat().st_mtime < time.time() - KEPT_SECONDS:
            shutil.rmtree(folder, ignore_errors=True)
