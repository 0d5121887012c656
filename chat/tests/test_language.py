import pytest

from chat.domain.language import language_of


@pytest.mark.parametrize(
    "text",
    ["Which port does the test server use?", "Remember that I own a NAS", "Where is my bike?", "What's the plan"],
)
def test_english_is_known_by_its_function_words(text: str) -> None:
    assert language_of(text) == "en"


@pytest.mark.parametrize(
    "text", ["Quel port utilise le serveur de test ?", "Où est mon vélo ?", "Retiens que j'ai un NAS", "C'est quoi ?"]
)
def test_french_is_known_by_its_function_words(text: str) -> None:
    assert language_of(text) == "fr"


@pytest.mark.parametrize(
    "text", ["", "NiPoGi", "东京在哪里？", "!remember fact - the NAS is in the cellar", "Wo ist mein Fahrrad?"]
)
def test_a_text_in_neither_is_undecided(text: str) -> None:
    assert language_of(text) is None
