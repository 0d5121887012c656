"""mem0 over the rows and vectors of `given.json` in a folder; run by its own Python (bench/peers/__main__.py).

Nothing is sent: `infer=False` asks no model, and the embedder that its configuration names is replaced by the vectors
that are given before it is first used.
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path
from typing import Any

WHO = "bench"


class Given:
    def __init__(self, given: dict[str, Any], config: Any) -> None:
        self.vectors = dict((*given["rows"], *given["questions"]))
        self.config = config

    def embed(self, text: str, memory_action: str | None = None) -> list[float]:
        return list(self.vectors[text])

    def embed_batch(self, texts: list[str], memory_action: str | None = None) -> list[list[float]]:
        return [self.embed(text) for text in texts]


def main(folder: Path) -> None:
    from mem0 import Memory  # type: ignore[import-not-found]

    given = json.loads((folder / "given.json").read_text())
    memory = Memory.from_config(config(folder, len(given["rows"][0][1])))
    memory.embedding_model = Given(given, memory.embedding_model.config)
    began = time.process_time()
    for place, (text, _vector) in enumerate(given["rows"]):
        memory.add([{"role": "user", "content": text}], user_id=WHO, metadata={"place": place}, infer=False)
    filled = time.process_time()
    found = [ask(memory, text, given["top_k"]) for text, _vector in given["questions"]]
    asked = time.process_time() - filled
    times = {"row_ms": 1000 * (filled - began) / len(given["rows"]), "question_ms": 1000 * asked / max(1, len(found))}
    (folder / "found.json").write_text(json.dumps({"found": found, **times}))


def config(folder: Path, dim: int) -> dict[str, Any]:
    """The store that it takes by itself; a model and an embedder have to be named, and are not asked."""
    store = {"path": str(folder / "qdrant"), "embedding_model_dims": dim, "on_disk": True}
    return {
        "vector_store": {"provider": "qdrant", "config": store},
        "history_db_path": str(folder / "history.db"),
    }


def ask(memory: Any, text: str, top_k: int) -> list[int]:
    rows = memory.search(text, top_k=top_k, filters={"user_id": WHO}, threshold=0.0)["results"]
    return [row["metadata"]["place"] for row in rows]


if __name__ == "__main__":
    main(Path(sys.argv[1]))
