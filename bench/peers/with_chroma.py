"""Chroma over the rows and vectors of `given.json` in a folder; run by its own Python (bench/peers/__main__.py)."""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path
from typing import Any

AT_ONCE = 1000


def main(folder: Path) -> None:
    import chromadb  # type: ignore[import-not-found]

    given = json.loads((folder / "given.json").read_text())
    settings = chromadb.config.Settings(anonymized_telemetry=False)
    client = chromadb.PersistentClient(path=str(folder / "chroma"), settings=settings)
    rows = client.create_collection("rows", embedding_function=None, metadata={"hnsw:space": "cosine"})
    began = time.process_time()
    for first in range(0, len(given["rows"]), AT_ONCE):
        add(rows, first, given["rows"][first : first + AT_ONCE])
    filled = time.process_time()
    found = [ask(rows, vector, given["top_k"]) for _text, vector in given["questions"]]
    asked = time.process_time() - filled
    times = {"row_ms": 1000 * (filled - began) / len(given["rows"]), "question_ms": 1000 * asked / max(1, len(found))}
    (folder / "found.json").write_text(json.dumps({"found": found, **times}))


def add(rows: Any, first: int, some: list[Any]) -> None:
    rows.add(
        ids=[str(first + number) for number in range(len(some))],
        documents=[text for text, _vector in some],
        embeddings=[vector for _text, vector in some],
    )


def ask(rows: Any, vector: list[float], top_k: int) -> list[int]:
    return [int(each) for each in rows.query(query_embeddings=[vector], n_results=top_k)["ids"][0]]


if __name__ == "__main__":
    main(Path(sys.argv[1]))
