"""What the tests of folds share: notes on one machine, and enough talk around them that small words are common."""

from __future__ import annotations

from typing import Any

from forgesite.models import Account
from memory.hot_block import hot_block
from memory.models import Entry, Kind, Link
from memory.remember import Draft, remember_many
from memory.tests.entries import saved

RAM = "Le NiPoGi a 32 Go de RAM"
HARDWARE = "Matériel : NiPoGi AM06PRO, processeur Ryzen 5500U, 32 Go de RAM, SSD 256 Go"
TELEGRAM = "NiPoGi AM06PRO, Arch, 5500U, 32Go RAM, SSD 256Go, Ansible, services Podman"
WHOLE = "Le NiPoGi AM06PRO a un processeur Ryzen 5500U et 32 Go de RAM"
DECK = "Possède un Steam Deck"
DECK_MORE = "Possède un Steam Deck sous SteamOS, fait tourner des conteneurs Podman dessus"
LINE = (
    "Matériel : NiPoGi AM06PRO, processeur Ryzen 5500U, SSD 256 Go, Le NiPoGi a 32 Go de RAM, Arch, Ansible, "
    "services Podman."
)
BY: dict[str, Any] = {"actor": "person", "cause": "test"}
ASKED = ("Tu peux le dire ?", "Et le reste ?", "Merci", "Bonjour", "On continue ?", "Un souci ?", "Et après ?", "OK")
#: Talk in which `de`, `le`, `a`, `et`, `un` and `avec` are so frequent that they name nothing.
TALK = tuple(
    f"user: {asked} {number} assistant: Oui, et il y a une réponse avec un détail de plus : le reste est là"
    for number in range(4)
    for asked in ASKED
)


def talked(owner: Account) -> None:
    drafts = [Draft(text, kind=Kind.EXCHANGE, origin="import") for text in TALK]
    remember_many(owner, drafts, actor="import", cause="import test")


def notes(owner: Account, *texts: str, **draft: object) -> list[Entry]:
    """Saved one after the other, after the talk."""
    talked(owner)
    return [saved(owner, text, **draft) for text in texts]


def block(owner: Account) -> str:
    return hot_block(owner, upto=None, most_tokens=10_000).text


def standing(owner: Account) -> set[tuple[str, int, int]]:
    return set(Link.objects.of(owner).standing().values_list("type", "entry", "other"))
