"""The measure of a block past its budget, on made-up entries: the same numbers for everybody."""

from bench.hot_index import cut, indexed, made


def test_an_index_keeps_in_reach_what_a_cut_loses() -> None:
    entries = made(200)
    before, after = cut(entries, 1000), indexed(entries, 1000)
    assert [one.question for one in made(3)] == [one.question for one in entries[:3]]
    assert before.tokens <= 1000 >= after.tokens
    assert before.reached < 0.3
    assert after.reached > 0.9
