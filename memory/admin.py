"""Memory on the curation desk: entries, what was not saved, the ledger, and certificates of forgetting."""

from memory.desk.aliases import AliasAdmin
from memory.desk.calibration import CalibrationAdmin
from memory.desk.commits import CommitAdmin
from memory.desk.entries import EntryAdmin
from memory.desk.erasures import ErasureAdmin
from memory.desk.golden import GoldenAdmin
from memory.desk.receipts import ReceiptAdmin
from memory.desk.refusals import RefusalAdmin

__all__ = [
    "AliasAdmin",
    "CalibrationAdmin",
    "CommitAdmin",
    "EntryAdmin",
    "ErasureAdmin",
    "GoldenAdmin",
    "ReceiptAdmin",
    "RefusalAdmin",
]
