"""The worker that `up` starts: it runs the jobs that pages and turns leave."""

from __future__ import annotations

from argparse import SUPPRESS, ArgumentParser
from typing import Any

from django.db import connections
from django_q.cluster import Cluster

from chat import jobs as conversations
from forgesite import store_lock, worker_lock
from forgesite.child import end_with_parent
from forgesite.command import ForgeCommand
from memory.jobs import keep_schedule
from retention import jobs as forgetting


class Command(ForgeCommand):
    help = SUPPRESS
    needs_store = False

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--supervised", action="store_true", help="end when standard input closes")

    def handle(self, *, supervised: bool, **_: Any) -> None:
        store_lock.hold()
        worker_lock.hold()
        keep_schedule()
        conversations.keep_schedule()
        forgetting.keep_schedule()
        connections.close_all()  # no connection survives the forks that follow
        cluster = Cluster()
        cluster.start()
        if supervised:
            end_with_parent()
        cluster.sentinel.join()
