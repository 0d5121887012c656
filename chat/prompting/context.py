"""What the next prompt of a conversation would take of the model's window, foretold without asking the model."""

from __future__ import annotations

from typing import TYPE_CHECKING

from asgiref.sync import async_to_sync

from chat import history
from chat.answering import Answering, answering
from chat.domain.budget import fit
from chat.domain.frames import Context
from chat.domain.prompts import Notes, turn_text
from chat.models import Conversation
from chat.prompting.at_hand import AtHand, to_come
from chat.prompting.composing import today
from chat.prompting.pieces import Pieces, messages_in, near_of
from chat.prompting.sizes import Sizes, estimated, known
from chat.prompting.system import System, left_by, own_text, with_memory
from chat.tool_use.tools import offerable
from forgesite.errors import InvalidError

if TYPE_CHECKING:
    from forgesite.models import Account


def forecast(owner: Account, conversation: str | None = None) -> Context:
    """Of the conversation that moved last, where none is named; of a new one, where there is none.

    With an empty message, and without what its recall would give. `context_limit` None: the built-in responder answers,
    or a server that is not configured any more was chosen. Raises UnknownError.
    """
    talk = history.conversation_of(owner, conversation) if conversation else history.latest(owner)
    model = async_to_sync(_model_of)(talk)
    own = own_text(offerable(model.room), envelope=not model.door.takes_tools()) if model else own_text(())
    left = async_to_sync(left_by)(own, model.room) if model else None
    hand = to_come(owner, talk.pk if talk else "", room=left)
    system = async_to_sync(with_memory)(own, hand, left)
    return async_to_sync(_weighed)(hand, system, turn_text("", Notes(today(owner), [])), model)


async def _model_of(talk: Conversation | None) -> Answering | None:
    try:
        return await answering(talk.server, talk.model) if talk else await answering("", "")
    except InvalidError:
        return None


async def _weighed(hand: AtHand, system: System, turn: str, model: Answering | None) -> Context:
    room = model.room if model else None
    near = near_of(hand.past, room) if room is not None else hand.past
    pieces = Pieces(system, turn, near)
    counted = pieces.split(await _sizes(model, pieces.texts))
    earlier = len(hand.past) - len(near)
    first = earlier
    if room is not None:
        kept = fit(room, counted.fixed, [], counted.turns, earlier=earlier)
        first = kept.turns if kept else len(hand.past)
    history_tokens = sum(counted.turns[first - earlier :])
    return Context(
        prompt_tokens=counted.fixed + history_tokens,
        hot_block_tokens=counted.hot,
        history_tokens=history_tokens,
        history_messages=messages_in(hand.past[first:]),
        context_limit=model.window.tokens if model else None,
        estimated=counted.estimated or model is None or model.window.estimated,
        left_out=messages_in(hand.past[:first]),
    )


async def _sizes(model: Answering | None, texts: list[str]) -> Sizes:
    return await known(model.door, texts) if model else Sizes(await estimated(texts), estimated=True)
