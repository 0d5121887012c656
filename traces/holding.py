"""Rows that may quote a forgotten text, found by the database: reading every message takes seconds."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import reduce
from operator import or_

from django.db.models import Q

from traces.masking import Forgotten


def holding(fields: Sequence[str], gone: Sequence[Forgotten]) -> Q:
    """Any of the fields holds what any of the texts begins with, as text or as JSON writes it. All rows where a text
    begins with no letter."""
    probes = {text.probe for text in gone}
    if "" in probes:
        return Q()
    forms = probes | {json.dumps(probe)[1:-1] for probe in probes}
    return reduce(or_, (Q(**{f"{field}__contains": form}) for field in fields for form in forms), Q(pk__in=[]))
