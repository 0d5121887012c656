"""What stands around recalls and holds words of a forgotten text: aliases, golden questions, questions of receipts."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

from django.db.models import Q, TextField
from django.db.models.functions import Cast

from forgesite.erasing import Plan
from forgesite.holding import holding
from forgesite.lib.masking import Texts, masked, masked_json
from memory import aliases
from memory.models import Alias, GoldenEntry, GoldenQuestion, Receipt
from memory.receipts import erase_prefixes, erase_questions

if TYPE_CHECKING:
    from forgesite.models import Account


def plan(owner: Account, texts: Texts) -> Plan:
    """Aliases that were proposed from the entry or quote it go. A golden question that quotes it is masked, and stays
    without its right entry. Of a receipt that asked with its words all questions go, with what a guess at them could
    be tried with; and of every receipt what a guess at the beginning of its prompt could.
    """
    names, questions, receipts = _aliases(owner, texts), _golden(owner, texts), _receipts(owner, texts)
    right = GoldenEntry.objects.filter(question__owner=owner, entry__in={text.entry for text in texts})

    def write() -> None:
        Alias.objects.of(owner).filter(pk__in=names).delete()
        for pk, text in questions.items():
            GoldenQuestion.objects.of(owner).filter(pk=pk).update(text=text)
        erase_questions(Receipt.objects.of(owner).filter(pk__in=receipts))
        erase_prefixes(owner)

    counts = {"aliases": len(names), "golden": right.count(), "golden_questions": len(questions)}
    return Plan(write, counts | {"receipts": len(receipts)})


def take(owner: Account, *, runs: Collection[str], messages: Collection[int]) -> None:
    """With messages that a person takes away goes what was asked by them: the questions that receipts keep of those
    runs, and the golden questions that were starred from them. Later prompts may have begun with the messages."""
    runs = [run for run in runs if run]
    erase_questions(Receipt.objects.of(owner).filter(run_id__in=runs))
    erase_prefixes(owner)
    GoldenQuestion.objects.of(owner).filter(Q(run_id__in=runs) | Q(message__in=messages)).delete()


def _aliases(owner: Account, texts: Texts) -> list[int]:
    rows = Alias.objects.of(owner)
    own = aliases.that_came_from(owner, {text.entry for text in texts})
    names = holding(rows, ["name", "other"], texts)
    quoting = [pk for pk, name, other in names if (masked(name, texts), masked(other, texts)) != (name, other)]
    return sorted({*own, *quoting})


def _golden(owner: Account, texts: Texts) -> dict[int, str]:
    rows = holding(GoldenQuestion.objects.of(owner), ["text"], texts)
    after = {pk: (text, masked(text, texts)) for pk, text in rows}
    return {pk: new for pk, (old, new) in after.items() if new != old}


def _receipts(owner: Account, texts: Texts) -> list[int]:
    rows = Receipt.objects.of(owner).annotate(words=Cast("questions", TextField()))
    found = holding(rows, ["words"], texts, ["questions"])
    return [pk for pk, _words, asked in found if masked_json(asked, texts) != asked]
