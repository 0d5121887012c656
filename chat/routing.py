"""The socket's address."""

from __future__ import annotations

from typing import Any

from django.urls import re_path

from chat.consumers import ChatConsumer

websocket_urlpatterns: list[Any] = [re_path(r"^ws/chat/$", ChatConsumer.as_asgi())]
