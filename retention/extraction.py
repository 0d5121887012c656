"""New entries that a model finds in what a person wrote: proposed, and saved by nobody but a person.

The words go to the server that just answered them, and to no other: no opt-in is asked for, and no judge's budget
counts them. Where that server is not there any more, nothing is sent.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterable, Iterator, Sequence
from contextlib import aclosing
from dataclasses import replace
from datetime import datetime

from asgiref.sync import async_to_sync
from django.conf import settings
from django.db import transaction
from django.utils import translation

from forgesite.errors import ForgeError
from forgesite.lib.language_models import Ended, ModelDoor, ModelFailedError, Prompt, Said, Text, Unsaid
from forgesite.model_servers import door_of
from forgesite.models import Account
from forgesite.owned import owner_id
from memory.domain.negations import turned_round
from memory.domain.sameness import sameness
from memory.domain.stated import about_another, states_something, unstated
from memory.drafts import Draft
from memory.erasing.tombstones import forgotten
from memory.models import Entry, Origin
from memory.remember import Saved, prepared, remember
from retention.domain.extracting import FORM, MOST_READ, SCHEMA, SYSTEM, Candidate, UnparsedError, question, read
from retention.domain.neighbours import content
from retention.models import Action, Proposal, Status

log = logging.getLogger(__name__)
#: Seconds for all of an answer, thinking too, and tokens of it.
LONGEST, MOST_TOKENS = 120.0, 1500


class ExtractionError(Exception):
    """Nothing was proposed. The queue tries again, and then shows the reason; it holds no word of the message."""


def extract(
    owner: int,
    message: int,
    conversation: str,
    words: str,
    said_at: str,
    *,
    server: str = "",
    model: str = "",
    url: str = "",
) -> int:
    """The job: how many entries it proposes. Run twice, or beside another, it proposes nothing more.

    `url`: the server that answered the message. Raises ExtractionError where it gives no list of entries.
    """
    person = Account.objects.filter(pk=owner).first()
    if person is None or settings.FORGE.EXTRACTION != "propose" or _done(person, message):
        return 0
    if not is_asked_of(words):
        log.info("extraction message=%d: %d characters are not asked of", message, len(words))
        return 0
    held = _saved_of(person, message)
    found, by = async_to_sync(_by_model)(words, held, server, model, url)
    found = tuple(one for one in found if not _said_by(one.words, held))
    draft = Draft("", origin=Origin.MODEL, conversation=conversation, message=message)
    at = datetime.fromisoformat(said_at)
    drafts = list(_usable(person, found, words, draft, at))
    made = _propose(person, drafts, message, by) if drafts else 0
    log.info("extraction message=%d found=%d usable=%d proposed=%d", message, len(found), len(drafts), made)
    return made


def is_asked_of(words: str) -> bool:
    """Does a message state anything, and is it no page that was pasted?"""
    return len(words) <= MOST_READ and states_something(words)


def saved(proposal: Proposal, actor: str, *, text: str = "", kind: str = "") -> Saved:
    """Save what was proposed, as said when the message was. The caller claims the proposal.

    Words that a person put otherwise are theirs; the model's own have to pass all that holds for what a model writes.
    Raises what `remember` refuses.
    """
    edited = bool(text.strip()) and text.strip() != proposal.text
    draft = Draft(
        text.strip() or proposal.text,
        kind=kind or proposal.kind,
        project=proposal.project,
        origin=Origin.PERSON if edited else Origin.MODEL,
        conversation=proposal.conversation,
        message=proposal.message,
        said_at=_moment(proposal.seen.get("said_at")),
    )
    return remember(proposal.owner, draft, actor=actor, cause=f"proposal {proposal.pk} accepted")


def _moment(told: str | None) -> datetime | None:
    return datetime.fromisoformat(told) if told else None


def _done(owner: Account, message: int) -> bool:
    return Proposal.objects.of(owner).filter(action=Action.NEW, message=message).exists()


def _saved_of(owner: Account, message: int) -> list[str]:
    return list(Entry.objects.of(owner).filter(message=message).order_by("id").values_list("text", flat=True))


def _said_by(words: str, held: Sequence[str]) -> bool:
    """Does an entry that is there already say all of it? “The bicycle is blue” adds nothing to “My bicycle is blue”."""
    told = content(words)
    return bool(told) and any(told <= content(text) and not turned_round(words, [text]) for text in held)


async def _by_model(
    words: str, saved: Sequence[str], server: str, model: str, url: str
) -> tuple[tuple[Candidate, ...], str]:
    """What the model finds, and its name."""
    try:
        async with asyncio.timeout(min(LONGEST, settings.FORGE.LLM_TIMEOUT)):
            door = await door_of(server, model)
            if door is None or door.url != url:
                log.info("extraction: the server that answered is not there any more")
                return (), ""
            reply, ended = await _said(door, question(words, saved))
        if ended.finish != "stop":
            raise UnparsedError(f"the reply ended before its end: {ended.finish}")
        return read(reply), f"{ended.model or door.model or door.provider}"
    except UnparsedError as error:
        raise ExtractionError(f"The model's answer is no list of entries: {error}.") from None
    except TimeoutError:
        raise ExtractionError("The model gave no answer in time.") from None
    except ModelFailedError as error:  # the server's own words may quote the message
        raise ExtractionError(f"The model server at {error.url} failed: {error.failure}.") from None
    except ForgeError as error:
        raise ExtractionError(error.message) from None


async def _said(door: ModelDoor, asked: str) -> tuple[str, Ended]:
    prompt = Prompt((Said("system", SYSTEM), Said("user", asked)), MOST_TOKENS, json_schema=SCHEMA, temperature=0.0)
    text, ended = "", Ended("lost")
    async with aclosing(door.stream(prompt)) as events:
        async for event in events:
            if isinstance(event, Text):
                text += event.text
            elif isinstance(event, Unsaid):
                text = ""
            elif isinstance(event, Ended):
                ended = event
    return text, ended


def _usable(owner: Account, found: Sequence[Candidate], words: str, draft: Draft, at: datetime) -> Iterator[Draft]:
    """Those that the rules for what a model writes let through, as they can be stored."""
    with translation.override(owner.language):
        for one in found:
            if unstated(one.words, [words]) or about_another(one.words, [words]):
                continue
            try:
                yield prepared(owner, replace(draft, text=one.words, kind=one.kind, said_at=at))[0]
            except ForgeError as error:
                log.info("extraction: one is no entry: %s", error.code)


def _propose(owner: Account, drafts: Sequence[Draft], message: int, by: str) -> int:
    """In one transaction, in which nobody else proposes or forgets."""
    with transaction.atomic():
        if _done(owner, message):
            return 0
        gone = forgotten(owner, drafts)
        fresh = {_same(draft): draft for draft in reversed(drafts) if draft not in gone}
        known = _known(owner, fresh.values())
        rows = [_proposal(owner, draft, by) for same, draft in reversed(fresh.items()) if same not in known]
        Proposal.objects.bulk_create(rows)
    return len(rows)


def _same(draft: Draft) -> str:
    """What two that say the same have in common, whatever kind they are of."""
    return f"{sameness(draft.text)} {draft.event_at.isoformat() if draft.event_at else ''}"


def _known(owner: Account, drafts: Iterable[Draft]) -> set[str]:
    """Of these what memory holds, or held until somebody put it away; and what was proposed before, whatever came of
    it: a no is final.
    """
    said = {sameness(draft.text) for draft in drafts}
    entries = Entry.objects.of(owner).filter(sameness__in=said).values_list("sameness", "event_at")
    held = {f"{same} {at.isoformat() if at else ''}" for same, at in entries}
    wanted = [_same(draft) for draft in drafts]
    before = Proposal.objects.of(owner).filter(action=Action.NEW, seen__same__in=wanted)
    return held.union(before.values_list("seen__same", flat=True))


def _proposal(owner: Account, draft: Draft, by: str) -> Proposal:
    """Nobody weighed it: no option has a probability."""
    return Proposal(
        owner_id=owner_id(owner),
        action=Action.NEW,
        probability=0.0,
        model=f"{by[:80]}@extraction-{FORM}",
        status=Status.PROPOSED,
        text=draft.text,
        kind=draft.kind,
        conversation=draft.conversation,
        message=draft.message,
        seen={"same": _same(draft), "said_at": draft.said_at.isoformat() if draft.said_at else None},
    )
