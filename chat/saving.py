"""A save that a person asked for in so many words, and what a rule says against it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from django.conf import settings

from chat import answer
from chat.domain.frames import Refused, Saved
from chat.domain.route import Save
from chat.history import branch
from chat.models import Message, Role
from chat.progress import Progress, Said
from chat.receipts import cause_of
from memory.errors import DegenerateError
from memory.models import Kind, Refusal, Rule
from memory.refuse import refuse
from memory.remember import Draft, remember
from memory.remember import Saved as Written
from traces.recorder import StepRecord

#: Messages before a “remember that” among which the person's last one is.
LOOKED_BACK = 4


def save(
    progress: Progress,
    words: str,
    step: StepRecord,
    *,
    kind: str = Kind.FACT,
    project: str = "",
    question: bool = False,
    notes: tuple[str, ...] = (),
    message: int | None = None,
) -> Said:
    """`notes` go before those that memory makes. `message`: where it was said, if not in the one that is answered.

    Raises EmbeddingError, with nothing stored, where memory does; what a rule turns down is kept as a refusal.
    """
    if progress.begun.temporary:
        return Said(answer.refused_temporary(), not_answered="temporary")
    if not settings.FORGE.MEMORY_ENABLED:
        return Said(answer.refused_memory_off(), not_answered="memory off")
    if question:
        return _refused(progress, step, Rule.QUESTION, words, kind, project, answer.refused_question())
    draft = Draft(
        text=words,
        kind=kind,
        project=project,
        conversation=progress.begun.conversation,
        message=message or progress.begun.message,
    )
    try:
        written = remember(progress.owner, draft, actor="person", cause=cause_of(progress))
    except DegenerateError as error:
        return _refused(progress, step, Rule.DEGENERATE, words, kind, project, answer.refused(error.message))
    written = replace(written, notes=(*notes, *written.notes))
    frame = saved_frame(written, step)
    text = answer.saved_briefly(written) if progress.door == "web" else frame.echo
    return Said(text, (frame,), wrote=True)


def last_said(progress: Progress) -> Message | None:
    """The person's message before the one that is answered, in its branch."""
    begun = progress.begun
    path = branch(progress.owner, begun.conversation, upto=begun.message, limit=LOOKED_BACK)
    return next((one for one in reversed(path) if one.role == Role.USER), None)


def kind_of(words: str, way: Save) -> Kind:
    """Of what an ask names."""
    return Kind.TODO if words in way.to_do else Kind.FACT


def _refused(
    progress: Progress, step: StepRecord, rule: Rule, words: str, kind: str, project: str, message: str
) -> Said:
    kept = turned_down(progress, step, rule, words, kind, project)
    return Said(message, (Refused(str(rule), words, kept.pk, message),))


def turned_down(
    progress: Progress, step: StepRecord, rule: Rule, words: str, kind: str = Kind.FACT, project: str = ""
) -> Refusal:
    """Keep what a rule turned down, in memory and in the step. Raises TooLargeError for what no entry could hold."""
    begun = progress.begun
    kept = refuse(
        progress.owner,
        rule,
        words,
        kind=kind,
        project=project,
        conversation=begun.conversation,
        message=begun.message,
        run_id=begun.run_id,
    )
    step.detail.setdefault("refused", []).append({"id": kept.pk, "rule": str(rule)})
    return kept


def saved_frame(written: Written, step: StepRecord) -> Saved:
    """A write as the page and the trace show it."""
    kept = {"id": written.entry.pk, "kind": written.entry.kind, "notes": list(written.notes)}
    step.detail.setdefault("saved", []).append(kept)
    return Saved(entry_card(written), answer.saved_as(written), written.notes)


def entry_card(written: Written) -> dict[str, Any]:
    entry = written.entry
    return {
        "id": entry.pk,
        "address": entry.address,
        "kind": entry.kind,
        "project": entry.project,
        "content": entry.text,
        "count_of_kind": written.count_of_kind,
        "created": written.created,
        "indexed": written.indexed,
        "commit": written.commit,
    }
