"""What folding would do to one's own store: `python -m bench.rag_aggregate --db FILE`.

    [--account NAME] [--max-df SHARE]… [--min-sources N] [--apply]

On a copy (bench/on_copy.py). For each --max-df the plan, by the very code that folds: of each subject its entries, the
line, or the gate that refuses it, who is held back and why, the tokens it costs and saves. Then HEADROOM: what the
budget of the block leaves, before and after. --apply folds the copy by the first --max-df, shows the block, unwinds all
of it, and says whether the block is then what it was. Status 1: it is not, or the input is of no use.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from bench.on_copy import on_copy
from bench.rag_hybrid import owner_of

if TYPE_CHECKING:
    from forgesite.models import Account
    from memory.folds.plan import Planned


def main(given: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--db", type=Path, required=True)
    parser.add_argument("--account", default="", help="whose memory; the first one's where nobody is named")
    parser.add_argument("--max-df", type=float, action="append", help="as COMPACTION_AGGREGATE_MAX_DF")
    parser.add_argument("--min-sources", type=int, help="as COMPACTION_AGGREGATE_MIN_SOURCES")
    parser.add_argument("--apply", action="store_true", help="fold the copy, and unwind it again")
    options = parser.parse_args(given)
    with on_copy(options.db):
        owner = owner_of(options.account)
        plans = [_planned(owner, max_df, options.min_sources) for max_df in options.max_df or [None]]
        return 0 if not options.apply or folded_and_back(owner, plans[0]) else 1


def _planned(owner: Account, max_df: float | None, min_sources: int | None) -> Planned:
    from memory.folds.lines import left_alone, lines, totals
    from memory.folds.plan import planned

    found = planned(owner, max_df=max_df, min_sources=min_sources)
    print(
        f"\nmax_df {max_df or 'as set'}: {len(found.plan.folds)} subjects, {len(found.plan.accepted)} would be folded"
    )
    for fold in found.plan.folds:
        print("\n".join(lines(fold)))
    print("\n".join([*left_alone(found), totals(found)]))
    print(f"HEADROOM {headroom(found.before)} → {headroom(found.after)}")
    return found


def headroom(tokens: int) -> str:
    from django.conf import settings

    budget: int = settings.FORGE.RECALL_HOT_MAX_TOKENS
    return f"{budget - tokens} of {budget} tokens"


def folded_and_back(owner: Account, plan: Planned) -> bool:
    """Is the block the same again, to the byte, once all is unwound?"""
    from memory.fold import apply
    from memory.hot_block import hot_block
    from memory.unfold import folds, unwind

    standing = {each.entry.pk for each in folds(owner)}
    before = hot_block(owner, upto=None, most_tokens=1_000_000)
    done = apply(owner, plan, actor="bench", cause="bench")
    print(f"\nFolded: {len(done.done)}; refused as it was written: {[fold.refused for fold in done.dropped]}")
    after = hot_block(owner, upto=None, most_tokens=1_000_000)
    print(f"{after.text}\nBlock: {len(before.ids)} → {len(after.ids)} entries, {before.tokens} → {after.tokens} tokens")
    for each in done.done:
        only = each.fold.folds if each.id in standing else None
        unwind(owner, each.id, sources=only, actor="bench", cause="bench")
    same = hot_block(owner, upto=None, most_tokens=1_000_000).text == before.text
    print("Unwound: the block is what it was, to the byte." if same else "Unwound: THE BLOCK IS NOT WHAT IT WAS.")
    return same


if __name__ == "__main__":
    raise SystemExit(main())
