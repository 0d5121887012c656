"""Exports of other products, one module a format, read into the same dataclasses. Known by shape, never by name."""
