"""The wiring of Forge: settings, URLs, ASGI, the API's assembly. It has no behaviour of its own."""

import os

# Before numpy is first imported, whoever does that: its threads wait for each other by running in circles, and a pool
# of them costs memory.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

__version__ = "0.1.0"
