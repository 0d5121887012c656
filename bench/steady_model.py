"""A model that talks at a steady pace and knows when it said what: `python -m bench.steady_model --port N --every S`.

forgesite/testing_models.py does the talking. Each request is known by the mark `#…#` in its last message, and
`GET /said` gives for each mark when its request came in, when each token was sent, and when its client went away, in
seconds of the machine's monotonic clock, which every process reads alike.
"""

from __future__ import annotations

import argparse
import re
import time
from threading import Event
from typing import Any

from forgesite.testing_models import ScriptedModel, chunk, tokens, usage
from forgesite.testing_wire import Request, Wire

MARK = re.compile(r"#([\w-]+)#")
#: What answers look like: mostly sentences, now and then a list or a few lines of code.
PAGE = """\
The server in the second rack runs the backups every night, and what it wrote is checked in the morning by a job of
its own. When a disk is full, the oldest week is dropped and a line says so in the log.

- the port is 8080, behind a proxy that takes care of certificates;
- the disk holds **four weeks**, which is more than anybody has ever asked for;
- the key is kept in `secrets.toml`, and is not in the repository.

Nothing else has to be restarted when the address changes, since the name is looked up again for every connection that
is made, and the answer is kept for a minute at most.

```python
for week in sorted(weeks)[:-4]:
    log.info("dropped %s", week)
    week.remove()
```

"""


def answer(count: int) -> list[str]:
    """So many tokens of four characters."""
    return tokens(PAGE * (count * 4 // len(PAGE) + 1))[:count]


class SteadyModel(ScriptedModel):
    """Says its answer to whoever asks, a token every so many seconds since the first one."""

    def __init__(self, *, port: int, count: int, every: float) -> None:
        super().__init__(port=port)
        self._pieces, self._every = answer(count), every
        self._chunks = [chunk({"content": piece}) for piece in self._pieces]
        self._said: dict[str, dict[str, Any]] = {}

    async def answer(self, request: Request, wire: Wire) -> None:
        if request.path == "/said":
            return await wire.json(self._said)
        return await super().answer(request, wire)

    async def _chat(self, request: Request, wire: Wire) -> None:
        marks = MARK.findall(str(request.json["messages"][-1]["content"]))
        said = self._said[marks[-1] if marks else ""] = {"asked": request.at, "sent": [], "left": None}
        try:
            await self._say(wire, said["sent"])
        except ConnectionError:
            said["left"] = time.monotonic()
            raise

    async def _say(self, wire: Wire, sent: list[float]) -> None:
        await wire.head(content_type="text/event-stream")
        await wire.write(chunk({"role": "assistant", "content": None}))
        began = time.monotonic()
        for number, piece in enumerate(self._chunks, 1):
            sent.append(time.monotonic())
            await wire.write(piece)
            if await wire.within(max(0.0, began + number * self._every - time.monotonic())):
                raise ConnectionResetError
        for piece in (chunk({}, finish="stop"), chunk(None, usage=usage(7, len(sent))), b"data: [DONE]\n\n"):
            await wire.write(piece)
        await wire.end()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--tokens", type=int, default=600)
    parser.add_argument("--every", type=float, default=1 / 30, help="seconds between tokens")
    asked = parser.parse_args()
    with SteadyModel(port=asked.port, count=asked.tokens, every=asked.every):
        print("ready", flush=True)
        Event().wait()


if __name__ == "__main__":
    main()
