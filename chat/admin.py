"""The chat on the curation desk: conversations, their messages, and the runs behind the answers."""

from chat.desk.conversations import ConversationAdmin
from chat.desk.messages import MessageAdmin
from chat.desk.runs import RunAdmin

__all__ = ["ConversationAdmin", "MessageAdmin", "RunAdmin"]
