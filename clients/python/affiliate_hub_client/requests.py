"""A call as its parts, before it is signed: it is signed anew for each attempt."""

from __future__ import annotations

import json
import uuid
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote, urlencode


@dataclass(frozen=True)
class Call:
    """One call of the API, whatever number of attempts it takes.

    An idempotent call without a key of the caller's has one of its own, so that its attempts count once.
    """

    method: str
    path: str
    query: Mapping[str, Any] = field(default_factory=dict)
    body: Any = None
    event_id: str | None = None
    idempotency_key: str | None = None
    is_idempotent: bool = False
    may_repeat: bool = False

    @property
    def target(self) -> str:
        """The path with its query."""
        return f"{self.path}?{urlencode(self.query)}" if self.query else self.path

    def raw_body(self) -> bytes:
        """Return the bytes to sign and to send; a text is the content of a file."""
        if self.body is None:
            return b""
        text = self.body if isinstance(self.body, str) else json.dumps(self.body, separators=(",", ":"))
        return text.encode()

    def headers(self) -> dict[str, str]:
        """Return the headers that every attempt has in common."""
        headers = {"Content-Type": "text/csv" if isinstance(self.body, str) else "application/json"}
        if self.event_id is not None:
            headers["X-External-Event-Id"] = self.event_id
        if self.is_idempotent:
            headers["X-Idempotency-Key"] = self.idempotency_key or str(uuid.uuid4())
        return headers


def path_of(template: str, **names: str) -> str:
    """Return a path with these values, percent-encoded."""
    return template.format(**{name: quote(value, safe="") for name, value in names.items()})


def without_none(query: Mapping[str, Any]) -> dict[str, Any]:
    """Return the parameters that were given; booleans as the API writes them."""
    given = {name: value for name, value in query.items() if value is not None}
    return {name: str(value).lower() if isinstance(value, bool) else value for name, value in given.items()}


def next_page(page: Mapping[str, Any], paging: str) -> Any:
    """Return where the next page is, None after the last one."""
    if paging == "cursor":
        return page["nextCursor"]
    return page["page"] + 1 if page["page"] * page["pageSize"] < page["total"] else None
