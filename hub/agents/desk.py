"""What a tool works with: one of the hub's APIs, asked with the token of whoever uses the tool."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Mapping
from typing import Any, Final, Protocol
from urllib.parse import urlencode

import orjson
from attrs import field, frozen

from hub import __version__
from hub.agents.words import Words
from hub.domain.words import Side

Arguments = Mapping[str, str]
API_ROOTS: Final[Mapping[Side, str]] = {
    "merchant": "/api/v1",
    "affiliate": "/api/affiliate/v1",
    "operator": "/api/admin/v1",
}


class Refused(Exception):
    """What a tool does not do; the text is a sentence for the agent."""


class Ask(Protocol):
    """Asks the API: the body of the answer, or `Refused` in the hub's own words."""

    def __call__(
        self, method: str, path: str, query: Mapping[str, str] = {}, body: Mapping[str, Any] | None = None
    ) -> Awaitable[Any]:
        """Return the answer's JSON; `path` is below the API's root."""
        ...


@frozen
class Desk:
    """An agent's place: the API that it asks, whose token it has, and the words of its acts."""

    ask: Ask
    holder: Side
    token: str = field(repr=False)
    words: Words


def request_of(token: str, path: str, query: Mapping[str, str], body: object) -> tuple[str, dict[str, str], bytes]:
    """Return what is sent for a question with a token: the target with its query, the headers and the body's bytes."""
    target = path + (f"?{urlencode(query)}" if query else "")
    headers = {"Authorization": f"Bearer {token}", "User-Agent": f"affiliate-hub-mcp/{__version__}"}
    if body is None:
        return target, headers, b""
    return target, headers | {"Content-Type": "application/json"}, orjson.dumps(body)


def answer_of(status: int, raw: bytes) -> Any:
    """Return the JSON of an answer; raise `Refused` in the hub's words unless it is a success."""
    try:
        body = orjson.loads(raw)
    except orjson.JSONDecodeError:
        body = {}
    if 200 <= status < 300:
        return body
    said = body.get("message") if isinstance(body, dict) else None
    sentences = [str(each) for each in said] if isinstance(said, list) else [str(said or "It gave no reason.")]
    raise Refused(f"The hub answered {status}: {' '.join(sentences)}")


def act_named(tool: str, given: Arguments) -> str:
    """Return what a confirmation word stands for: a tool with its arguments."""
    return json.dumps([tool, sorted(given.items())])
