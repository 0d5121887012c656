"""Rows that belong to an account. The owner predicate sits here, at the lowest layer."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar

from django.conf import settings
from django.db import models
from django.utils.translation import gettext as _

from forgesite.errors import NoOwnerError, UnknownError

if TYPE_CHECKING:
    from forgesite.models import Account

M = TypeVar("M", bound=models.Model)


def owner_id(owner: Account | Any) -> int:
    """The id of a signed-in account. Raises NoOwnerError for nobody and for Django's AnonymousUser."""
    pk = getattr(owner, "pk", None)
    if pk is None:
        raise NoOwnerError("Nobody is signed in, and memory is read for one account only. Sign in and try again.")
    return int(pk)


class OwnedQuerySet(models.QuerySet[M]):
    """Every reader starts with `.of(owner)`."""

    def of(self, owner: Account | Any) -> Self:
        return self.filter(owner_id=owner_id(owner))

    def one_of(self, owner: Account | Any, **lookup: Any) -> M:
        """The owner's row. Raises UnknownError also where the row is somebody else's."""
        found = self.of(owner).filter(**lookup).first()
        if found is None:
            raise UnknownError(_unknown(self.model._meta.verbose_name, lookup))
        return found


def _unknown(name: object, lookup: Mapping[str, object]) -> str:
    if set(lookup) == {"pk"}:
        return _("No %(name)s with id %(id)s.") % {"name": name, "id": lookup["pk"]}
    named = ", ".join(f"{'id' if one == 'pk' else one} {value}" for one, value in lookup.items())
    return _("No %(name)s with %(named)s.") % {"name": name, "named": named}


class OwnedModel(models.Model):
    owner = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+", editable=False)

    objects = OwnedQuerySet.as_manager()

    class Meta:
        abstract = True
