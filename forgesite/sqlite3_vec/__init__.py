"""Django's SQLite backend on a driver that can load sqlite-vec, with triggers kept through table rebuilds."""
