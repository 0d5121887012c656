"""Which pairs of the public set thresholds are chosen on (70 %), and which they are measured on (30 %).

Frozen before a judge saw any of them, in `retention_split.txt`: of each pair that is held out, the first 16 hex digits
of SHA-256 over its older text; no text. Conversations are held out whole.

    python -m bench.retention_split --data PATH > bench/retention_split.txt
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

FILE = Path(__file__).with_name("retention_split.txt")
DIGITS = 16
#: Of these a pair goes with its conversation.
TALKS = ("LoCoMo", "BEAM")


def pairs(path: Path) -> list[dict[str, Any]]:
    """Those with a label."""
    lines = (json.loads(line) for line in path.read_text(encoding="utf-8").splitlines())
    return [pair for pair in lines if pair["gold"] != "TO_LABEL"]


def held_out() -> frozenset[str]:
    return frozenset(FILE.read_text(encoding="ascii").split())


def digest(pair: dict[str, Any]) -> str:
    return sha256(pair["older"]["text"].encode()).hexdigest()[:DIGITS]


def _chosen(pairs: list[dict[str, Any]]) -> Iterator[str]:
    for pair in pairs:
        source = str(pair["source"])
        named = "/".join(source.split("/")[:2]) if source.startswith(TALKS) else pair["older"]["text"]
        if int(sha256(named.encode()).hexdigest()[:8], 16) % 10 >= 7:
            yield digest(pair)


if __name__ == "__main__":
    print("\n".join(sorted(set(_chosen(pairs(Path(sys.argv[sys.argv.index("--data") + 1])))))))
