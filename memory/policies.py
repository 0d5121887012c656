"""The policies of a recall: which channels are asked, with which budgets, and in which order the rows are shown."""

from __future__ import annotations

from dataclasses import dataclass

from django.conf import settings

from memory.domain.hybrid import hybrid
from memory.domain.scope import Scope
from memory.domain.union import Budgets, Order, interleave, merge


@dataclass(frozen=True)
class Policy:
    """`beside`: rows that only words found come beside `top_k` others, with a budget of their own.

    `bare`: vectors are asked without the names that most rows hold (see by_words.py).
    """

    vectors: bool
    words: bool
    order: Order = merge
    beside: bool = False
    bare: bool = False

    def budgets(self, top_k: int | None) -> Budgets:
        """None: as set."""
        rows = top_k or settings.FORGE.RECALL_TOP_K
        if self.vectors and self.words and not settings.FORGE.RECALL_LEXICAL:
            return Budgets(rows, 0)
        return Budgets(rows, settings.FORGE.RECALL_LEXICAL_TOP_K if self.beside else rows)

    def of_words_alone(self, budget: Budgets) -> Budgets:
        """As many rows as the policy shows, where vectors cannot give theirs."""
        return Budgets(budget.vector, budget.vector + (budget.words if self.beside else 0))


POLICIES = {
    "hybrid": Policy(True, True, hybrid, bare=True),
    "union": Policy(True, True, beside=True),
    "interleave": Policy(True, True, interleave),
    "vector": Policy(True, False),
    "lexical": Policy(False, True),
}


@dataclass(frozen=True)
class Asked:
    """A question, and where and how it is answered."""

    text: str
    where: Scope
    policy: Policy
