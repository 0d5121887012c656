"""The policies of a recall: which channels are asked, with which budgets, and in which order the rows are shown.

hybrid           both channels, what they say of a row added up
union            measured distances first, then what only words found, each with a budget of its own
interleave       words and vectors in turn
weighted         both by fixed weights, less the older a row is
vector, lexical  one channel alone
recent           the newest rows, whatever was asked
balanced         open todos, always; then words, vectors and the newest rows in turn
semantic         words, vectors and procedures in turn
task_maintenance open todos, and nothing else
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from django.conf import settings

from memory.domain.hybrid import hybrid
from memory.domain.scope import Scope
from memory.domain.union import Budgets, Order, interleave, merge
from memory.domain.weighted import Weights, weighted

#: Rows that are found without a question (see plain_rows.py).
Plain = Literal["recent", "procedures"]


@dataclass(frozen=True)
class Policy:
    """`plain`: rows that take their turn with what the question found.

    `todos`: open ones stand first, all of them, `always` or where a prompt is built. `packed`: what is shown has to fit
    RECALL_MAX_BYTES and RECALL_MAX_ITEMS (see packing.py), in a search too. `beside`: rows that only words found come
    beside `top_k` others, with a budget of their own. `bare`: vectors are asked without the names that most rows hold
    (see by_words.py). `ages`: the order goes by the weights that are set, and by how old a row is.
    `company`: it goes by what stands next to a row, and by what else was said on its day (see domain/hybrid.py).
    """

    vectors: bool = False
    words: bool = False
    order: Order = merge
    plain: Plain | None = None
    todos: Literal["never", "prompt", "always"] = "never"
    packed: bool = False
    beside: bool = False
    bare: bool = False
    ages: bool = False
    company: bool = False

    @property
    def asks(self) -> bool:
        """Does any channel look at the question?"""
        return self.vectors or self.words

    def budgets(self, top_k: int | None) -> Budgets:
        """None: as set."""
        forge = settings.FORGE
        rows = top_k or forge.RECALL_TOP_K
        if self.packed:
            rows = min(top_k or forge.RECALL_MAX_ITEMS, forge.RECALL_MAX_ITEMS)
        if self.vectors and self.words and not forge.RECALL_LEXICAL:
            return Budgets(rows, 0)
        return Budgets(rows, forge.RECALL_LEXICAL_TOP_K if self.beside else rows)

    def of_words_alone(self, budget: Budgets) -> Budgets:
        """As many rows as the policy shows, where vectors cannot give theirs."""
        return Budgets(budget.vector, budget.vector + (budget.words if self.beside else 0))

    def in_force(self) -> Policy:
        """A channel that counts nothing is not asked."""
        if not self.ages:
            return self
        weights = weights_set()
        return replace(self, vectors=weights.meaning > 0, words=weights.words > 0)


POLICIES = {
    "hybrid": Policy(True, True, hybrid, todos="prompt", bare=True, company=True),
    "union": Policy(True, True, beside=True),
    "interleave": Policy(True, True, interleave),
    "weighted": Policy(True, True, weighted, ages=True),
    "vector": Policy(True, False),
    "lexical": Policy(False, True),
    "recent": Policy(order=interleave, plain="recent"),
    "balanced": Policy(True, True, interleave, plain="recent", todos="always", packed=True, bare=True),
    "semantic": Policy(True, True, interleave, plain="procedures", todos="prompt", packed=True, bare=True),
    "task_maintenance": Policy(order=interleave, todos="always", packed=True),
}


def searching() -> str:
    """The policy of a search box: the one that is set, or `hybrid` where that one is made for prompts."""
    named: str = settings.FORGE.RECALL_POLICY
    policy = POLICIES[named]
    return named if policy.asks and not policy.packed else "hybrid"


def weights_set() -> Weights:
    forge = settings.FORGE
    return Weights(forge.VECTOR_WEIGHT, forge.KEYWORD_WEIGHT, forge.DECAY_HALF_LIFE_DAYS)


@dataclass(frozen=True)
class Asked:
    """A question, and where and how it is answered."""

    text: str
    where: Scope
    policy: Policy
