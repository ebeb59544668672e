"""What can go wrong, as exceptions: by the answer's status, each with the hub's `code`."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any


class HubError(Exception):
    """The hub refused a request; `code` says why, and `doc_url` leads to an explanation.

    `code` is empty for a 401, which never says what was wrong; `messages` lists every fault of the input. `retry_after`
    is how many seconds the hub asks to wait, 0 if it does not.
    """

    def __init__(self, status: int, body: Mapping[str, Any], retry_after: float = 0.0) -> None:
        message = body.get("message", "")
        self.status = status
        self.retry_after = retry_after
        self.messages: list[str] = [message] if isinstance(message, str) else list(message)
        self.code: str = body.get("code", "")
        self.param: str | None = body.get("param")
        self.doc_url: str | None = body.get("docUrl")
        self.request_id: str | None = body.get("requestId")
        super().__init__(f"{status} {self.code}: {'; '.join(self.messages)}".replace(" :", ":"))


class InvalidRequest(HubError):
    """400, 413, 415 and the like: the same request will be refused again."""


class NotAuthenticated(HubError):
    """401: the request log of the account says why."""


class NotFound(HubError):
    """404: the account has no such object."""


class Busy(HubError):
    """409: a request with this idempotency key is being processed right now."""


class Refused(HubError):
    """422: the idempotency key was used with another body."""


class RateLimited(HubError):
    """429: too many requests; `retry_after` says when there is room again."""


class Unavailable(HubError):
    """5xx: the hub's own fault; the request may be sent again."""


class MissingSetting(Exception):
    """The client was not told where the hub is, or with which key to sign."""


class NoAnswer(Exception):
    """No attempt was answered; whether the last was taken is not known."""


BY_STATUS: Mapping[int, type[HubError]] = {
    401: NotAuthenticated,
    404: NotFound,
    409: Busy,
    422: Refused,
    429: RateLimited,
}


def error_of(status: int, raw: bytes, retry_after: float = 0.0) -> HubError:
    """Return the exception for an answer; its body may be a proxy's, and no JSON."""
    try:
        body = json.loads(raw)
    except ValueError:
        body = {"message": raw[:200].decode("utf-8", "replace")}
    kind = BY_STATUS.get(status, Unavailable if status >= 500 else InvalidRequest)
    return kind(status, body if isinstance(body, dict) else {}, retry_after)
