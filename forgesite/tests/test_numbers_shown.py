"""Numbers as a reader's language writes them."""

from __future__ import annotations

import pytest
from django.utils import translation

from forgesite.errors import UnknownError
from forgesite.language import number, told_apart
from forgesite.models import Account
from memory.models import Entry


@pytest.mark.parametrize(
    ("value", "digits", "english", "french"),
    [(1278, 0, "1,278", "1\xa0278"), (0.9878, 2, "0.99", "0,99"), (0.995, 2, "0.99", "0,99"), (2, 0, "2", "2")],
)
def test_a_number_is_rounded_and_written_in_the_language(value: float, digits: int, english: str, french: str) -> None:
    assert number(value, digits) == english
    with translation.override("fr"):
        assert number(value, digits) == french


def test_two_numbers_that_differ_never_read_the_same() -> None:
    assert told_apart(1.2204, 1.22) == ("1.2204", "1.2200")
    assert told_apart(1.29, 1.22) == ("1.29", "1.22")
    assert told_apart(1.22, 1.22) == ("1.22", "1.22")


@pytest.mark.django_db
def test_an_id_that_nobody_has_is_named_in_the_readers_language(ana: Account) -> None:
    with translation.override("fr"), pytest.raises(UnknownError) as raised:
        Entry.objects.one_of(ana, pk=999)
    assert "999" in raised.value.message
    assert "No " not in raised.value.message
