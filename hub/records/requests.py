"""A request in the request log, as its account, the operator and the terminal see it."""

from __future__ import annotations

from typing import Annotated, Any, Final

from attrs import frozen

from hub.domain.words import Mode
from hub.records.orders import NOON
from hub.records.record import Note
from hub.records.rows import read_row
from hub.storage import Row
from hub.validation.constraints import Instant
from hub.validation.inputs import leading

REQUEST: Final = "1795176000000-log_01936f3e8c7a7b3e9d5a4c2b1f0e8d81"
CLIENT: Final = Note("The address that it came from.", "203.0.113.7")


@frozen(kw_only=True, slots=False)
class RequestDocument:
    """A request; `id` is its place in the log, `status` the HTTP status, `detail` what was wrong."""

    id: Annotated[str, Note("The entry's place in the log.", REQUEST)]
    at: Annotated[int, Instant("When it came.", NOON)]
    method: Annotated[str, Note("Its method.", "POST")]
    path: Annotated[str, Note("Its path, without the query.", "/api/v1/conversions")]
    status: Annotated[int, Note("The HTTP status of its answer.", 400)]
    error_code: Annotated[str | None, Note("Why it was refused; null if it was not.", "validation_failed")]
    request_id: Annotated[str, Note("The id that its answer carried as X-Request-ID.", "checkout-7f3a")]
    key_id: Annotated[str | None, Note("The key that it named.", "ak_test_0123456789abcdef")]
    client: Annotated[str, CLIENT]
    mode: Annotated[Mode | None, Note("The mode of the account.", "test")]
    duration_ms: Annotated[float, Note("How long the answer took, in milliseconds.", 1.2)]
    detail: Annotated[
        dict[str, Any] | None,
        Note("What was wrong, or which fields were ignored.", {"faults": ["`orderAmount` must be given"]}),
    ]


@frozen(
    kw_only=True,
    slots=False,
    field_transformer=leading(
        "id", "at", "method", "path", "status", "error_code", "request_id", "key_id", "client",
    ),
)  # fmt: skip
class LoggedRequest(RequestDocument):
    """A request of this account as the hub saw it; `error_code` says more than its answer did."""

    client: Annotated[str | None, CLIENT]  # type: ignore[assignment]  # v1 has promised no more


def request_document(row: Row) -> RequestDocument:
    """Return the request of a row of the list `requests` or of `request_in_log`."""
    place = f"{row['logged_at']}-{row['log_id']}"
    return read_row(RequestDocument, row, id=place, at=row["logged_at"], duration_ms=row["duration_us"] / 1000)
