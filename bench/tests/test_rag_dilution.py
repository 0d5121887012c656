"""Cut out of a block, an answer is as near to its question as it was alone."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from django.conf import settings
from django.test import override_settings

from bench.rag_dilution import Arm, UnusableError, case_of, measured, table
from forgesite.models import Account

OPEN = {"EMBEDDING_PROVIDER": "bundled", "RECALL_MAX_DISTANCE": "off"}


def test_cut_is_alone_to_four_decimals_and_buried_is_not(ana: Account) -> None:
    with override_settings(FORGE=settings.FORGE.model_copy(update=OPEN)):
        alone, buried, cut = measured(ana, case_of(None, ""))

    assert (cut.distance, cut.rank, cut.rows) == (alone.distance, 1, 23)
    assert buried.distance > alone.distance + 0.05


@pytest.mark.parametrize("question", [" ", "TODO", "What is <this>?", "Where is XXX?", "Is it ..."])
def test_a_question_that_nobody_wrote_is_refused(question: str) -> None:
    with pytest.raises(UnusableError, match="no question yet"):
        case_of(None, question)


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"SQLite format 3\0 and so on", "is a store"),
        (b"{}", "is no JSON of question"),
        (json.dumps({"question": "Is it?", "answers": 2, "exchanges": [["a", "b"]]}).encode(), "exchange 2 of 1"),
    ],
)
def test_a_store_is_refused_and_so_is_whatever_holds_no_exchanges(tmp_path: Path, data: bytes, why: str) -> None:
    (tmp_path / "given").write_bytes(data)

    with pytest.raises(UnusableError, match=why):
        case_of(tmp_path / "given", "")


def test_less_than_a_twentieth_is_no_gain() -> None:
    arms = (Arm("alone", 0.5, 1, 1), Arm("buried", 0.54, 1, 1), Arm("split", 0.5, 1, 23))

    assert table(case_of(None, ""), arms).endswith("no gain: less than 0.05")


def test_unusable_input_is_status_1() -> None:
    command = [sys.executable, "-m", "bench.rag_dilution", "--question", "TODO"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)

    assert (done.returncode, done.stdout) == (1, "")
