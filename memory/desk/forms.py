"""The desk's forms for memory: the search box that takes any text, and an entry's form, which ends in its verb."""

from __future__ import annotations

from typing import Any, ClassVar

from django import forms
from django.contrib import messages
from django.http import HttpRequest
from django.utils.translation import gettext

from forgesite.models import Account
from forgesite.owned_admin import VerbForm
from memory.models import Entry
from memory.regime.pending import is_indexed
from memory.remember import Draft, remember
from memory.revise import Changes, revise

ACTOR, CAUSE = "person", "admin"


def owner_of(request: HttpRequest) -> Account:
    """What the admin site has made sure of, said to the type checker."""
    assert isinstance(request.user, Account)
    return request.user


class AnyTextForm(forms.Form):
    """Any text is a query: Django's own form refuses a NUL."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["q"] = forms.CharField(required=False)
        self.fields["q"].validators = []

    def clean_q(self) -> str:
        return str(self.cleaned_data["q"]).replace("\x00", " ")


#: What a person may set of an entry.
EDITED = ("text", "kind", "project", "event_at")


class EntryForm(VerbForm):
    """`seen` is the version that the person has read: an edit made elsewhere meanwhile is never overwritten unseen."""

    seen = forms.IntegerField(widget=forms.HiddenInput, required=False)

    class Meta:
        model = Entry
        fields = EDITED
        widgets: ClassVar = {
            "text": forms.Textarea(attrs={"rows": 6, "class": "vLargeTextField", "aria-keyshortcuts": "e"})
        }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["seen"].initial = self.instance.version
        if "event_at" in self.fields:  # whoever may only look has no field to fill in
            date, time = self.fields["event_at"].widget.widgets
            date.attrs["aria-label"], time.attrs["aria-label"] = gettext("Happens: date"), gettext("Happens: time")

    def clean(self) -> dict[str, Any]:
        data: dict[str, Any] = super().clean() or {}
        self._refuse_a_stale_edit()
        return data

    def _refuse_a_stale_edit(self) -> None:
        now = Entry.objects.of(self.request.user).filter(pk=self.instance.pk).first()
        if now is None or now.version == self.cleaned_data.get("seen"):
            return
        posted: Any = self.data.copy()  # type: ignore[attr-defined]
        posted["seen"] = str(now.version)
        self.data = posted
        words = gettext(
            "This entry was changed meanwhile and now reads: “%(text)s”. Your edit is below, not saved. "
            "Save again to replace that version."
        )
        self.add_error(None, words % {"text": now.text})

    def act(self) -> Entry:
        owner, data = owner_of(self.request), self.cleaned_data
        if self.instance.pk:
            changes = Changes(**{name: data[name] for name in EDITED if data[name] != self.initial[name]})
            return self._revised(changes)
        draft = Draft(**{name: data[name] for name in EDITED})
        saved = remember(owner, draft, actor=ACTOR, cause=CAUSE)
        for note in saved.notes:
            messages.info(self.request, note)
        return saved.entry

    def _revised(self, changes: Changes) -> Entry:
        owner, seen = owner_of(self.request), self.cleaned_data["seen"]
        entry = revise(owner, self.instance.pk, changes, version=seen, actor=ACTOR, cause=CAUSE)
        if changes.text is not None and not is_indexed(entry):
            messages.warning(self.request, gettext("Kept, and found by its words only: it waits for its vectors."))
        return entry
