"""Why an entry was not given, in words: what happened, with its numbers, and what a person can do about it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from forgesite.language import number, told_apart
from memory.domain.why_not import Verdict
from memory.models import Rule

if TYPE_CHECKING:
    from django.utils.functional import _StrOrPromise

    from memory.why_not import Answer

#: What a person reads for a stage.
STAGE_WORDS: Mapping[str, _StrOrPromise] = {
    "never_stored": gettext_lazy("never stored"),
    "refused": gettext_lazy("refused"),
    "forgotten": gettext_lazy("forgotten"),
    "stored_later": gettext_lazy("stored later"),
    "retracted": gettext_lazy("retracted"),
    "archived": gettext_lazy("archived"),
    "superseded": gettext_lazy("superseded"),
    "filtered": gettext_lazy("filtered"),
    "no_channel": gettext_lazy("found by no channel"),
    "cutoff": gettext_lazy("cut by the cutoff"),
    "budget": gettext_lazy("over the budget"),
    "skipped": gettext_lazy("skipped for room"),
    "hot_block": gettext_lazy("held by the hot block"),
    "given": gettext_lazy("given"),
}
#: What a person reads for the channel that a row came by.
CHANNEL_WORDS: Mapping[str, _StrOrPromise] = {
    "vector": gettext_lazy("vector"),
    "lexical": gettext_lazy("lexical"),
    "both": gettext_lazy("both"),
    "recent": gettext_lazy("recent"),
    "tasks": gettext_lazy("tasks"),
    "procedures": gettext_lazy("procedures"),
}
#: What happened, by stage and rule; `*` for any other rule of the stage.
DETAILS: Mapping[tuple[str, str], _StrOrPromise] = {
    ("never_stored", "*"): gettext_lazy("Memory held nothing like it."),
    ("forgotten", "tombstone"): gettext_lazy("It had been forgotten for good before the question."),
    ("forgotten", "since"): gettext_lazy(
        "It was there then, and was forgotten for good since: nothing is left to measure it by."
    ),
    ("stored_later", "*"): gettext_lazy("It was stored after the question."),
    ("retracted", "*"): gettext_lazy("It was retracted then, and what is retracted is given to no question."),
    ("superseded", "replaced"): gettext_lazy("It was replaced by #%(by)s, which stands in its place."),
    ("superseded", "stale"): gettext_lazy("It is a summary of which a source was changed: it was stale then."),
    ("filtered", "kind"): gettext_lazy("The question was for entries of another kind."),
    ("filtered", "project"): gettext_lazy("The question was for entries of another project."),
    ("archived", "*"): gettext_lazy("It was archived then, and archived rows come after all live ones."),
    ("no_channel", "not_asked"): gettext_lazy("Memory was not searched in this run."),
    ("no_channel", "erased"): gettext_lazy("No channel found it. The question is erased, so nothing can be measured."),
    ("no_channel", "no_words"): gettext_lazy("No channel found it: it shares no word with the question."),
    ("no_channel", "common"): gettext_lazy(
        "No channel found it: the words that it shares with the question stand in too many entries."
    ),
    ("no_channel", "others"): gettext_lazy("No channel found it: other entries hold more of the question."),
    ("cutoff", "cutoff"): gettext_lazy("It was found, and is too far from the question."),
    ("cutoff", "nothing"): gettext_lazy(
        "It was found, and all that was found says too little of the question to be an answer."
    ),
    ("budget", "candidates"): gettext_lazy(
        "A channel found more rows than it may (%(candidates)s); it came after them."
    ),
    ("budget", "*"): gettext_lazy("It was found, and others came before it: %(budget)s rows were given."),
    ("skipped", "items"): gettext_lazy("It was found, and the prompt may have %(items)s rows at most."),
    ("skipped", "bytes"): gettext_lazy("It was found, and did not fit into %(bytes)s bytes."),
    ("skipped", "prompt"): gettext_lazy("It was found, and the model’s window had no room for it."),
    ("skipped", "block"): gettext_lazy("The list at the head of the prompt had no room for it."),
    ("hot_block", "*"): gettext_lazy("Its words were in the prompt already, in the list at its head."),
    ("given", "saved"): gettext_lazy("It was saved in this very run, from the message that was answered."),
    ("given", "read"): gettext_lazy("It was given: the model read it by its number."),
    ("given", "*"): gettext_lazy("It was given, as row %(rank)s of its search."),
}
REMEDIES: Mapping[tuple[str, str], _StrOrPromise] = {
    ("never_stored", "*"): gettext_lazy("Say “remember that …”, or save it with !remember."),
    ("refused", "*"): gettext_lazy("It is kept under “not saved”: save it anyway there."),
    ("forgotten", "*"): gettext_lazy("Nothing brings it back. Say it again to have it remembered anew."),
    ("stored_later", "*"): gettext_lazy("Ask again: it was not there yet."),
    ("retracted", "*"): gettext_lazy("If it is true again, restore it on its page."),
    ("superseded", "replaced"): gettext_lazy("Correct #%(by)s, or undo what replaced it."),
    ("superseded", "stale"): gettext_lazy("Write the summary anew, or retract it."),
    ("filtered", "kind"): gettext_lazy("Ask without the kind, or change the kind of the entry."),
    ("filtered", "project"): gettext_lazy("Ask without the project, or move the entry to that project."),
    ("archived", "*"): gettext_lazy("Restore it on its page, and it is searched with the live ones."),
    ("no_channel", "not_asked"): gettext_lazy("Ask for it in so many words: “what do you remember of …?”"),
    ("no_channel", "*"): gettext_lazy(
        "Ask with a rare word of the entry, or put into the entry the words that you ask with."
    ),
    ("cutoff", "cutoff"): gettext_lazy(
        "Put the question nearer to its words, calibrate the cutoff on your own questions, or raise "
        "RECALL_MAX_DISTANCE."
    ),
    ("cutoff", "nothing"): gettext_lazy("Ask with more of the words that the entry has."),
    ("budget", "candidates"): gettext_lazy("Ask more narrowly, or raise RECALL_CANDIDATES."),
    ("budget", "*"): gettext_lazy("Ask more narrowly, or raise RECALL_TOP_K (`top_k` in a search)."),
    ("skipped", "items"): gettext_lazy("Raise RECALL_MAX_ITEMS, or close what is done among the open todos."),
    ("skipped", "bytes"): gettext_lazy("Raise RECALL_MAX_BYTES, or shorten the entries that come before it."),
    ("skipped", "prompt"): gettext_lazy("Give the model a larger window (LLM_CONTEXT), or compact the conversation."),
    ("skipped", "block"): gettext_lazy("Raise RECALL_HOT_MAX_TOKENS, or archive what no longer matters."),
    ("hot_block", "*"): gettext_lazy("Nothing is to be done: the model had it before it."),
    ("given", "*"): gettext_lazy("Nothing is to be done: what an answer makes of a row no receipt can tell."),
}


def detail(answer: Answer) -> str:
    """In a sentence or two."""
    verdict = answer.verdict
    said = [_refused(answer)] if verdict.stage == "refused" else [_of(DETAILS, verdict)]
    if not answer.same and answer.entry is not None:
        said.insert(0, _("No entry says just that; #%(id)d comes closest.") % {"id": answer.entry})
    if verdict.facts.get("nearest"):
        said.append(
            _("The entry nearest to it is #%(id)d, which says something else.") % {"id": verdict.facts["nearest"]}
        )
    if verdict.facts.get("gone"):
        said.append(_("Of what was forgotten no words are kept, so it may have been that."))
    return " ".join([*said, *(words for words in map(_measure(verdict), MEASURES) if words)])


def remedy(verdict: Verdict) -> str:
    return _of(REMEDIES, verdict)


def _of(words: Mapping[tuple[str, str], _StrOrPromise], verdict: Verdict) -> str:
    found = words.get((verdict.stage, verdict.rule)) or words.get((verdict.stage, "*")) or ""
    return str(found) % {name: "–" if value is None else value for name, value in verdict.facts.items()}


def _refused(answer: Answer) -> str:
    rule = dict(Rule.choices).get(answer.verdict.rule, answer.verdict.rule)
    return _("It was to be saved, and a rule turned it down: %(rule)s.") % {"rule": rule}


def _distance(facts: Mapping[str, Any]) -> str:
    """Only where nothing else says it: of what was given the distance is on its row."""
    if facts.get("distance") is None or "cutoff" not in facts:
        return ""
    values = {"distance": number(facts["distance"], 2)}
    if facts["cutoff"] is None:
        return _("Its distance is %(distance)s; no cutoff is in force.") % values
    values["distance"], values["cutoff"] = told_apart(facts["distance"], facts["cutoff"])
    if facts["distance"] <= facts["cutoff"]:
        return _("Its distance is %(distance)s, within the cutoff of %(cutoff)s.") % values
    values["by"] = told_apart(facts["distance"] - facts["cutoff"], 0)[0]
    return _("Its distance is %(distance)s, %(by)s past the cutoff of %(cutoff)s.") % values


def _rank(facts: Mapping[str, Any]) -> str:
    if facts.get("rank") is None or "cutoff" not in facts:
        return ""
    return _("It was row %(rank)s in the order.") % {"rank": facts["rank"]}


def _shared(facts: Mapping[str, Any]) -> str:
    return " ".join(
        ngettext("“%(word)s” stands in %(rows)d entry.", "“%(word)s” stands in %(rows)d entries.", each.rows)
        % {"word": each.word, "rows": each.rows}
        for each in facts.get("shared", ())[:SHOWN]
    )


#: Words of the question that are told one by one.
SHOWN = 6
MEASURES: tuple[Callable[[Mapping[str, Any]], str], ...] = (_distance, _rank, _shared)


def _measure(verdict: Verdict) -> Callable[[Callable[[Mapping[str, Any]], str]], str]:
    return lambda say: say(verdict.facts)
