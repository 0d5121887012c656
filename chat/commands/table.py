"""The `!` commands, answered here and never sent to a model: one table, each command's function in a `command_…`."""

from __future__ import annotations

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from chat.commands import drawer as command_drawer
from chat.commands import folds as command_folds
from chat.commands import memory as command_memory
from chat.commands import talk as command_talk
from chat.commands import todos as command_todos
from chat.commands import why as command_why
from chat.commands import window as command_window
from chat.commands.order import MisusedError, Order
from chat.domain.commands import usage_line
from chat.domain.route import Command
from chat.progress import Progress, Said
from forgesite.errors import ForgeError
from traces.recorder import StepRecord


def carry_out(progress: Progress, command: Command, step: StepRecord) -> Said:
    """What a command says. Its errors are its answer, and the step is marked failed."""
    order = ORDERS.get(command.name)
    if order is None:
        return Said(
            _("There is no command `!%(name)s`; nothing was sent.") % {"name": command.name[:40]} + f"\n\n{_list()}"
        )
    try:
        return order.do(progress, command.rest, step)
    except MisusedError:
        return Said(_("Usage: %(usage)s") % {"usage": f"`{usage_line(command.name, order.takes)}`"})
    except ForgeError as error:
        step.fail(error.message)
        return Said(error.message)


def _list() -> str:
    return "\n".join(f"- `{usage_line(name, order.takes)}`: {order.about}" for name, order in ORDERS.items())


def _help(progress: Progress, rest: str, step: StepRecord) -> Said:
    return Said(_("Commands are answered by Forge itself and never sent to a model.") + f"\n\n{_list()}")


ORDERS: dict[str, Order] = {
    "help": Order("", gettext_lazy("this list"), _help),
    "remember": Order(
        "<kind> <project|-> <content>",
        gettext_lazy("save an entry, word for word"),
        command_memory.remember,
        writes=True,
    ),
    "recall": Order("<query>", gettext_lazy("what memory gives for a query, with distances"), command_memory.recall),
    "search": Order("<query>", gettext_lazy("the same as !recall"), command_memory.recall),
    "memory": Order("[kind]", gettext_lazy("what memory holds, newest first"), command_memory.memory),
    "forget": Order(
        "<id>", gettext_lazy("delete an entry for good, from every index"), command_memory.forget, writes=True
    ),
    "undo": Order(
        "[commit]",
        gettext_lazy("take the last change of memory back; not a !forget"),
        command_memory.undo,
        writes=True,
    ),
    "todo": Order(
        "[text]",
        gettext_lazy("write a todo down; alone: what is open, due ones first"),
        command_todos.todo,
        writes=True,
    ),
    "done": Order("<id>", gettext_lazy("close a todo"), command_todos.done, writes=True),
    "pin": Order(
        "[message]",
        gettext_lazy("keep a message and its answer in the drawer; alone: the last exchange"),
        command_drawer.pin,
        writes=True,
    ),
    "unpin": Order("<message>", gettext_lazy("take one message out of the drawer"), command_drawer.unpin, writes=True),
    "drawer": Order("", gettext_lazy("what is pinned in this conversation"), command_drawer.drawer),
    "compact": Order(
        "",
        gettext_lazy("move older messages out of the prompt’s window and into memory"),
        command_window.compact,
        writes=True,
    ),
    "fold": Order(
        "[apply [force]]",
        gettext_lazy(
            "entries that say one subject in several lines; `apply`: one line speaks for them, unless an answer would "
            "lose by it; `force`: even so"
        ),
        command_folds.fold,
        writes=True,
    ),
    "unfold": Order(
        "<id>", gettext_lazy("let those that an entry speaks for speak again"), command_folds.unfold, writes=True
    ),
    "context": Order("", gettext_lazy("what the next prompt takes of the model’s window"), command_window.context),
    "trace": Order("[n]", gettext_lazy("the last runs: ✓ answered, ∅ answered nothing, ✗ failed"), command_talk.trace),
    "why": Order(
        "[run | not <#id or text>]",
        gettext_lazy("what memory gave the last run, and what it left out; `not`: why it did not give something"),
        command_why.why,
    ),
    "clear": Order("", gettext_lazy("empty this conversation; pinned messages stay"), command_talk.clear, writes=True),
    "new": Order(
        "",
        gettext_lazy("begin a new conversation; by the API: make one and say its id"),
        command_talk.new,
        writes=True,
    ),
    "temp": Order(
        "",
        gettext_lazy("the same, of which nothing enters memory"),
        command_talk.temp,
        writes=True,
    ),
}
WRITING = frozenset(name for name, order in ORDERS.items() if order.writes)
