"""Measurements. Each module is a command: `python -m bench.NAME`; the record is in `bench/README.md`."""
