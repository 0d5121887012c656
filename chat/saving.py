"""A save that a person asked for in so many words, and what a rule says against it."""

from __future__ import annotations

from typing import Any

from chat import answer
from chat.domain.frames import Refused, Saved
from chat.progress import Progress, Said
from memory.errors import DegenerateError
from memory.models import Kind, Rule
from memory.refuse import refuse
from memory.remember import Draft, remember
from memory.remember import Saved as Written
from traces.recorder import StepRecord


def save(
    progress: Progress,
    words: str,
    step: StepRecord,
    *,
    kind: str = Kind.FACT,
    project: str = "",
    question: bool = False,
) -> Said:
    """Raises EmbeddingError, with nothing stored, where memory does; what a rule turns down is kept as a refusal."""
    if progress.begun.temporary:
        return Said(answer.refused_temporary(), not_answered="temporary")
    if question:
        return _turned_down(progress, step, Rule.QUESTION, words, kind, project, answer.refused_question())
    draft = Draft(
        text=words, kind=kind, project=project, conversation=progress.begun.conversation, message=progress.begun.message
    )
    try:
        written = remember(progress.owner, draft, actor="person", cause=f"chat {progress.begun.run_id}")
    except DegenerateError as error:
        return _turned_down(progress, step, Rule.DEGENERATE, words, kind, project, answer.refused(error.message))
    frame = Saved(entry_card(written), answer.saved_as(written), written.notes)
    kept = {"id": written.entry.pk, "kind": written.entry.kind, "notes": list(written.notes)}
    step.detail.setdefault("saved", []).append(kept)
    text = answer.saved_briefly(written) if progress.door == "web" else frame.echo
    return Said(text, (frame,), wrote=True)


def _turned_down(
    progress: Progress, step: StepRecord, rule: Rule, words: str, kind: str, project: str, message: str
) -> Said:
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
    return Said(message, (Refused(str(rule), words, kept.pk, message),))


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
