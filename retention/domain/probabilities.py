"""How likely each option is: from how likely a model's own tokens were, else from how often it chose each.

Pure arithmetic. What is likely is looked up where the answer's JSON has the option: token by token, along what was
written, until it can be no other option any more.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence

from forgesite.lib.language_models import Token
from retention.domain.items import OFF, BadVerdictError, Item, Verdict, verdict

#: How often a question is asked where the server does not weigh its tokens.
VOTES = 3
#: No option is impossible, whatever the tokens say.
LEAST = 1e-4
#: At a token of an option so much of what is likely has to be of an option, or the weights are of something else.
OF_OPTIONS = 0.5


def counted(item: Item, votes: Sequence[str]) -> Verdict:
    """The share of the votes, by Laplace: one more for each option, so that three that agree are not certain."""
    count = Counter(votes)
    every = len(votes) + len(item.options)
    return verdict(item, {option: (count[option] + 1) / every for option in item.options})


def weighed(item: Item, reply: str, tokens: Sequence[Token]) -> Verdict | None:
    """By the tokens of a reply that chooses one of the item's options. None: they do not tell.

    Raises BadVerdictError for weights that are no logarithms of probabilities.
    """
    written = "".join(token.text for token in tokens)
    begins, chosen = written.rfind(reply), re.search(rf'"{re.escape(item.ref)}"\s*:\s*"', reply)
    if begins < 0 or chosen is None:
        return None
    shares = _along(item, tokens, begins + chosen.end())
    if shares is None:
        return None
    raised = {option: max(LEAST, shares[option]) for option in item.options}
    return verdict(item, {option: share / sum(raised.values()) for option, share in raised.items()})


def _along(item: Item, tokens: Sequence[Token], begins: int) -> dict[str, float] | None:
    """The shares, from the token on in which the option begins.

    It is followed to its end, also where it can be no other one any more: what a schema made of a letter, against all
    that was likely behind it, was not meant.
    """
    shares, mass, prefix, at = dict.fromkeys(item.options, 0.0), 1.0, "", 0
    for token in tokens:
        at += len(token.text)
        if at <= begins:
            continue
        lead = token.text[: max(0, begins - at + len(token.text))] if not prefix else ""
        likely = _of_options(item, token, lead, prefix)
        every = sum(share for _begun, share in likely)
        if every < OF_OPTIONS:
            return None
        # What is told of no option may be of any: llama.cpp weighs before the schema takes away what does not fit.
        _spread(shares, _may_become(item, prefix), mass * max(0.0, 1 - every))
        prefix += token.text[len(lead) :]
        left = _may_become(item, prefix)
        for begun, share in likely:
            if begun != prefix or len(left) == 1:
                _spread(shares, _may_become(item, begun), mass * share)
        if len(left) == 1 and prefix.startswith(left[0]):
            return shares
        mass *= sum(share for begun, share in likely if begun == prefix) if len(left) > 1 else 0
    return None


def _of_options(item: Item, token: Token, lead: str, prefix: str) -> list[tuple[str, float]]:
    """What may stand here, as an option that is begun, with its probability; what begins none is left out."""
    likely = [(text, _probability(item, weight)) for text, weight in token.likely]
    if sum(share for _text, share in likely) > 1 + OFF:
        raise BadVerdictError(f"{item.ref}: the probabilities of its tokens add up to more than one")
    begun = [(prefix + text[len(lead) :], share) for text, share in likely if text.startswith(lead)]
    return [(text, share) for text, share in begun if len(text) > len(prefix) and _may_become(item, text)]


def _probability(item: Item, weight: float) -> float:
    if math.isnan(weight) or weight > OFF:
        raise BadVerdictError(f"{item.ref}: the weight of a token is no logarithm of a probability")
    return math.exp(weight)


def _may_become(item: Item, begun: str) -> list[str]:
    """The options that this is the beginning of, or that it has whole with the quote behind it."""
    whole = ((option, f'{option}"') for option in item.options)
    return [option for option, quoted in whole if quoted.startswith(begun) or begun.startswith(quoted)]


def _spread(shares: dict[str, float], options: Sequence[str], share: float) -> None:
    for option in options:
        shares[option] += share / len(options)
