"""The wiring of Forge: settings, URLs, ASGI, the API's assembly. It has no behaviour of its own."""

__version__ = "0.1.0"
