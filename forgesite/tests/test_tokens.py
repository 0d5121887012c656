"""The estimate of tokens is seldom too small; windows are known by the longest beginning of a name."""

# ruff: noqa: E501 — the texts stand as they were counted

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forgesite.lib.tokens import estimate, known_window

#: Text → what the tokenizers o200k (GPT-4o), cl100k (GPT-4) and tekken (Mistral) made of it, and how often it stood.
COUNTED = {
    "Forge is a self-hosted assistant. It remembers what you tell it, and you can see, correct and prove what it remembers. Yesterday I spoke to Margaret about the boiler in the cellar; she thinks we should replace it before winter, because the heat exchanger leaks and spare parts are no longer made. ": (
        (184, 187, 191),
        3,
    ),
    "Le NiPoGi a 32 Go de RAM et tourne sous Debian. Hier, j'ai parlé à Marguerite de la chaudière de la cave : elle pense qu'il faudrait la remplacer avant l'hiver, parce que l'échangeur fuit et que les pièces détachées ne sont plus fabriquées. Où est-ce qu'on peut trouver un bon chauffagiste près d'Orléans ? ": (
        (238, 283, 235),
        3,
    ),
    "Gestern habe ich mit Margarete über den Heizkessel im Keller gesprochen; sie meint, wir sollten ihn vor dem Winter austauschen, weil der Wärmetauscher undicht ist und Ersatzteile nicht mehr hergestellt werden. Die Geschwindigkeitsbegrenzung gilt auch für Straßenbahnen. ": (
        (184, 224, 188),
        3,
    ),
    "Вчера я говорил с Маргаритой о котле в подвале; она считает, что нам следует заменить его до зимы, потому что теплообменник протекает, а запасные части больше не выпускаются. ": (
        (145, 232, 157),
        3,
    ),
    "昨天我和玛格丽特谈了地下室的锅炉；她认为我们应该在冬天之前更换它，因为热交换器漏水，而且备件已经停产了。": (
        (120, 198, 144),
        3,
    ),
    "昨日マーガレットと地下室のボイラーについて話しました。熱交換器が漏れていて、交換部品ももう製造されていないので、冬の前に交換すべきだと彼女は考えています。": (
        (159, 252, 174),
        3,
    ),
    "어제 마가렛과 지하실 보일러에 대해 이야기했습니다. 그녀는 열교환기가 새고 예비 부품이 더 이상 생산되지 않기 때문에 겨울 전에 교체해야 한다고 생각합니다. ": (
        (145, 243, 133),
        3,
    ),
    "تحدثت أمس مع مارغريت عن الغلاية في القبو؛ تعتقد أنه يجب علينا استبدالها قبل الشتاء لأن المبادل الحراري يسرب. ": (
        (110, 226, 104),
        3,
    ),
    "कल मैंने मार्गरेट से तहखाने के बॉयलर के बारे में बात की; उसे लगता है कि हमें सर्दियों से पहले इसे बदल देना चाहिए। ": (
        (103, 325, 112),
        3,
    ),
    '{"id": "c1", "object": "chat.completion.chunk", "choices": [{"index": 0, "delta": {"content": "Hello"}, "finish_reason": null}], "usage": {"prompt_tokens": 7}}\n': (
        (250, 250, 270),
        5,
    ),
    "2026-11-30 04:22:17.481 192.168.1.24 3141592653589793 0x7ffe 42,195 km 12.50 € 1 000 000\n": ((255, 255, 420), 5),
    "👨\u200d👩\u200d👧\u200d👦🎉 fête 🏳️\u200d🌈 ok 👍🏽 👩🏻\u200d💻 🇫🇷 ❤️\n": ((185, 280, 345), 5),
    "| name | size | price |\n| --- | ---: | ---: |\n| boiler | 24 kW | 1,890 |\n": ((145, 140, 160), 5),
    "https://forge.example.org/c/4711?branch=all&show=archived#message-99 /usr/lib/python3.11/site-packages/httpx/_client.py\n": (
        (152, 144, 168),
        4,
    ),
}


@pytest.mark.parametrize("text", COUNTED)
def test_the_estimate_is_near_what_tokenizers_count(text: str) -> None:
    counted, times = COUNTED[text]

    assert 0.8 * max(counted) <= estimate(text * times) <= 2.8 * min(counted)


def test_nothing_is_no_token() -> None:
    assert estimate("") == 0


@given(st.text(), st.text())
def test_more_text_is_not_fewer_tokens(one: str, other: str) -> None:
    assert estimate(one + "\n\n" + other) >= max(estimate(one), estimate(other)) - 1


@given(st.text())
def test_it_is_never_more_than_a_few_for_a_character(text: str) -> None:
    assert estimate(text) <= 2.5 * len(text) + 1


@pytest.mark.parametrize(
    ("name", "window"),
    [
        ("gpt-4o-mini", 128_000),
        ("gpt-3.5-turbo", 16_000),
        ("claude-3-5-sonnet", 200_000),
        ("gemini-2.5-flash", 1_000_000),
        ("llama3:8b", 8_000),
        ("llama3.1:8b", 128_000),
        ("meta-llama/Llama-3.1-8B-Instruct", 128_000),
        ("Qwen2.5-7B-Instruct-Q4_K_M", 32_000),
        ("deepseek-chat", 64_000),
        ("codellama:13b", 16_000),
        ("my-own-model", None),
        ("", None),
    ],
)
def test_a_window_is_known_by_the_name(name: str, window: int | None) -> None:
    assert known_window(name) == window
