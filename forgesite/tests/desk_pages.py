"""Every page and every action of the desk, and the right that each takes. A new one without a line fails the tests."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from django.contrib import admin
from django.http import HttpRequest
from django.urls import URLPattern, URLResolver, reverse

#: Whoever may be on the desk at all; and who may see what belongs to the whole installation.
STAFF, SUPERUSER = "", "superuser"
#: Django's own, which show nothing of ours.
DJANGOS = frozenset({"login", "logout", "password_change_done", "autocomplete", "jsi18n", "view_on_site", "app_list"})
#: What may be done to each model's rows on Django's own pages. Whose rows they are is asked besides.
MODELS: dict[str, str] = {
    "memory.Entry": "add change delete view",
    "memory.Refusal": "view",
    "memory.Commit": "view",
    "memory.Erasure": "view",
    "memory.Receipt": "view",
    "memory.GoldenQuestion": "add delete view",
    "memory.Alias": "add delete view",
    "memory.Calibration": "view",
    "chat.Conversation": "delete view",
    "chat.Message": "view",
    "traces.Run": "view",
    "retention.Proposal": "view",
    "forgesite.Account": "change view",
    "forgesite.Token": "change view",
}
#: Models whose rows belong to nobody: a superuser's.
UNOWNED = frozenset({"forgesite.Account", "forgesite.Token"})
#: The right that each action takes. `delete_selected` is Django's own, where rows may be deleted at all.
ACTIONS: dict[tuple[str, str], str] = {
    ("memory.Entry", "archive_selected"): "memory.change_entry",
    ("memory.Entry", "restore_selected"): "memory.change_entry",
    ("memory.Entry", "retract_selected"): "memory.change_entry",
    ("memory.Entry", "reaffirm_selected"): "memory.change_entry",
    ("memory.Entry", "pin_selected"): "memory.change_entry",
    ("memory.Entry", "unpin_selected"): "memory.change_entry",
    ("memory.Entry", "set_project_selected"): "memory.change_entry",
    ("memory.Entry", "forget_selected"): "memory.delete_entry",
    ("memory.Refusal", "save_selected_anyway"): "memory.add_entry",
    ("memory.Alias", "accept"): "memory.change_alias",
    ("memory.Alias", "reject"): "memory.change_alias",
    ("memory.Alias", "undo"): "memory.change_alias",
    ("memory.GoldenQuestion", "ask_selected_again"): "memory.change_goldenquestion",
    ("memory.GoldenQuestion", "delete_selected"): "memory.delete_goldenquestion",
    ("chat.Conversation", "delete_selected"): "chat.delete_conversation",
    ("forgesite.Token", "revoke"): SUPERUSER,
}
#: What a calibration measured: one question with its entry, and one that nothing answers.
MEASURED = [
    {"text": "Who has the key?", "entry": 1, "distance": 0.9, "rank": 1, "side": "hit"},
    {"text": "Who has the cat?", "entry": 1, "distance": 1.3, "rank": None, "side": "miss"},
]


@dataclass(frozen=True)
class Page:
    """`get`, `post`: the right that it takes; None: a GET shows nothing there, a POST does nothing.

    `of`: the model of the row that its address names. `tells`: of another's row it says that there is none, and leads
    back. `whole`: why it may ask more the more there is.
    """

    name: str
    get: str | None
    post: str | None = None
    of: str = ""
    argument: str = "pk"
    more: Mapping[str, str] = field(default_factory=dict)
    query: str = ""
    body: Mapping[str, Any] = field(default_factory=dict)
    tells: bool = False
    whole: str = ""

    def path(self, rows: Mapping[str, Any]) -> str:
        """`rows`: a row's id, or whatever else its address names it by, of each model."""
        named = {self.argument: rows[self.of]} if self.of else {}
        return reverse(f"admin:{self.name}", kwargs={**named, **self.more}) + self.query


SEE, CHANGE, FORGET = "memory.view_entry", "memory.change_entry", "memory.delete_entry"
DECIDE = "retention.change_proposal"
PROOF = "It compares every row with the chain."
ASKED_AGAIN = "It asks questions of the newest answers again, fifty at most."
OWN = (
    Page("index", get=STAFF),
    Page("password_change", get=None),
    Page("health", get=SEE),
    Page("health", get=SEE, query="?tables"),
    Page("health_check", get=None, post=CHANGE),
    Page("jobs", get=SEE),
    Page("job_act", get=None, post=CHANGE, body={"retry": "none"}),
    Page("data", get=SEE),
    Page("settings_in_force", get=SUPERUSER),
    Page("folds", get=SEE),
    Page("folds_applied", get=SEE),
    Page("folds_apply", get=None, post=CHANGE, body={"one": "none"}),
    Page("folds_settle", get=None, post=CHANGE, body={"older": "1:1", "newer": "2:1", "way": "archive"}),
    Page("folds_unwind", get=None, post=CHANGE, of="memory.Entry", tells=True),
    Page("memory_entry_act", get=None, post=CHANGE, of="memory.Entry", body={"act": "archive"}),
    Page("memory_entry_relate", get=CHANGE, post=CHANGE, of="memory.Entry", body={"type": "conflicts", "other": "2"}),
    Page("memory_entry_unrelate", get=None, post=CHANGE, of="memory.Entry", body={"link": "1"}),
    Page("memory_entry_panel", get=SEE, of="memory.Entry", more={"name": "answers"}),
    Page("memory_entry_panel", get=SEE, of="memory.Entry", more={"name": "questions"}),
    Page("memory_entry_forget", get=None, post=FORGET, body={"ids": "1"}),
    Page("memory_entry_retract", get=None, post=CHANGE, body={"ids": "1"}),
    Page("memory_entry_project", get=None, post=CHANGE, body={"ids": "1", "project": "attic"}),
    Page("memory_entry_duplicates", get=SEE, post=CHANGE, body={"act": "archive 1"}),
    Page("memory_entry_about", get=FORGET, post=FORGET, body={"subject": "shed"}),
    Page("memory_entry_as_of", get=SEE, query="?at=2100-01-01"),
    Page("memory_entry_changelist", get=SEE, query="?q=shelf"),
    Page("memory_entry_changelist", get=SEE, query="?q=shelf+33&rows=1"),
    Page("memory_entry_delete", get=FORGET, of="memory.Entry", argument="object_id", query="?goes=1"),
    Page("chat_conversation_changelist", get="chat.view_conversation", query="?q=said"),
    Page("chat_message_changelist", get="chat.view_message", query="?q=said"),
    Page("traces_run_changelist", get="traces.view_run", query="?q=canary"),
    Page("memory_commit_undo", get=None, post=CHANGE, of="address", argument="address", tells=True),
    Page("memory_commit_verify", get=None, post=CHANGE),
    Page("memory_commit_adopt", get=CHANGE, post=CHANGE, whole=PROOF),
    Page("memory_commit_rebuild", get=CHANGE, post=CHANGE, whole=PROOF),
    Page("memory_calibration_measure", get="memory.change_calibration", post="memory.change_calibration"),
    Page("memory_calibration_use", get=None, post="memory.change_calibration", body={"use": "none"}),
    Page("memory_goldenquestion_replay", get=None, post="memory.change_goldenquestion"),
    Page("memory_refusal_save", get=None, post="memory.add_entry", of="memory.Refusal"),
    Page("retention_proposal_calibration", get="retention.view_proposal"),
    Page("retention_proposal_alike", get="retention.view_proposal"),
    Page("retention_proposal_effects", get="retention.view_proposal", of="retention.Proposal", whole=ASKED_AGAIN),
    Page("retention_proposal_effects_of_many", get="retention.view_proposal", query="?id=1&id=2", whole=ASKED_AGAIN),
    Page("retention_proposal_edit", get=None, post=DECIDE, body={"ids": "1", "entry": "1", "version": "1"}),
    Page("retention_proposal_decide", get=None, post=DECIDE, body={"ids": "1", "do": "accept"}),
    Page("retention_proposal_decide_many", get=None, post=DECIDE, body={"id": "1", "do": "reject", "sure": "1"}),
    Page("auth_user_password_change", get=SUPERUSER, post=SUPERUSER, of="forgesite.Account", argument="id"),
)


def pages() -> Iterator[Page]:
    """Every one: Django's five of each model, and our own."""
    for label, rights in MODELS.items():
        yield from _of_model(label, rights.split())
    yield from OWN


def _of_model(label: str, rights: list[str]) -> Iterator[Page]:
    app, model = label.lower().split(".")

    def right(act: str) -> str | None:
        if act not in rights:
            return None
        return SUPERUSER if label in UNOWNED else f"{app}.{act}_{model}"

    def page(act: str, get: str | None, post: str | None = None, *, row: bool = True) -> Page:
        of = label if row else ""
        return Page(f"{app}_{model}_{act}", get=get, post=post, of=of, argument="object_id", body={"post": "yes"})

    yield page("changelist", right("view"), row=False)
    yield page("add", right("add"), right("add"), row=False)
    yield page("change", right("view"), right("change"))
    yield page("delete", right("delete"), right("delete"))
    yield page("history", right("view"))


def names() -> set[str]:
    """What the site itself answers to, by name."""
    return {str(pattern.name) for pattern in _walk(admin.site.get_urls()) if pattern.name} - DJANGOS


def _walk(patterns: list[Any]) -> Iterator[URLPattern]:
    for pattern in patterns:
        if isinstance(pattern, URLResolver):
            yield from _walk(pattern.url_patterns)
        else:
            yield pattern


def actions(request: HttpRequest) -> set[tuple[str, str]]:
    """Those that whoever asks is offered."""
    return {
        (model._meta.label, name)
        for model, model_admin in admin.site._registry.items()
        for name in model_admin.get_actions(request)
    }
