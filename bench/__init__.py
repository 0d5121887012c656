"""Measurements. Each module is a command: `python -m bench.NAME`; the record is in `bench/README.md`."""

import forgesite  # noqa: F401  before numpy, which it keeps at one thread
