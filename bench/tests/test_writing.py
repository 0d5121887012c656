"""The bench sees by itself what was made up."""

from __future__ import annotations

from bench.writing import lacking, own, stated


def test_a_name_or_number_that_the_text_lacks_is_seen() -> None:
    assert lacking("Sister of Anna, 32 years", "My sister is 31.") == ["Anna", "32"]
    assert lacking("Lives with Anna's 2 cats", "Anna has 2 cats, I live with them.") == []


def test_a_question_is_proposed_as_it_is_and_as_a_statement() -> None:
    assert [text for _kind, text in own("Do I own it?").proposed] == ["Do I own it?", "Do I own it"]


def test_sentences_of_a_text() -> None:
    assert stated("Un mot. Voici une phrase entière. Et ?") == ["Voici une phrase entière."]
