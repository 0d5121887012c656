"""The replay tells a store's own words, and credits each row where it stands in its unit."""

from __future__ import annotations

from bench import compaction_replay
from bench.sets import Store, _exchanges


def store() -> Store:
    rows = [
        {"id": "a", "role": "user", "speaker": "Mel", "session": "1", "date": "", "text": "Which port?"},
        {"id": "b", "role": "assistant", "speaker": "Ann", "session": "1", "date": "", "text": "8080."},
        {"id": "c", "role": "assistant", "speaker": "Ann", "session": "1", "date": "", "text": "Since May."},
        {"id": "d", "role": "user", "speaker": "Mel", "session": "2", "date": "", "text": "Thanks,\nAnn."},
    ]
    return Store("s", tuple(_exchanges(rows)), ())


def test_a_unit_is_written_as_a_compaction_writes_it_and_ends_where_its_rows_do() -> None:
    first, second = compaction_replay.said(store()).exchanges

    assert first.text == "user: Mel: Which port?\nassistant: Ann: 8080.\nAnn: Since May."
    assert [first.text[:end].rpartition(": ")[2] for end in first.ends] == ["Which port?", "8080.", "Since May."]
    assert second.text == "user: Mel: Thanks,\nAnn."


def test_a_turn_says_each_rows_own_words() -> None:
    first, second = compaction_replay.said(store()).exchanges

    assert compaction_replay._own(first) == ["Mel: Which port?", "Ann: 8080.", "Ann: Since May."]
    assert compaction_replay._own(second) == ["Mel: Thanks,\nAnn."]
