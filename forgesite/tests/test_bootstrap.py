"""The environment: stamped when whole, made where the person's pip looks, refused in one line."""

from __future__ import annotations

import fcntl
import os
import subprocess
import sys
from pathlib import Path

import pytest

from forgesite import bootstrap
from forgesite.config import ROOT


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A folder with two locks that name nothing, and a finished environment."""
    (tmp_path / bootstrap.LOCK).write_text("# nothing\n")
    (tmp_path / bootstrap.TEST_LOCK).write_text("# nothing, for tests\n")
    home = tmp_path / ".venv"
    (home / "bin").mkdir(parents=True)
    (home / "bin" / "python").symlink_to(sys.executable)
    lock = tmp_path / bootstrap.LOCK
    (home / lock.name).write_text(bootstrap.stamp_of(lock))
    return tmp_path


def finished(checkout: Path, lock: str = bootstrap.LOCK) -> bool:
    return bootstrap.is_finished(checkout / ".venv", checkout / lock)


def test_a_stamped_environment_is_taken_as_it_is(checkout: Path) -> None:
    assert bootstrap.environment(checkout) == str(checkout / ".venv" / "bin" / "python")
    assert not (checkout / ".venv.lock").exists()


def test_it_is_unfinished_without_the_test_extras(checkout: Path) -> None:
    assert finished(checkout)
    assert not finished(checkout, bootstrap.TEST_LOCK)


def test_a_changed_lock_makes_it_outdated(checkout: Path) -> None:
    (checkout / bootstrap.LOCK).write_text("# something\n")

    assert not finished(checkout)


def test_a_python_that_has_gone_makes_it_unfinished(checkout: Path) -> None:
    python = checkout / ".venv" / "bin" / "python"
    python.unlink()
    python.symlink_to(checkout / "gone")

    assert not finished(checkout)


def test_what_a_killed_start_left_is_made_anew_and_whole(checkout: Path) -> None:
    (checkout / bootstrap.LOCK).write_text("# another nothing\n")
    half = checkout / ".venv-new" / "bin"
    half.mkdir(parents=True)
    (half / "python").write_text("half of it")

    python = bootstrap.environment(checkout)

    assert finished(checkout)
    assert not half.exists()
    assert ".venv-new" not in (checkout / ".venv" / "bin" / "activate").read_text()
    asked = subprocess.run([python, "-c", "import sys; print(sys.prefix)"], capture_output=True, text=True, check=True)
    assert asked.stdout == f"{checkout / '.venv'}\n"


def test_an_environment_made_by_hand_is_put_aside(checkout: Path) -> None:
    (checkout / ".venv" / bootstrap.LOCK).unlink()
    (checkout / ".venv" / "mine").write_text("years of work")

    bootstrap.environment(checkout)

    assert finished(checkout)
    assert (checkout / ".venv-old" / "mine").read_text() == "years of work"


def test_the_extras_come_back_with_a_new_lock(checkout: Path) -> None:
    (checkout / ".venv" / bootstrap.TEST_LOCK).write_text("outdated")
    (checkout / bootstrap.LOCK).write_text("# another nothing\n")

    bootstrap.environment(checkout)

    assert finished(checkout)
    assert finished(checkout, bootstrap.TEST_LOCK)


def test_what_cannot_be_made_is_said_in_one_line(checkout: Path) -> None:
    (checkout / bootstrap.LOCK).write_text("# another nothing\n")
    (checkout / ".venv.lock").mkdir()

    with pytest.raises(SystemExit, match=r"^Forge could not make its environment .*\.venv: .*$"):
        bootstrap.environment(checkout)


def test_of_two_starts_one_waits(checkout: Path) -> None:
    code = "from pathlib import Path\nfrom forgesite.bootstrap import alone\n"
    code += "with alone(Path('lock'), 'writing'): print('mine')"
    with (checkout / "lock").open("w") as other:
        fcntl.flock(other, fcntl.LOCK_EX)
        second = subprocess.Popen(
            [sys.executable, "-c", code],
            cwd=checkout,
            env=os.environ | {"PYTHONPATH": str(ROOT)},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        assert second.stderr is not None
        assert second.stderr.readline() == "Forge: another start is writing; waiting for it\n"
    said, _ = second.communicate(timeout=30)

    assert said == "mine\n"


def test_bytecode_is_kept_in_the_environment_where_it_may_be_nowhere_else() -> None:
    told, free = {"PYTHONDONTWRITEBYTECODE": "1"}, {"HOME": "/home/amelie"}
    for environment in (told, free):
        bootstrap.keep_bytecode(Path("/srv/forge"), environment)

    assert told == {"PYTHONPYCACHEPREFIX": "/srv/forge/.venv/bytecode"}
    assert free == {"HOME": "/home/amelie"}


def test_pip_s_own_account_of_its_settings_is_understood() -> None:
    listing = "\n".join(
        [
            ":env:.index-url='https://env.example/simple'",
            "global.index-url='https://file.example/simple'",
            "global.extra-index-url='https://a.example https://b.example'",
            "install.no-binary='x'",
        ]
    )

    assert bootstrap.parsed_settings(listing)["index-url"] == "https://env.example/simple"
    assert bootstrap.parsed_settings(listing)["extra-index-url"] == "https://a.example https://b.example"


def test_uv_looks_where_pip_looks() -> None:
    pip = {"index-url": "https://i.example", "extra-index-url": "https://a.example https://b.example"}

    assert bootstrap.uv_settings(pip | {"find-links": "/w1 /w2", "cert": "/ca.pem"}, {}) == {
        "UV_DEFAULT_INDEX": "https://i.example",
        "UV_INDEX": "https://a.example https://b.example",
        "UV_INDEX_STRATEGY": "unsafe-best-match",
        "UV_FIND_LINKS": "/w1,/w2",
        "SSL_CERT_FILE": "/ca.pem",
    }


def test_what_the_person_set_for_uv_stays() -> None:
    assert bootstrap.uv_settings({"index-url": "https://i.example"}, {"UV_DEFAULT_INDEX": "https://mine.example"}) == {}


def test_the_first_files_of_all_run_on_a_bare_python() -> None:
    code = "import sys; sys.path.insert(0, '.'); import manage; from forgesite import bootstrap, supervisor"

    done = subprocess.run([sys.executable, "-I", "-S", "-c", code], cwd=ROOT, stderr=subprocess.PIPE, check=False)

    assert done.stderr == b""
