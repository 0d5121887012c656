from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class ChatConfig(AppConfig):
    name = "chat"
    verbose_name = _("Chat")

    def ready(self) -> None:
        from chat import erase as conversations
        from chat.quoting import quote
        from forgesite.accounts import register_leaver
        from memory.evidence import register_reader
        from memory.forget import register_eraser, register_taker
        from memory.proof.verify_receipts import register_namer
        from traces import erase as traces
        from traces.proof import naming

        register_eraser(conversations.plan)
        register_eraser(traces.plan)
        register_taker(conversations.take)
        register_leaver(traces.leave)
        register_reader(quote)
        register_namer(naming)
