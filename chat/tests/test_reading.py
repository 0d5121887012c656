"""Files are read strictly and within bounds: a clear line for each that cannot be an export."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path

import pytest

from chat.importers.reading import LIMIT, Document, NotAnExportError, documents, paths_in
from forgesite.errors import TooLargeError
from forgesite.schemas import MIB


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ('{"id": 1, "id": 2}', "the key 'id' stands twice in one object"),
        ('{"create_time": NaN}', "NaN is no number of JSON"),
        ('{"create_time": -Infinity}', "-Infinity is no number of JSON"),
        ('{"create_time": 1e999}', "the number 1e999 is too large"),
        ('{"create_time": ' + "9" * 5000 + "}", "a number of 5000 digits"),
        ("[" * 200_000, "nested too deeply"),
        ('{"a":' * 200_000, "nested too deeply"),
        ("", "is not valid JSON"),
        ('[{"id": ', "is not valid JSON"),
        ("Which port?", "is not valid JSON"),
    ],
)
def test_json_that_no_export_has_is_refused_with_its_reason(text: str, why: str) -> None:
    with pytest.raises(NotAnExportError, match=r"conversations\.json") as refused:
        Document("conversations.json", text.encode()).parsed()
    assert why in refused.value.message


def test_bytes_that_are_no_utf_8_are_replaced_and_counted() -> None:
    value, replaced = Document("a.json", b'\xef\xbb\xbf{"title": "caf\xe9 \xef\xbf\xbd"}').parsed()

    assert value == {"title": "caf� �"}
    assert replaced == 1


def test_utf_16_is_read() -> None:
    assert Document("a.json", '{"title": "été"}'.encode("utf-16")).parsed() == ({"title": "été"}, 0)


def zipped(path: Path, **files: str) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in files.items():
            archive.writestr(name.replace("__", "/") + ".json", text)
    return path


def test_of_a_zip_the_conversations_are_read(tmp_path: Path) -> None:
    path = zipped(tmp_path / "export.zip", user="{}", data__conversations="[1]")

    assert [(one.name, one.data) for one in documents(path, "export.zip")] == [
        ("export.zip/data/conversations.json", b"[1]")
    ]


def test_a_zip_without_conversations_gives_every_json_file(tmp_path: Path) -> None:
    path = zipped(tmp_path / "chats.zip", one="1", two="2")

    assert [one.data for one in documents(path, "chats.zip")] == [b"1", b"2"]


def test_a_zip_is_told_by_its_content(tmp_path: Path) -> None:
    path = zipped(tmp_path / "export.json", conversations="[1]")

    assert [one.data for one in documents(path, "export.json")] == [b"[1]"]


def test_a_zip_that_unpacks_beyond_the_limit_is_refused(tmp_path: Path) -> None:
    path = zipped(tmp_path / "bomb.zip", a__conversations=" " * MIB, b__conversations=" " * MIB)

    assert path.stat().st_size < MIB / 100
    assert len(list(documents(path, "bomb.zip", limit=2 * MIB))) == 2
    with pytest.raises(TooLargeError, match=r"bomb\.zip/b/conversations\.json is too large: .* 1 MiB"):
        list(documents(path, "bomb.zip", limit=2 * MIB - 1))


def test_a_file_beyond_the_limit_is_refused_unread(tmp_path: Path) -> None:
    path = tmp_path / "big.json"
    with path.open("wb") as file:
        file.truncate(LIMIT + 1)

    with pytest.raises(TooLargeError) as refused:
        list(documents(path, "big.json"))
    assert refused.value.detail == {"size": LIMIT + 1, "limit": LIMIT}


def test_a_zip_cut_short_is_refused(tmp_path: Path) -> None:
    path = zipped(tmp_path / "export.zip", conversations=json.dumps(list(range(10_000))))
    data = bytearray(path.read_bytes())
    data[100:200] = bytes(100)
    path.write_bytes(data)

    with pytest.raises(NotAnExportError, match="cannot be unpacked"):
        list(documents(path, "export.zip"))


def test_a_zip_without_json_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "export.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("chat.html", "<html>")

    with pytest.raises(NotAnExportError, match="holds no JSON file"):
        list(documents(path, "export.zip"))


def test_a_missing_file_is_refused_by_name(tmp_path: Path) -> None:
    with pytest.raises(NotAnExportError, match=r"gone\.json cannot be read"):
        list(documents(tmp_path / "gone.json", "gone.json"))


def test_of_a_folder_json_and_zip_files_are_taken_in_order(tmp_path: Path) -> None:
    for name in ("b.JSON", "a.zip", "notes.txt", "deep/c.json"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).touch()

    assert [path.relative_to(tmp_path).as_posix() for path in paths_in(tmp_path)] == ["a.zip", "b.JSON", "deep/c.json"]
