"""Traces of orders in OpenTelemetry's words (OTLP over HTTP, as JSON): from the request to what was decided of it.

A trace needs no context that is handed on: its id is the digits of the event's id, so every node gives an order's spans
the same one, and whoever has an event's id finds its trace. The request is the root; what the worker of any node made
of the event is below it, from when it was received to when that was committed. A caller's `traceparent` is a link of
the root, because its trace may hold more than one order.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from hashlib import blake2b
from typing import Any, Final, NamedTuple

import orjson
from attrs import frozen

from hub.clock import Clock
from hub.observability.otlp import JSON, SCOPE, Attributes, pairs, resource_of
from hub.observability.sending import Sender

SERVER: Final = 2
INTERNAL: Final = 1
"""Kinds of spans."""
FAILED: Final = 2
"""The status of a span that is an error."""
_EVENT: Final = re.compile(r"evt_([0-9a-f]{32})").fullmatch
_PARENT: Final = re.compile(r"[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}").fullmatch


class Span(NamedTuple):
    """A span; times are nanoseconds since 1970, `parent` is empty for the root, `link` a caller's `traceparent`."""

    trace: str
    span: str
    parent: str
    name: str
    kind: int
    began: int
    ended: int
    attributes: Attributes
    is_error: bool = False
    link: str = ""


@frozen(eq=False)
class Traces:
    """Notes spans of `share` orders in a hundred, and sends them."""

    sender: Sender[Span]
    clock: Clock
    share: int = 100

    def wants(self, event_id: str) -> bool:
        """Return whether the order's spans are sent; every node says the same of one."""
        return _EVENT(event_id) is not None and int(event_id[-8:], 16) % 100 < self.share

    def note_request(self, event_id: str, name: str, elapsed_ns: int, attributes: Attributes, link: str = "") -> None:
        """Note the request by which an event came, as it is answered; `link` is its `traceparent`."""
        if self.wants(event_id):
            now, status = self.clock() * 1_000_000, int(attributes["http.response.status_code"])
            self.sender.add(
                Span(trace_of(event_id), root_of(event_id), "", name, SERVER, now - elapsed_ns, now,
                     {"hub.event_id": event_id, **attributes}, status >= 500, link)
            )  # fmt: skip

    def note_decided(self, event_id: str, name: str, received_ms: int, attributes: Attributes, *, failed: bool) -> None:
        """Note what became of an event, once that is committed; `received_ms` is ms UTC."""
        if self.wants(event_id):
            now, began = self.clock() * 1_000_000, received_ms * 1_000_000
            self.sender.add(
                Span(trace_of(event_id), _digest(f"{event_id} {name} {now}"), root_of(event_id), name, INTERNAL,
                     min(began, now), now, {"hub.event_id": event_id, **attributes}, failed)
            )  # fmt: skip


def trace_of(event_id: str) -> str:
    """Return the trace's id: 32 hex digits."""
    return event_id.partition("_")[2]


def root_of(event_id: str) -> str:
    """Return the id of the trace's root, which every node knows without being told: 16 hex digits."""
    return _digest(event_id)


def _digest(text: str) -> str:
    return blake2b(text.encode(), digest_size=8).hexdigest()


def traces_to(url: str, clock: Clock, share: int, release: str) -> Traces:
    """Return traces that are sent to the collector whose root is `url`."""
    resource = resource_of(release)

    def write(spans: Sequence[Span]) -> bytes:
        scope = {"scope": SCOPE, "spans": [_written(each) for each in spans]}
        return orjson.dumps({"resourceSpans": [{"resource": resource, "scopeSpans": [scope]}]})

    return Traces(Sender(f"{url.rstrip('/')}/v1/traces", JSON, write), clock, share)


def _written(span: Span) -> dict[str, Any]:
    """Return a span as OTLP writes it in JSON: ids in hex, times as decimal text."""
    linked = _PARENT(span.link)
    return {
        "traceId": span.trace,
        "spanId": span.span,
        "parentSpanId": span.parent,
        "name": span.name,
        "kind": span.kind,
        "startTimeUnixNano": str(span.began),
        "endTimeUnixNano": str(span.ended),
        "attributes": pairs(span.attributes),
        "links": [{"traceId": linked[1], "spanId": linked[2]}] if linked else [],
        "status": {"code": FAILED} if span.is_error else {},
    }
