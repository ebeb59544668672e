"""A bridge from a request of this server to an ASGI application: one whole body in, one whole answer out.

The SDK's HTTP transport is an ASGI application. It is given the method, the path, the headers and the body, and an end
of the request's state of our own; what it sends is collected, because the transport answers with JSON, not a stream.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any, Final

from attrs import define, field

from hub.http.response import Reply

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Application = Callable[[Message, Receive, Send], Awaitable[None]]
VERSION: Final = {"version": "3.0", "spec_version": "2.3"}


@define(eq=False)
class Asked:
    """A request with its body; `headers` have lower-case names, `state` is what the application finds beside it."""

    method: str
    path: str
    headers: list[tuple[bytes, bytes]]
    body: bytes
    client: str
    state: dict[str, Any]
    _was_read: bool = field(init=False, default=False)
    _status: int = field(init=False, default=500)
    _kind: str = field(init=False, default="application/json")
    _pieces: list[bytes] = field(init=False, factory=list)

    async def of(self, application: Application) -> Reply:
        """Return what the application answers."""
        scope: Message = {
            "type": "http", "asgi": VERSION, "http_version": "1.1", "method": self.method, "scheme": "http",
            "path": self.path, "raw_path": self.path.encode(), "query_string": b"", "root_path": "",
            "headers": self.headers, "client": (self.client, 0), "server": None, "state": self.state,
        }  # fmt: skip
        await application(scope, self._receive, self._send)
        return Reply(self._status, b"".join(self._pieces), content_type=self._kind)

    async def _receive(self) -> Message:
        if self._was_read:
            return {"type": "http.disconnect"}
        self._was_read = True
        return {"type": "http.request", "body": self.body, "more_body": False}

    async def _send(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self._status = message["status"]
            kinds = [value for name, value in message.get("headers", ()) if name.lower() == b"content-type"]
            self._kind = kinds[0].decode("latin-1") if kinds else self._kind
        elif message["type"] == "http.response.body":
            self._pieces.append(message.get("body", b""))
