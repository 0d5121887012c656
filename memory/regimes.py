"""Is what is served the model that the vectors in store were made by? Until it is, search goes by words and says so.

Vectors of two models do not compare: nothing is cut or padded to fit, and nothing of the other model is thrown away
before everything is embedded anew (see reembed.py).
"""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.translation import gettext as _

from forgesite.lib.embeddings import Door
from memory import embedding, vector_channel, vector_swap
from memory.vector_swap import Made

#: A model is asked who it is again after so many seconds, as long as the vectors in store are of another one.
ASK_AGAIN = 15.0


@dataclass(frozen=True)
class Behind:
    """`entries` there are, of which `done` have vectors of what is served."""

    stored: Made
    served: Made
    entries: int
    done: int

    def sentence(self) -> str:
        words = _(
            "Search by meaning is off: the vectors in store are of another model (%(stored)s, %(stored_dim)d numbers) "
            "than the one that is served (%(served)s, %(served_dim)d numbers). %(done)d of %(entries)d entries are "
            "re-embedded; meanwhile only words are searched. The worker goes on; `manage.py reembed` does it now."
        )
        return words % {
            "stored": self.stored.regime,
            "stored_dim": self.stored.dim,
            "served": self.served.regime,
            "served_dim": self.served.dim,
            "done": self.done,
            "entries": self.entries,
        }

    def short(self) -> str:
        words = _("Another model is served: %(done)d of %(entries)d entries are re-embedded.")
        return words % {"done": self.done, "entries": self.entries}


def behind(door: Door) -> Behind | None:
    """None where the vectors in store are of what is served, or where there are none. Raises EmbeddingError.

    Where they differ the server is asked again who it is: another process may have seen first that its model changed.
    """
    served = Made(embedding.regime(door), door.dim)
    if not _differ(served):
        return None
    if door.name != "bundled" and embedding.ask_again(door, ASK_AGAIN):
        served = Made(embedding.regime(door), door.dim)
    return _behind(served)


def known_behind(door: Door | None) -> Behind | None:
    """The same by what is known of the door. Nothing is sent, and None where nothing is known of it."""
    regime = embedding.known_regime(door) if door else ""
    if door is None or not regime or not vector_channel.available():
        return None
    served = Made(regime, embedding.known_dim(door))
    return _behind(served) if _differ(served) else None


def of_vectors(door: Door) -> Made:
    """What this door's vectors are stored as. Raises EmbeddingError.

    A regime names the wrapper of questions too, and a text has none: where only that is another one than that of the
    vectors in store, those are as good as new, and what comes later is stored under their name.
    """
    served = Made(embedding.regime(door), door.dim)
    stored = vector_swap.stored()
    return stored if stored and same_model(stored, served) else served


def same_model(one: Made, other: Made) -> bool:
    return one.dim == other.dim and one.regime.rpartition(".")[2] == other.regime.rpartition(".")[2]


def _differ(served: Made) -> bool:
    made = vector_channel.made_for()
    return made is None or not same_model(Made(*made), served)


def _behind(served: Made) -> Behind | None:
    stored = vector_swap.stored()
    if stored is None or same_model(stored, served):
        return None
    return Behind(stored, served, *vector_swap.counts(served))
