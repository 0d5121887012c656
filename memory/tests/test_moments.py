"""What a text's relative words mean, in the person's time zone, when they were said."""

from __future__ import annotations

import subprocess
import sys
import time
from datetime import UTC, datetime, timedelta, tzinfo
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.domain.moments import READ, Told, told

PARIS, NEW_YORK = ZoneInfo("Europe/Paris"), ZoneInfo("America/New_York")
SAID = datetime(2026, 11, 11, 10, 20, tzinfo=PARIS)

Case = tuple[str, bool, str]


def cases(name: str) -> list[Case]:
    """What is expected (`-`: nothing), whether the text looks ahead, and the text."""
    lines = (Path(__file__).parent / "data" / "moments" / name).read_text(encoding="utf-8").splitlines()
    split = [line.split(" | ", 1) for line in lines if not line.startswith("#")]
    return [(expected.removeprefix("ahead "), expected.startswith("ahead "), text) for expected, text in split]


ALONG, BEFORE = cases("written_with_the_code.txt"), cases("written_before_the_code.txt")
TEXTS = [text for _, _, text in ALONG]


def shown(moment: Told | None, zone: tzinfo = PARIS) -> str:
    if moment is None:
        return "-"
    local = moment.at.astimezone(zone)
    return f"{local:%Y-%m-%dT%H:%M} {moment.span}".replace("T00:00 ", " " if moment.span != "minute" else "T00:00 ")


@pytest.mark.parametrize(("expected", "ahead", "text"), ALONG + BEFORE)
def test_a_sentence_is_of_the_moment_that_its_words_name(expected: str, ahead: bool, text: str) -> None:
    assert shown(told(text, SAID, PARIS, ahead=ahead)) == expected


def test_the_lists_hold_enough_of_both_sorts() -> None:
    named = [expected for expected, _, _ in ALONG + BEFORE if expected != "-"]

    assert len(named) > 180
    assert len(ALONG + BEFORE) - len(named) > 160


def test_capitals_and_typographic_marks_change_nothing() -> None:
    shouted = [text.upper().replace("'", "’").replace(" ", "\N{NO-BREAK SPACE}") for text in TEXTS]

    assert [shown(told(text, SAID, PARIS)) for text in shouted] == [shown(told(text, SAID, PARIS)) for text in TEXTS]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Ana's flight lands Tomorrow at 18:45, gate B.", "Tomorrow at 18:45"),
        ("RDV chez l’ophtalmo Après-demain  à 14 h 30 !", "Après-demain  à 14 h 30"),
        ("Submit it by next\nMonday", "by next\nMonday"),
        ("At 8 tonight there is a film", "At 8 tonight"),
    ],
)
def test_the_words_are_kept_as_they_stand(text: str, words: str) -> None:
    moment = told(text, SAID, PARIS)

    assert moment is not None
    assert moment.words == words


@pytest.mark.parametrize(
    ("zone", "said", "text", "at"),
    [
        (PARIS, "2027-03-27T12:00", "The job runs tomorrow at 2:30", "2027-03-28T01:30"),  # left out: 3:30 that day
        (PARIS, "2026-10-24T12:00", "The job runs tomorrow at 2:30", "2026-10-25T00:30"),  # told twice: the first
        (PARIS, "2026-10-24T12:00", "Demain à 14h", "2026-10-25T13:00"),
        (PARIS, "2026-10-24T12:00", "The kiln is ready in 24 hours", "2026-10-25T10:00"),
        (PARIS, "2026-10-25T12:00", "It broke yesterday", "2026-10-23T22:00"),
        (NEW_YORK, "2027-03-13T12:00", "The job runs tomorrow at 2:30", "2027-03-14T07:30"),
        (NEW_YORK, "2026-10-31T12:00", "The job runs tomorrow at 2:30 pm", "2026-11-01T19:30"),
        (ZoneInfo("America/Havana"), "2026-11-01T12:00", "It broke today", "2026-11-01T04:00"),  # two midnights
    ],
)
def test_the_clocks_may_change_between(zone: ZoneInfo, said: str, text: str, at: str) -> None:
    moment = told(text, datetime.fromisoformat(said).replace(tzinfo=zone), zone)

    assert moment is not None
    assert moment.at == datetime.fromisoformat(at).replace(tzinfo=UTC)


def test_which_day_it_was_depends_on_the_persons_zone() -> None:
    late = datetime(2026, 11, 11, 23, 30, tzinfo=UTC)  # 00:30 on the 12th in Paris

    assert shown(told("It broke yesterday", late, PARIS)) == "2026-11-11 day"
    assert shown(told("It broke yesterday", late, NEW_YORK), NEW_YORK) == "2026-11-10 day"


def test_a_moment_said_twice_is_one_and_two_moments_are_none() -> None:
    assert shown(told("Tomorrow, yes, demain!", SAID, PARIS)) == "2026-11-12 day"
    assert told("Away yesterday, back tomorrow", SAID, PARIS) is None
    assert told("Away yesterday, back on Friday", SAID, PARIS) is None


def test_the_same_day_of_the_week_is_never_today() -> None:
    assert shown(told("Call Ben next Wednesday", SAID, PARIS)) == "2026-11-18 day"
    assert shown(told("Called Ben last Wednesday", SAID, PARIS)) == "2026-11-04 day"
    assert shown(told("Call Ben on Wednesday", SAID, PARIS, ahead=True)) == "2026-11-18 day"


def test_only_the_beginning_of_a_long_text_is_read() -> None:
    assert told("word " * (READ // 5 - 4) + "tomorrow", SAID, PARIS) is not None
    assert told("word " * (READ // 5) + "tomorrow", SAID, PARIS) is None
    assert told("tomorrow " + "word " * 300_000, SAID, PARIS) is not None


def test_what_is_out_of_the_calendar_is_no_moment() -> None:
    assert told("It ends tomorrow", datetime(9999, 12, 31, 12, tzinfo=UTC), UTC) is None
    assert told("It began yesterday", datetime(1, 1, 1, 12, tzinfo=UTC), UTC) is None
    assert told("It began 300 years ago", datetime(200, 1, 1, tzinfo=UTC), UTC) is None
    assert told("It ends tomorrow", datetime.max.replace(tzinfo=UTC), ZoneInfo("Pacific/Kiritimati")) is None


@pytest.mark.skipif(not hasattr(time, "tzset"), reason="The zone of this machine's process cannot be set.")
def test_the_zone_of_the_machine_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    def all_told(zone: str) -> list[Told | None]:
        with monkeypatch.context() as patch:
            patch.setenv("TZ", zone)
            time.tzset()
            found = [told(text, SAID, PARIS, ahead=True) for text in TEXTS]
        time.tzset()
        return found

    assert all_told("Pacific/Kiritimati") == all_told("Pacific/Pago_Pago")


def test_a_process_that_reads_no_text_loads_no_calendar() -> None:
    code = "import sys, memory.domain.moments as _; sys.exit('dateutil' in sys.modules)"

    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


@given(
    st.lists(
        st.sampled_from(TEXTS).flatmap(lambda text: st.sampled_from(text.split())) | st.text(max_size=8), max_size=12
    ),
    st.datetimes(timezones=st.sampled_from([UTC, PARIS, NEW_YORK])),
    st.booleans(),
)
def test_any_text_at_any_time_names_a_moment_in_its_own_words_or_none(
    parts: list[str], said: datetime, ahead: bool
) -> None:
    text = " ".join(parts)

    moment = told(text, said, PARIS, ahead=ahead)

    assert moment == told(text, said, PARIS, ahead=ahead)
    if moment:
        assert moment.words in text
        assert moment.at.utcoffset() == timedelta(0)
        assert (moment.at.astimezone(PARIS).second, moment.at.microsecond) == (0, 0)
        assert moment.span in ("minute", "hour", "day", "week", "month", "year")
