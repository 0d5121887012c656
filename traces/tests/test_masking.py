from traces.masking import forgotten, masked, masked_json

PORT = "the test server runs on port 8080"


def without(value: str, text: str = PORT) -> str:
    return masked(value, forgotten([text], [312]))


def test_a_quotation_becomes_a_mark_with_the_id() -> None:
    assert without(f"> {PORT} — #312 fact") == "> [forgotten #312] — #312 fact"


def test_a_text_that_is_not_quoted_stays_the_same() -> None:
    assert without("the test server is down") == "the test server is down"


def test_every_quotation_goes() -> None:
    assert without(f"{PORT}; {PORT}.") == "[forgotten #312]; [forgotten #312]."


def test_a_text_of_several_lines_is_found_behind_quotation_marks() -> None:
    assert without("> the NAS has\n> two disks", "the NAS has\n\ntwo disks") == "> [forgotten #312]"


def test_a_text_is_found_behind_markdown_escapes() -> None:
    assert without(r"> use \*\*bold\*\* here", "use **bold** here") == "> [forgotten #312]"


def test_a_clipped_quotation_is_found() -> None:
    assert without("Remember that the test server runs on po…") == "Remember that [forgotten #312]…"


def test_the_first_words_alone_are_no_quotation() -> None:
    assert without("What does the…") == "What does the…"


def test_marks_name_every_id_where_texts_and_ids_do_not_pair_up() -> None:
    gone = forgotten(["one old text", "one new text"], [7])
    assert masked("one old text", gone) == "[forgotten #7]"


def test_texts_inside_json_are_masked_and_the_rest_kept() -> None:
    detail = {"entries": [{"id": 312, "preview": PORT}], "nearest": None}
    assert masked_json(detail, forgotten([PORT], [312])) == {
        "entries": [{"id": 312, "preview": "[forgotten #312]"}],
        "nearest": None,
    }
