"""How the runs of bench/recall.py are printed, and told apart."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import mean, median

from bench.measures import Asked, means, paired

#: Questions that ask of one speaker what the other one said: reported with and without.
ADVERSARIAL = "adversarial"
COMPARED = ("R@10", "MRR")
Key = tuple[str, str, str]


def report(name: str, policy: str, asked: Sequence[Asked]) -> None:
    """A line for all questions that have an answer, one for each category, and one for those that have none."""
    answerable = [each for each in asked if each.measures]
    print(
        f"\n{name}, {policy}: {len(asked)} questions, {median([each.ms for each in asked] or [0.0]):.1f} ms of CPU each"
    )
    names = list(answerable[0].measures) if answerable else []
    print(f"{'':28}{'n':>5} " + " ".join(f"{each:>7}" for each in names))
    for label, some in groups(answerable).items():
        scores = means([each.measures for each in some])
        print(f"{label[:28]:28}{len(some):5d} " + " ".join(f"{scores[each]:7.3f}" for each in names))
    abstention(asked)


def groups(answerable: Sequence[Asked]) -> dict[str, list[Asked]]:
    """By what they are called in a table; no group is empty."""
    kinds = sorted({each.category for each in answerable})
    found = {"all": list(answerable)}
    if ADVERSARIAL in kinds:
        found[f"all but {ADVERSARIAL}"] = [each for each in answerable if each.category != ADVERSARIAL]
    found |= {kind: [each for each in answerable if each.category == kind] for kind in kinds}
    return {label: some for label, some in found.items() if some}


def abstention(asked: Sequence[Asked]) -> None:
    """How often a turn would say that memory holds nothing: where that is right, and where it is not."""
    for label, some in (
        ("rightly, without an answer", [each for each in asked if not each.measures]),
        ("wrongly, with one", [each for each in asked if each.measures]),
    ):
        if some:
            print(f"said nothing {label}: {mean(each.nothing for each in some):.3f} of {len(some)}")


def compare(new: Sequence[Asked], old: Sequence[Asked]) -> None:
    """Each policy with the same one of the old run, or with the only one that it has; question by question."""
    policies = dict.fromkeys(each.policy for each in old)
    for name, policy in dict.fromkeys((each.name, each.policy) for each in new):
        other = next(iter(policies)) if len(policies) == 1 else policy
        mine, theirs = keyed(new, name, policy), keyed(old, name, other)
        shared = [key for key in mine if key in theirs]
        if shared:
            print(f"{name}, {policy} against {other}, {len(shared)} questions: {gains(mine, theirs, shared)}")


def keyed(asked: Sequence[Asked], name: str, policy: str) -> dict[Key, Mapping[str, float]]:
    return {
        (each.name, each.store, each.question): each.measures
        for each in asked
        if each.measures and (each.name, each.policy) == (name, policy)
    }


def gains(new: Mapping[Key, Mapping[str, float]], old: Mapping[Key, Mapping[str, float]], keys: Sequence[Key]) -> str:
    said = []
    for measure in COMPARED:
        found = paired([new[key][measure] for key in keys], [old[key][measure] for key in keys])
        said.append(f"{measure} {found.mean:+.3f} [{found.low:+.3f}, {found.high:+.3f}]")
    return ", ".join(said)
