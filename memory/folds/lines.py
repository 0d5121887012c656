"""Folds as lines for a terminal or a chat."""

from __future__ import annotations

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from memory.domain import fold_gates
from memory.domain.fold_values import Fold
from memory.fold import MOVED, Applied
from memory.folds.plan import Planned
from memory.given.lately import Loss
from memory.golden_words import named as named_question
from memory.guard import told

#: Why a fold is refused.
GATES = {
    fold_gates.CLOSURE: gettext_lazy("it would hold words that no entry has (%(words)s)"),
    fold_gates.REPETITION: gettext_lazy("it would say something twice (%(words)s)"),
    fold_gates.QUORUM: gettext_lazy("too few entries are left for one line"),
    fold_gates.BUDGET: gettext_lazy("it would save too little"),
    fold_gates.SIZE: gettext_lazy("its line would be too long to read"),
    fold_gates.STORE: gettext_lazy("memory does not take the line as it is"),
    fold_gates.QUESTIONS: gettext_lazy("questions would be given less"),
    MOVED: gettext_lazy("an entry of it changed meanwhile"),
}
#: Why an entry is held back from a fold.
WHY = {
    "negation": gettext_lazy("it negates something"),
    "condition": gettext_lazy("it holds under a condition"),
    "report": gettext_lazy("it says what somebody says"),
    "time": gettext_lazy("it is of a time"),
    "gone": gettext_lazy("it tells of a loss"),
    "hedge": gettext_lazy("it is not quite so, or not for sure"),
    "quoted": gettext_lazy("it quotes or asks"),
    "long": gettext_lazy("it is longer than a line may be"),
    "sentences": gettext_lazy("it is several sentences"),
    "happened": gettext_lazy("it tells what happened"),
    "another time": gettext_lazy("it happened at another time"),
    "another project": gettext_lazy("it is of another project"),
    "another kind": gettext_lazy("it is of another kind"),
    "another label": gettext_lazy("it has another label"),
    "another thing": gettext_lazy("it is about another thing"),
    "speaks for others": gettext_lazy("it speaks for others itself"),
    "coverage": gettext_lazy("the line leaves words of it out (%(words)s)"),
    "order": gettext_lazy("the same words in another order"),
    "numbers": gettext_lazy("other numbers"),
    "unsure": gettext_lazy("more words, and nothing tells that they leave it true"),
}
#: Words that are shown of many.
SHOWN = 5


def lines(fold: Fold) -> list[str]:
    """One subject: what becomes of it, what is held back, and what looks alike."""
    head = _("%(subject)s: %(entries)s") % {"subject": fold.subject, "entries": named(fold.sources)}
    return [f"{head}. {_outcome(fold)}", *_held_back(fold), *_suggestions(fold)]


def _outcome(fold: Fold) -> str:
    if fold.refused:
        return _("Not folded: %(why)s.") % {"why": gate(fold)}
    saved = _("%(cost)d tokens, %(saved)d saved") % {"cost": fold.tokens[0], "saved": fold.tokens[1]}
    if fold.line:
        return f"{_('Folded')} ({saved}): {fold.line}"
    words = _("#%(speaker)s says it all and speaks for %(entries)s") % {
        "speaker": fold.into,
        "entries": named(fold.folds),
    }
    return f"{words} ({saved})."


def gate(fold: Fold) -> str:
    said = GATES.get(fold.refused, fold.refused)
    return str(said) % {"words": _some(fold.invented or fold.repeated)}


def why(reason: str, words: tuple[str, ...] = ()) -> str:
    said = WHY.get(reason) or GATES.get(reason)
    return str(said or reason) % {"words": _some(words)}


def _held_back(fold: Fold) -> list[str]:
    return [
        "  " + _("#%(id)d stays as it is: %(why)s.") % {"id": pk, "why": why(reason, fold.held_back.get(pk, ()))}
        for pk, reason in sorted(fold.why.items())
    ]


def _suggestions(fold: Fold) -> list[str]:
    conflict, alike = (
        _("A conflict, perhaps: %(entries)s (%(why)s)."),
        _("Alike, and both stay: %(entries)s (%(why)s)."),
    )
    return [
        "  "
        + (conflict if each.verdict == "conflict" else alike) % {"entries": named(each.entries), "why": why(each.why)}
        for each in fold.suggestions
    ]


def named(ids: tuple[int, ...]) -> str:
    more = len(ids) - SHOWN
    shown = ", ".join(f"#{pk}" for pk in ids[:SHOWN])
    return shown if more <= 0 else shown + ", " + ngettext("%(count)d more", "%(count)d more", more) % {"count": more}


def _some(words: tuple[str, ...]) -> str:
    return ", ".join(words[:SHOWN]) + (" …" if len(words) > SHOWN else "")


def totals(planned: Planned) -> str:
    return _("Entries that could be folded: %(entries)d, %(before)d tokens; folded: %(after)d tokens.") % {
        "entries": len(planned.sources),
        "before": planned.before,
        "after": planned.after,
    }


def left_alone(planned: Planned) -> list[str]:
    """A line where entries took no part at all, by why."""
    counts = ", ".join(f"{reason} {count}" for reason, count in planned.plan.left_alone.items())
    return [_("Left alone: %(counts)s.") % {"counts": counts}] if counts else []


def applied(done: Applied) -> list[str]:
    """What was done, and of each fold that was not, why."""
    said = [_done(each.id, each.fold) for each in done.done]
    words = _("%(subject)s is not folded: %(why)s.")
    dropped = [words % {"subject": fold.subject, "why": gate(fold)} for fold in done.dropped]
    asked = done.guarded
    left = filter(None, [told(asked.asked, asked.unasked)])
    return [*said, *dropped, *map(loss, done.losses), *left] or [_("Nothing to fold.")]


def loss(lost: Loss) -> str:
    """A question that a fold would take entries from."""
    words = _("“%(question)s” would lose %(entries)s.")
    return "  " + words % {"question": named_question(lost.text), "entries": named(lost.entries)}


def _done(pk: int, fold: Fold) -> str:
    return _("#%(id)d speaks for %(entries)s now. To take it back: %(command)s") % {
        "id": pk,
        "entries": named(fold.folds),
        "command": f"!unfold {pk}",
    }
