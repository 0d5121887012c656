"""Is what is served the model that the vectors in store were made by? Until it is, search goes by words and says so.

Vectors of two models do not compare: nothing is cut or padded to fit, and nothing of the other model is thrown away
before everything is embedded anew (see reembed.py).
"""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.translation import gettext as _

from forgesite.lib.embeddings import Door
from memory import embedding, vector_channel
from memory.regime import swap as vector_swap
from memory.regime.swap import Made

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
    found = _behind(served)
    if found is None:
        return None
    if door.name != "bundled" and embedding.ask_again(door, ASK_AGAIN):
        return _behind(Made(embedding.regime(door), door.dim))
    return found


def settled(door: Door) -> Made | None:
    """As `of_vectors`, in one query as a rule; None where the vectors in store are of another model. Raises
    EmbeddingError."""
    served = Made(embedding.regime(door), door.dim)
    found = _stored(served) or served
    return found if same_model(found, served) else None


def known_behind(door: Door | None) -> Behind | None:
    """The same by what is known of the door. Nothing is sent, and None where nothing is known of it."""
    regime = embedding.known_regime(door) if door else ""
    if door is None or not regime or not vector_channel.available():
        return None
    return _behind(Made(regime, embedding.known_dim(door)))


def of_vectors(door: Door) -> Made:
    """What this door's vectors are stored as. Raises EmbeddingError.

    A regime names the wrapper of questions too, and a text has none: where only that is another one than that of the
    vectors in store, those are as good as new, and what comes later is stored under their name.
    """
    served = Made(embedding.regime(door), door.dim)
    found = _stored(served)
    return found if found and same_model(found, served) else served


def same_model(one: Made, other: Made) -> bool:
    return one.dim == other.dim and one.regime.rpartition(".")[2] == other.regime.rpartition(".")[2]


def _stored(served: Made) -> Made | None:
    """One query where the index is of this model, as it nearly always is."""
    made = vector_channel.made_for()
    if made and same_model(Made(*made), served):
        return Made(*made)
    return vector_swap.stored_beside(made)


def _behind(served: Made) -> Behind | None:
    found = _stored(served)
    if found is None or same_model(found, served):
        return None
    return Behind(found, served, *vector_swap.counts(served))
