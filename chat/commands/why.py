"""`!why`: what a run was given of memory, what was left out and by which rule; and why it was not given something."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from chat.commands.entry_lines import LINE, one_line
from chat.commands.order import MisusedError
from chat.domain.quoting import as_typed, clip
from chat.progress import Progress, Said
from chat.why_not import receipts, why_not
from forgesite.errors import UnknownError
from forgesite.language import number
from memory.given.words import CHANNEL_WORDS
from memory.left_words import by_how_much, reason_words
from memory.models import Entry, Receipt
from memory.receipts import NAMED, question_of, said_of
from traces.models import Run
from traces.recorder import StepRecord

if TYPE_CHECKING:
    from forgesite.models import Account
    from memory.domain.receipt import Asked, Block, Given, Left, Prompt
    from memory.domain.receipt import Said as Sealed

#: The parts of a prompt, in order.
PARTS = {
    "system": gettext_lazy("instructions"),
    "hot_block": gettext_lazy("entries at its head"),
    "history": gettext_lazy("history"),
    "recalled": gettext_lazy("recalled"),
    "turn": gettext_lazy("your message"),
    "tools": gettext_lazy("what tools gave"),
}
#: Rows that were left out, of which so many are told.
LEFT = 10
NOT = "not "


def why(progress: Progress, rest: str, step: StepRecord) -> Said:
    """Of a run by its id; else of the last one of this conversation that memory gave something, or of any."""
    if rest.casefold() == NOT.strip():
        raise MisusedError
    if rest.casefold().startswith(NOT):
        return _why_not(progress, rest[len(NOT) :].strip())
    found = receipts(progress.owner, rest or _last(progress))
    return Said("\n\n".join(part for receipt in found for part in _told(progress.owner, receipt)))


def _why_not(progress: Progress, what: str) -> Said:
    run, number = _last(progress), what.removeprefix("#")
    by_id = number.isascii() and number.isdigit() and len(number) < 19
    found = why_not(progress.owner, run, **({"entry": int(number)} if by_id else {"q": what}))
    head = f"**{found.words}**" + (f" · #{found.entry}" if found.entry else "") + f" · {_of_run(run)}"
    return Said("\n\n".join([head, as_typed(found.detail), as_typed(found.remedy)]))


def _last(progress: Progress) -> str:
    """Raises UnknownError where memory never gave anything."""
    runs = Run.objects.of(progress.owner).exclude(receipt="")
    here = runs.filter(conversation=progress.begun.conversation).first() or runs.first()
    if here:
        return here.run_id
    last = Receipt.objects.of(progress.owner).first()
    if last is None:
        raise UnknownError(_("No run has a receipt yet: ask something first."))
    return last.run_id


def _of_run(run: str) -> str:
    return _("run %(run)s") % {"run": f"`{run}`"}


def _told(owner: Account, receipt: Receipt) -> Iterator[str]:
    said = said_of(receipt)
    texts = Entry.objects.of(owner).in_bulk(_named(said))
    values = {"address": f"`{receipt.address[:NAMED]}`", "number": receipt.number, "tick": receipt.tick}
    yield _of_run(receipt.run_id) + " · " + _("receipt %(address)s (%(number)d), after commit %(tick)d") % values
    if said.block:
        yield _block(said.block)
    for place, asked in enumerate(said.recalls):
        words = question_of(receipt, place)
        yield _asked(asked, words["text"] if words else "")
        yield _given(asked.given, texts)
        yield from _left(asked, texts)
    if said.read:
        yield _("Read by number:") + "\n\n" + "\n".join(f"- {_line(row.id, texts)}" for row in said.read)
    if said.prompt:
        yield _tokens(said.prompt)


def _named(said: Sealed) -> set[int]:
    left = {row.id for asked in said.recalls for row in asked.left_out[:LEFT]}
    return left | {row.id for row in said.rows}


def _block(block: Block) -> str:
    count = len(block.entries)
    words = ngettext(
        "At the head of the prompt: %(count)d entry", "At the head of the prompt: %(count)d entries", count
    ) % {"count": count}
    if block.left_out:
        left = ngettext("%(count)d left out", "%(count)d left out", block.left_out) % {"count": block.left_out}
        return f"{words} · {left}"
    return f"{words}, {_('complete')}" if block.complete else words


def _asked(asked: Asked, question: str) -> str:
    """`recall “which port …” · hybrid · cutoff 1.22 · vector 64, lexical 3`."""
    shown = f"“{one_line(clip(question, (), LINE))}”" if question else _("(the question is erased)")
    parts = [f"**{asked.tool}** {shown}", asked.policy]
    if asked.cutoff is not None:
        parts.append(_("cutoff %(cutoff)s") % {"cutoff": asked.cutoff_named or number(asked.cutoff, 2)})
    if asked.candidates:
        found = ", ".join(
            f"{CHANNEL_WORDS.get(channel, channel)} {count}" for channel, count in asked.candidates.items()
        )
        parts.append(_("found: %(channels)s") % {"channels": found})
    return " · ".join(parts)


def _given(rows: Sequence[Given], texts: Mapping[int, Entry]) -> str:
    if not rows:
        return _("Given: nothing.")
    lines = (f"{row.rank}. {_line(row.id, texts)} ({_how(row)})" for row in rows)
    return _("Given:") + "\n\n" + "\n".join(lines)


def _left(asked: Asked, texts: Mapping[int, Entry]) -> Iterator[str]:
    if not asked.left_out:
        return
    lines = [f"- {_line(row.id, texts)} ({_why(row, asked)})" for row in asked.left_out[:LEFT]]
    if (more := len(asked.left_out) - LEFT) > 0:
        lines.append("- " + _("… and %(count)s more.") % {"count": more})
    yield _("Left out:") + "\n\n" + "\n".join(lines)


def _line(entry: int, texts: Mapping[int, Entry]) -> str:
    found = texts.get(entry)
    if found is None:
        return f"#{entry} " + _("no longer in memory")
    return f"#{entry} [{found.kind}] {one_line(clip(found.text, (), LINE))}"


def _how(row: Given) -> str:
    channel = str(CHANNEL_WORDS.get(row.channel, row.channel))
    return f"{channel} · {number(row.distance, 2)}" if row.distance is not None else channel


def _why(row: Left, asked: Asked) -> str:
    how = by_how_much(row, asked.cutoff)
    return f"{reason_words(row.reason)}: {how}" if how else reason_words(row.reason)


def _tokens(prompt: Prompt) -> str:
    parts = " · ".join(f"{words} {prompt.tokens[name]}" for name, words in PARTS.items() if name in prompt.tokens)
    return _("Prompt, in tokens: %(parts)s") % {"parts": parts}
