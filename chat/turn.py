"""One turn: accepted, answered, and one exit, where the verdict, the answer's row and the run are saved once."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import AsyncGenerator
from contextlib import aclosing

from django.db import transaction
from django.utils import translation
from django.utils.translation import gettext as _

from chat import extracting, receipts
from chat.admission import Admitted, admit, way_of
from chat.coalesce import coalesced
from chat.domain.frames import Changed, Delta, Done, Failed, Frame, Stopped, Unsaid
from chat.domain.language import language_of
from chat.domain.verdict import Verdict, none
from chat.leaving import compacting
from chat.model_errors import code_of, words_for
from chat.models import State, new_id
from chat.page_blocks import PageBlocks
from chat.persist import Begun, begin, end
from chat.progress import Progress
from chat.repeat import repeat
from chat.reply import for_model, reply
from chat.threads import short, unbroken
from chat.turn_request import TurnRequest
from forgesite import model_servers as servers
from forgesite.errors import ForgeError, TooLargeError
from forgesite.lib.language_models import ModelFailedError
from memory.forget import forget_again
from traces.recorder import Recorder

log = logging.getLogger(__name__)
#: What broke may have been the rendering itself.
INTERNAL = "internal"
STATES = {Failed: State.FAILED, Stopped: State.STOPPED}


async def turn(request: TurnRequest) -> AsyncGenerator[Frame, None]:
    """The frames of one run: `accepted` first; `done`, `failed` or `stopped` last.

    Raises ForgeError before the first frame, with nothing stored: blank, too large, unknown conversation. Cancelled
    while it runs, it keeps the text so far and still says `stopped`.
    """
    with translation.override(language_of(request.text) or request.owner.language):
        admitted = await admit(request)
        begun = await short(
            begin,
            request.owner,
            admitted.text,
            conversation=request.conversation,
            client_id=request.client_id,
            temporary=request.temporary,
            run_id=new_id(),
            parent=request.parent,
            retry=request.retry,
            go_on=request.go_on,
            server=request.server,
            model=request.model,
        )
    with translation.override(language_of(begun.text) or request.owner.language):
        frames = repeat(begun, request.client_id) if begun.repeated else _run(request, begun, admitted)
        async with aclosing(frames):
            async for frame in frames:
                yield frame


async def _run(request: TurnRequest, begun: Begun, admitted: Admitted) -> AsyncGenerator[Frame, None]:
    recorder = Recorder(request.owner, run_id=begun.run_id, conversation=begun.conversation, text=begun.text)
    progress = Progress(request.owner, begun, request.door, recorder)
    last: Frame = Stopped("")
    judged = none("stopped")
    try:
        yield begun.accepted(request.client_id)
        progress.way = admitted.way or await way_of(begun.text)
        progress.model = admitted.model if for_model(progress.way) else None
        async with aclosing(_shown(progress)) as frames:
            async for frame in frames:
                yield frame
        judged = progress.verdict()
        last = Done(begun.answer, True, judged.not_answered or None, progress.usage(), begun.run_id)
    except asyncio.CancelledError:
        last = Stopped(progress.kept())
    except ForgeError as error:
        limit = error.detail["limit"] if isinstance(error, TooLargeError) else None
        last = Failed(error.code, error.message, progress.kept(), request.client_id, limit)
    except ModelFailedError as error:
        if error.failure == "unreachable":
            servers.lost(error.url)
        last = Failed(code_of(error), words_for(error), progress.kept(), request.client_id)
    except Exception:
        log.exception("turn failed run=%s", begun.run_id)
        message = _("Something went wrong inside Forge; the server's log says what. What you typed is kept.")
        last = Failed(INTERNAL, message, progress.kept(), request.client_id)
    finally:
        await unbroken(short(_exit, progress, last, judged))
        await unbroken(short(_after, progress))
    if progress.said and progress.said.rewrote:
        yield Changed("thread", begun.conversation)
    if isinstance(last, Stopped) or (isinstance(last, Failed) and last.code != INTERNAL):
        for block in progress.page.all():
            yield block
    yield last


async def _shown(progress: Progress) -> AsyncGenerator[Frame, None]:
    """The reply as a page takes it: its text in few deltas, and each block of it as HTML."""
    async with aclosing(coalesced(reply(progress))) as batches:
        async for frame in (frame async for batch in batches for frame in batch):
            yield frame
            if isinstance(frame, Delta):
                for block in progress.page.grow(frame.text, now=time.monotonic()):
                    yield block
            elif isinstance(frame, Unsaid):
                progress.page = PageBlocks()
    for block in progress.page.all():
        yield block


@transaction.atomic
def _exit(progress: Progress, last: Frame, judged: Verdict) -> None:
    """The answer's row, the receipt and the run, together. The recorder never raises: no trace can lose an answer."""
    error = {"code": last.code, "message": last.message} if isinstance(last, Failed) else None
    not_answered, not_indexable = ("", "failed") if error else (judged.not_answered, judged.not_indexable)
    end(
        progress.begun,
        progress.kept(),
        state=State(judged.state) if isinstance(last, Done) else STATES[type(last)],
        answered=isinstance(last, Done) and not not_answered,
        indexable=progress.enters(not_indexable) and error is None,
        kept_out=bool(not_indexable),
        model=progress.model_name,
    )
    progress.recorder.finish(
        ok=error is None,
        not_answered=not_answered,
        not_indexable=not_indexable,
        error=error,
        degraded=progress.degraded,
        llm=progress.llm(),
        receipt=receipts.seal(progress),
    )
    forget_again(progress.owner, progress.given)


def _after(progress: Progress) -> None:
    """What follows from an exchange that is stored. The answer is safe: nothing here can take it back."""
    for name, maybe in (("compaction", compacting.maybe), ("extraction", extracting.maybe)):
        try:
            maybe(progress)
        except Exception:
            log.exception("%s not queued run=%s", name, progress.begun.run_id)
