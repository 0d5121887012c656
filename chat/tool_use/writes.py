"""What a model would save, and the rules that it has to pass. Every write that one turns down is kept as a refusal."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext as _

from chat import answer, history
from chat.domain.echo import repeats
from chat.domain.frames import Refused
from chat.models import Role
from chat.prompting.given import saved_note
from chat.receipts import cause_of
from chat.saving import saved_frame, turned_down
from chat.tool_use.calls import Performed
from chat.tool_use.reads import instead
from chat.tool_use.tools import KINDS, SYNONYMS
from forgesite.errors import ConflictError, EmptyError, ForgeError, InvalidError, TooLargeError
from memory.domain.stated import about_another, states_something, unstated
from memory.errors import (
    DegenerateError,
    ForgottenError,
    ModelLimitError,
    OpenTodoError,
    PersonsEntryError,
)
from memory.models import Entry, Origin, Rule
from memory.remember import Draft, remember

if TYPE_CHECKING:
    from chat.progress import Progress
    from traces.recorder import StepRecord

#: Characters of the person's messages that are read, the newest first: what is older counts as not said.
READ = 50_000
#: Words that a refusal names.
NAMED = 6
#: What memory itself has against a write, as the rule it is kept under.
RULES: dict[type[ForgeError], Rule] = {
    DegenerateError: Rule.DEGENERATE,
    ModelLimitError: Rule.LIMIT,
    ForgottenError: Rule.FORGOTTEN,
    OpenTodoError: Rule.OPEN_TODO,
    PersonsEntryError: Rule.PERSONS,
}


def written(progress: Progress, given: dict[str, Any], step: StepRecord, *, complete: bool, room: int) -> Performed:
    """Raises EmbeddingError, with nothing stored, where memory does, and InvalidError for what no entry can be."""
    draft = _draft(progress, given)
    if not states_something(progress.text):
        refused = _refuse(progress, step, Rule.QUESTION, draft, answer.refused_question())
        found = instead(progress, draft.text, step, complete=complete, room=room)
        return Performed(f"{refused.result}\n{found}", refused.frames, spoken=refused.spoken)
    if rule := _against(progress, draft.text):
        return _refuse(progress, step, rule[0], draft, answer.refused(rule[1]))
    try:
        return _saved(progress, draft, step)
    except (ConflictError, DegenerateError, EmptyError, InvalidError, TooLargeError) as error:
        rule_of = next((rule for kind, rule in RULES.items() if isinstance(error, kind)), Rule.INVALID)
        return _refuse(progress, step, rule_of, draft, answer.refused(error.message))


def _draft(progress: Progress, given: dict[str, Any]) -> Draft:
    kind = str(given.get("kind") or "fact").strip().casefold()
    kind = SYNONYMS.get(kind, kind)
    if kind not in KINDS:
        raise InvalidError(f"“{kind[:40]}” is no kind of memory. Kinds are: {', '.join(KINDS)}.")
    if not given["content"].strip():
        raise InvalidError("content is empty.")
    begun = progress.begun
    return Draft(
        given["content"],
        kind=kind,
        project=_project(progress, given),
        key=(given.get("key") or "").strip(),
        origin=Origin.MODEL,
        conversation=begun.conversation,
        message=begun.message,
    )


def _project(progress: Progress, given: dict[str, Any]) -> str:
    """One that there is, or that the person named: a model makes none up."""
    project = (given.get("project") or "").strip()
    known = not project or Entry.objects.of(progress.owner).filter(project=project).exists()
    if not known and unstated(project, [progress.text]):
        raise InvalidError(f"the person named no project “{project[:40]}”. Leave it out.")
    return project


def _against(progress: Progress, text: str) -> tuple[Rule, str] | None:
    """The rule that the text breaks, and what is to be said of it."""
    echo = repeats(text, progress.given.values())
    said: Sequence[str] = [progress.text]
    if not echo and unstated(text, said):
        said = said_by(progress)
    if missing := unstated(text, said):
        if echo:
            return Rule.UNSTATED, _("it repeats what memory gave, and your message does not say it.")
        words = ", ".join(f"“{word}”" for word in missing[:NAMED])
        return Rule.UNSTATED, _("your messages do not state %(words)s.") % {"words": words}
    if about_another(text, said):
        return Rule.ABOUT_ANOTHER, _("you said it of somebody else, whom it does not name.")
    return None


def said_by(progress: Progress) -> Sequence[str]:
    """The person's own messages of this conversation, in the branch in sight, this one last."""
    begun = progress.begun
    rows = history.branch(progress.owner, begun.conversation, upto=begun.message)
    texts, left = [progress.text], READ - len(progress.text)
    for row in reversed(rows):
        if row.role != Role.USER or row.pk == begun.message or row.content.lstrip().startswith("!"):
            continue
        left -= len(row.content)
        if left < 0:
            break
        texts.insert(0, row.content)
    return texts


def _saved(progress: Progress, draft: Draft, step: StepRecord) -> Performed:
    done = remember(progress.owner, draft, actor="model", cause=cause_of(progress))
    frame = saved_frame(done, step)
    note = saved_note(frame.entry, draft.text)
    said = f"[saved] {note}. Entries of this kind: {done.count_of_kind}."
    spoken = answer.saved_briefly(done) if progress.door == "web" else frame.echo
    return Performed("\n".join([said, *done.notes]), (frame,), spoken=spoken)


def _refuse(progress: Progress, step: StepRecord, rule: Rule, draft: Draft, message: str) -> Performed:
    kept = turned_down(progress, step, rule, draft.text, draft.kind, draft.project)
    frame = Refused(str(rule), draft.text, kept.pk, message)
    return Performed(f"[not saved] {message}", (frame,), spoken=message)
