"""What the API's shapes share: unknown fields are refused, texts have limits, errors have one form."""

from __future__ import annotations

from datetime import datetime, tzinfo
from typing import Annotated, Any

from django.utils import timezone
from ninja import Schema
from pydantic import AfterValidator, ConfigDict, Field, ValidationInfo, model_validator

from forgesite.errors import TooLargeError

MIB = 1024 * 1024
#: The largest id that the database can hold.
LARGEST_ID = 2**63 - 1
#: How any operation that asks who you are may end.
EVERYWHERE = (401, 403, 422, 500)


class In(Schema):
    """A body. A field it does not know is refused (422)."""

    model_config = ConfigDict(extra="forbid")


class QueryIn(Schema):
    """The parameters of an address. One it does not know is refused (422), as in a body."""

    @model_validator(mode="before")
    @classmethod
    def _known(cls, data: Any, info: ValidationInfo) -> Any:
        request = (info.context or {}).get("request")
        unknown = sorted(set(request.GET) - set(cls.model_fields)) if request is not None else []
        if unknown:
            raise ValueError(f"unknown parameter: {', '.join(unknown)[:200]}")
        return data


class ErrorBody(Schema):
    code: str = Field(description="A word for programs: `empty`, `unknown`, `too_large` …")
    message: str = Field(description="What happened and what to do, fit to show.")
    detail: Any = Field(None, description="More, by code: `size` and `limit`, or the list of fields that are wrong.")


class ErrorOut(Schema):
    """The shape of every error."""

    error: ErrorBody


def answers(shape: Any, *statuses: int) -> dict[Any, Any]:
    """The responses of an operation: its shape, and the errors it can end in beside those that every one can."""
    return {200: shape, frozenset({*EVERYWHERE, *statuses}): ErrorOut}


def within(text: str, limit: int, what: str) -> str:
    """The text, if its UTF-8 bytes are no more than the limit. Raises TooLargeError with size and limit."""
    size = len(text.encode())
    if size > limit:
        message = f"The {what} is {size:,} bytes long; {limit:,} are allowed."
        raise TooLargeError(message, detail={"size": size, "limit": limit})
    return text


def _in_the_calendar(value: datetime) -> datetime:
    if not 1000 <= value.year <= 9998:
        raise ValueError("the year must lie between 1000 and 9998")
    return value


Moment = Annotated[
    datetime, AfterValidator(_in_the_calendar), Field(description="ISO 8601; without an offset, in your time zone.")
]


def moment(value: datetime | None, zone: tzinfo) -> datetime | None:
    """With an offset, whatever was sent."""
    return timezone.make_aware(value, zone) if value is not None and timezone.is_naive(value) else value
