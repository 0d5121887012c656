"""Pick one SQLite driver for the whole process.

Two SQLite libraries that open the same file in one process drop each other's POSIX locks, and a committed row can
vanish. So nothing in Forge imports `sqlite3` by itself: whoever needs the driver takes `Database` from here.
"""

import importlib
from types import ModuleType

CANDIDATES = ("pysqlite3.dbapi2", "sqlean.dbapi2", "sqlite3.dbapi2")


def pick(candidates: tuple[str, ...] = CANDIDATES) -> tuple[ModuleType, bool]:
    """The first installed driver that can load extensions, and True; else the standard library's, and False.

    Without an extension loader Forge still starts: it searches by words, and says so.
    """
    for name in candidates:
        try:
            module = importlib.import_module(name)
        except ImportError:
            continue
        probe = module.connect(":memory:")
        can_load = hasattr(probe, "enable_load_extension")
        probe.close()
        if can_load:
            return module, True
    return importlib.import_module("sqlite3.dbapi2"), False


Database, can_load_extensions = pick()
