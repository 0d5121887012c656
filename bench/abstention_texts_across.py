"""The questions of bench/abstention_texts.py, each asked of the memory of the other language.

Both halves were written in parallel, place by place, so that a question of one is the translation of that in the other;
where the texts name somebody or something else, it is translated here, by hand, once the rule for a memory of its own
language stood and before that across languages was made. 64 a direction, with what is absent: near in topic, and the
same of another.
"""

from __future__ import annotations

from dataclasses import replace

from bench.abstention_texts import CASES, Case

#: Place, from 0 → the question in this language of what the memory of the other one holds there.
ENGLISH = {
    3: "What must Théo not eat?",
    18: "What did we like at Lucia's?",
    26: "When is the wedding of Jeanne and Pierre?",
    29: "How far did I get in Les Misérables?",
    49: "How much is the refund for the train to Lille?",
    58: "For how many people is the table at the Lion d'Or?",
}
FRENCH = {
    3: "Qu'est-ce que Tom ne doit pas manger ?",
    18: "Qu'avons-nous aimé à l'Osteria Lucia ?",
    26: "Quand a lieu le mariage de Joanna et Peter ?",
    29: "Où en suis-je dans Middlemarch ?",
    49: "De combien est le remboursement du train pour Leeds ?",
    58: "Pour combien de personnes est la table au Golden Hind ?",
}
OTHER = {"English": "French", "French": "English"}


def asked_across(memory: str, cases: dict[str, tuple[Case, ...]] = CASES) -> tuple[Case, ...]:
    """Of a memory in this language each text, with its questions in the other one."""
    answered = FRENCH if memory == "English" else ENGLISH
    pairs = zip(cases[memory], cases[OTHER[memory]], strict=True)
    return tuple(
        replace(asked, text=own.text, answered=answered.get(place, asked.answered))
        for place, (own, asked) in enumerate(pairs)
    )
