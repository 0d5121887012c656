"""Turns public originals into the sets that `--data` takes: `python -m bench.convert locomo FILE --to SET.json`.

`locomo`: `locomo10.json` as snap-research/LoCoMo publishes it. `beam`: a folder of numbered chats (`chat.json` and
`probing_questions/probing_questions.json` each) as mohammadtavakoli78/BEAM publishes it.
"""

from __future__ import annotations

import argparse
import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

#: LoCoMo numbers its kinds of question.
CATEGORIES = {1: "multi-hop", 2: "temporal", 3: "open-domain", 4: "single-hop", 5: "adversarial"}
#: A turn by its id. Some evidence names several in one string, or writes `D:11:26` for `D11:26`.
TURN = re.compile(r"D:?(\d+):0*(\d+)")
SESSION = re.compile(r"session_(\d+)")
#: BEAM ends what a person says with the place of it in its plan.
PLACE = re.compile(r"\s*->->[\s\d,.]*$")

Raw = dict[str, Any]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kind", choices=KINDS)
    parser.add_argument("original", type=Path)
    parser.add_argument("--to", type=Path, required=True)
    options = parser.parse_args()
    licence, source, convert = KINDS[options.kind]
    found = {"name": options.to.stem, "licence": licence, "source": source, "stores": convert(options.original)}
    options.to.write_text(json.dumps(found, ensure_ascii=False))
    print(f"{options.to}: {len(found['stores'])} stores")


def locomo(original: Path) -> list[Raw]:
    return [_locomo_store(sample) for sample in json.loads(original.read_text())]


def _locomo_store(sample: Raw) -> Raw:
    rows = list(_locomo_rows(sample["conversation"]))
    known, name = {row["id"] for row in rows}, str(sample["sample_id"])
    questions = [
        _question(f"{name}-{number}", raw["question"], CATEGORIES[raw["category"]], _turns(raw["evidence"], known))
        for number, raw in enumerate(sample["qa"])
    ]
    facts = [fact for fact in _locomo_facts(sample, known) if fact["gold"]]
    # Evidence that names no turn would make an answerable question one without an answer.
    return {"id": name, "rows": rows, "facts": facts, "questions": [each for each in questions if each["gold"]]}


def _locomo_rows(conversation: Raw) -> Iterator[Raw]:
    """The first speaker is the user. A photo is told by its caption."""
    for name in _sessions(conversation):
        for turn in conversation[name]:
            photo = f" [shares a photo: {turn['blip_caption']}]" if turn.get("blip_caption") else ""
            role = "user" if turn["speaker"] == conversation["speaker_a"] else "assistant"
            text, date = f"{turn.get('text', '')}{photo}".strip(), conversation.get(f"{name}_date_time", "")
            yield _row(turn["dia_id"], role, turn["speaker"], name, date, text)


def _sessions(conversation: Raw) -> list[str]:
    found = [name for name in conversation if SESSION.fullmatch(name) and conversation[name]]
    return sorted(found, key=lambda name: int(name.removeprefix("session_")))


def _locomo_facts(sample: Raw, known: set[str]) -> Iterator[Raw]:
    """What annotators observed of each speaker, a line each, with the turns it comes from."""
    for number, speakers in sample.get("observation", {}).items():
        date = sample["conversation"].get(f"{number.removesuffix('_observation')}_date_time", "")
        for text, evidence in (fact for facts in speakers.values() for fact in facts):
            yield {"text": text, "gold": _turns(evidence, known), "date": date}


def _turns(evidence: str | list[str], known: set[str]) -> list[str]:
    named = evidence if isinstance(evidence, str) else " ".join(evidence)
    ids = [f"D{session}:{turn}" for session, turn in TURN.findall(named)]
    return [each for each in dict.fromkeys(ids) if each in known]


def beam(original: Path) -> list[Raw]:
    chats = sorted(original.glob("*/chat.json"), key=lambda path: (len(path.parent.name), path.parent.name))
    return [_beam_store(path.parent) for path in chats]


def _beam_store(chat: Path) -> Raw:
    name = f"beam-{chat.name}"
    kinds = json.loads((chat / "probing_questions" / "probing_questions.json").read_text())
    questions = [
        _question(f"{name}-{kind}-{number}", raw["question"], kind, list(dict.fromkeys(_numbers(raw))))
        for kind, some in kinds.items()
        for number, raw in enumerate(some)
    ]
    # Only where a chat cannot answer may a question name no source.
    kept = [each for each in questions if each["gold"] or each["category"] == "abstention"]
    return {"id": name, "rows": list(_beam_rows(chat / "chat.json")), "facts": [], "questions": kept}


def _beam_rows(chat: Path) -> Iterator[Raw]:
    for batch in json.loads(chat.read_text()):
        for turn in (turn for turns in batch["turns"] for turn in turns):
            text = PLACE.sub("", turn["content"])
            yield _row(turn["id"], turn["role"], turn["role"], "", turn.get("time_anchor", ""), text)


def _numbers(raw: Raw) -> Iterator[int]:
    """The turns a question comes from: a list, or lists by what each turn is to it."""
    sources = raw.get("source_chat_ids", [])
    for each in sources.values() if isinstance(sources, dict) else [sources]:
        yield from each if isinstance(each, list) else [each]


def _row(number: str | int, role: str, speaker: str, session: str, date: str | None, text: str) -> Raw:
    return {"id": number, "role": role, "speaker": speaker, "session": session, "date": date or "", "text": text}


def _question(number: str, text: str, category: str, gold: list[Any]) -> Raw:
    return {"id": number, "text": text, "category": category, "gold": gold}


#: Its licence, its origin, and what reads it.
KINDS: dict[str, tuple[str, str, Callable[[Path], list[Raw]]]] = {
    "locomo": ("CC BY-NC 4.0: evaluation only, never shipped", "snap-research/LoCoMo", locomo),
    "beam": ("no licence stated: evaluation only, never shipped", "mohammadtavakoli78/BEAM", beam),
}


if __name__ == "__main__":
    main()
