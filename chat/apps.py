from django.apps import AppConfig


class ChatConfig(AppConfig):
    name = "chat"

    def ready(self) -> None:
        from chat import erase as conversations
        from memory.forget import register_eraser
        from traces import erase as traces

        register_eraser(conversations.erase)
        register_eraser(traces.erase)
