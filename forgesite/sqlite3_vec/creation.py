"""Clone test databases with this driver: Django's own code calls the standard library's `sqlite3.connect`."""

from typing import Any

from django.db.backends.sqlite3 import creation

from .driver import Database


class DatabaseCreation(creation.DatabaseCreation):
    def _clone_test_db(self, *args: Any, **kwargs: Any) -> None:
        with _driver_in_place():
            super()._clone_test_db(*args, **kwargs)  # type: ignore[misc]

    def setup_worker_connection(self, *args: Any, **kwargs: Any) -> None:
        with _driver_in_place():
            super().setup_worker_connection(*args, **kwargs)


class _driver_in_place:
    """For the length of a block, Django's creation module uses our driver."""

    def __enter__(self) -> None:
        self.saved = creation.sqlite3  # type: ignore[attr-defined]
        creation.sqlite3 = Database  # type: ignore[attr-defined]

    def __exit__(self, *exc: object) -> None:
        creation.sqlite3 = self.saved  # type: ignore[attr-defined]
