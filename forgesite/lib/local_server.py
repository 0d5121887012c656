"""llama.cpp inside Forge, from a GGUF file: LLM_PROVIDER=local.

It runs in a process of its own, one for each file and process of Forge: while it loads a model, xllamacpp lets no other
Python run beside it (measured: 1.8 s in which the event loop did not move once, for 98 MB), and a file that makes
llama.cpp abort would take Forge with it. It listens on loopback with a key that nobody else knows, and ends with Forge.
"""

from __future__ import annotations

import atexit
import importlib.util
import json
import os
import secrets
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

#: Tokens of prompt and answer where none are set. llama.cpp takes less where the model was trained on less; a model's
#: own maximum may be 128 k, and its memory more than this machine has.
WINDOW = 8192


class CannotRunError(Exception):
    """The message says what to do."""


@dataclass
class Local:
    """`url` is empty while it loads."""

    process: subprocess.Popen[bytes]
    log: IO[bytes]
    key: str = field(repr=False)
    url: str = ""

    def look(self) -> bool:
        """Is it there by now? Raises CannotRunError where it has ended."""
        assert self.process.stdout is not None
        self.url = self.url or (self.process.stdout.read() or b"").decode().strip()
        if self.process.poll() is not None:
            raise CannotRunError(f"llama.cpp ended with status {self.process.returncode}: {self._last_words()}")
        return bool(self.url)

    def _last_words(self) -> str:
        self.log.seek(0)
        lines = self.log.read().decode("utf-8", "replace").splitlines()
        return next((line for line in lines if " E " in line), " ".join(lines[-1:]))

    def end(self) -> None:
        """It ends when its standard input does; the kernel sees to that even where Forge is killed."""
        with self.process:  # closes the pipes
            self.process.kill()
        self.log.close()


_running: dict[Path, Local] = {}


def address(path: Path, window: int | None = None) -> tuple[str, str] | None:
    """Where this file's server is, and its key; None while it loads. Raises CannotRunError.

    It is started by the first call, and by the first one after it has ended.
    """
    if path not in _running:
        _check(path)
        _running[path] = _started(path, window or WINDOW)
    held = _running[path]
    try:
        return (held.url, held.key) if held.look() else None
    except CannotRunError:
        end(path)
        raise


def end(path: Path) -> None:
    if held := _running.pop(path, None):
        held.end()


@atexit.register
def end_all() -> None:
    for path in list(_running):
        end(path)


def _check(path: Path) -> None:
    if importlib.util.find_spec("xllamacpp") is None:
        raise CannotRunError("the package xllamacpp is not installed; `python3 manage.py up` installs it")
    try:
        with path.open("rb") as file:
            magic = file.read(4)
    except OSError as error:
        raise CannotRunError(f"{path}: {error.strerror}; name a GGUF file in LLM_URL") from None
    if magic != b"GGUF":
        raise CannotRunError(f"{path} is no GGUF file; name one in LLM_URL")


def _started(path: Path, window: int) -> Local:
    key, log = secrets.token_urlsafe(24), tempfile.TemporaryFile()  # noqa: SIM115 — as long as the process
    process = subprocess.Popen(
        [sys.executable, "-P", __file__], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log
    )
    assert process.stdin is not None
    assert process.stdout is not None
    asked = {"path": str(path), "name": path.stem, "key": key, "window": window}
    process.stdin.write(json.dumps(asked).encode() + b"\n")
    process.stdin.flush()
    os.set_blocking(process.stdout.fileno(), False)
    return Local(process, log, key)


def serve() -> None:
    """The process of the server: says its address when the model is loaded, and ends with whoever started it."""
    import xllamacpp

    asked = json.loads(sys.stdin.readline())  # the key would be seen among a process's arguments
    params = xllamacpp.CommonParams()
    params.model.path, params.api_keys = asked["path"], [asked["key"]]
    params.hostnames, params.port = ["127.0.0.1"], 0
    params.ui, params.offline = False, True
    params.n_ctx, params.n_parallel, params.verbosity = asked["window"], 1, 1
    params.model_alias = {asked["name"]}
    params.cpuparams.n_threads = max(1, (os.cpu_count() or 2) - 1)  # one core stays with Forge
    server = xllamacpp.Server(params)
    print(server.listening_address, flush=True)
    sys.stdin.read()
    os._exit(0)  # nothing to save; taking llama.cpp down in order may wait for an answer that nobody reads


if __name__ == "__main__":
    serve()
