"""Memory on the curation desk: entries, what was not saved, the ledger, and certificates of forgetting."""

from memory.admin_commits import CommitAdmin
from memory.admin_entries import EntryAdmin
from memory.admin_erasures import ErasureAdmin
from memory.admin_refusals import RefusalAdmin

__all__ = ["CommitAdmin", "EntryAdmin", "ErasureAdmin", "RefusalAdmin"]
