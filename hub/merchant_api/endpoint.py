"""The record that describes an endpoint once: routing, the pipeline and the OpenAPI document all read it.

Nothing here imports a handler, so a tool that only wants the description may import this module alone.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Final

from attrs import define, field, frozen

from hub.csv_import.spool import Draft
from hub.domain.deprecations import Deprecation
from hub.domain.scopes import scope_of
from hub.http.errors import not_found
from hub.http.response import Reply
from hub.http.router import PathValues
from hub.intake.submission import Answer, Replayed, RequestGuards, SignatureUse
from hub.merchant_api.exchange import Exchange
from hub.records.record import Shown, attributes_of
from hub.validation.input_reader import fields_of

UNGUARDED: Final = RequestGuards("")
LONGEST_REFERENCE: Final = 255
RESOURCES: Final[Mapping[str, str]] = {
    "affiliates": "affiliates",
    "balances": "payouts",
    "campaigns": "campaigns",
    "clicks": "links",
    "commissions": "orders",
    "conversions": "orders",
    "events": "orders",
    "links": "links",
    "order-status": "orders",
    "products": "products",
    "reports": "reports",
    "request-log": "requests",
    "review": "orders",
    "statements": "payouts",
    "event-types": "webhooks",
    "subscriptions": "webhooks",
    "uploads": "uploads",
    "uploads/orders": "orders",
    "uploads/products": "products",
    "uploads/statuses": "orders",
    "webhooks": "orders",
    "webhooks/product-stock-updated": "products",
    "webhooks/product-updated": "products",
}
"""What tokens are bounded by: the resources of the endpoints, by the fixed parts of their paths."""


class JsonObject:
    """The type of `Endpoint.body` for a free-form JSON object; the handler gets it as a plain dict."""


class CsvFile:
    """The type of `Endpoint.body` and `Endpoint.response` for a CSV file, which is streamed and never in memory whole.

    As a body it is in the spool when the handler is called, see `Call.file`.
    """


@frozen
class HeaderField:
    """A request header of one endpoint beyond those of authentication, idempotency and the request id."""

    name: str
    summary: str
    max_length: int
    required: bool = True


HandlerResult = Answer | Replayed | Reply
Handler = Callable[["Call"], Awaitable[HandlerResult]]


@frozen(eq=False)
class Endpoint:
    """One endpoint of the API.

    `path` is relative to the API root ("/v1/products/{id}", served under /api). `body` and `query` are the attrs
    classes of hub.validation.inputs that validate them; `body` is `JsonObject` for a free-form one, `CsvFile` for one
    that is streamed and None if a body is ignored. `response` is the record or the pick of one that the
    `success` status answers, or `CsvFile`. `idempotent` says that Idempotency-Key is honoured, `limit` which rate limit
    counts: "import" or "general". `reads_body` leaves the validation of the body to the handler, which validates its
    items one by one.
    """

    method: str
    path: str
    operation: str
    summary: str
    handler: Handler
    success: int
    response: Shown
    body: type | None = None
    query: type | None = None
    headers: tuple[HeaderField, ...] = ()
    idempotent: bool = False
    limit: str = "general"
    reads_body: bool = False
    conditional: bool = False
    """Whether the answer has an ETag, and If-None-Match is honoured."""
    waits: bool = False
    """Whether it may be held open on purpose, and bounds each of its own steps."""
    scopes: tuple[str, ...] = ()
    """Those of which a token needs one; the resource of the path's, unless the endpoint names others."""
    deprecated: Deprecation | None = None
    """That it will go, which its answers and the document say."""

    route: str = field(init=False)
    """The name of the route in idempotency scopes and metrics: "POST /v1/conversions"."""

    writes: bool = field(init=False)
    """Whether the endpoint changes state, so that a signature may be used on it only once, ever."""

    warns: bool = field(init=False)
    """Whether the answer says in `warnings` which unknown fields and parameters were ignored."""

    bodiless: bool = field(init=False)
    """Whether it may come without a body: it is an act, and each of its fields may be left out."""

    @route.default
    def _name(self) -> str:
        return f"{self.method} {self.path}"

    @writes.default
    def _changes_state(self) -> bool:
        return self.method != "GET"

    @warns.default
    def _has_warnings(self) -> bool:
        return "warnings" in attributes_of(self.response)

    @bodiless.default
    def _needs_no_body(self) -> bool:
        if self.method != "POST" or self.body in (None, JsonObject, CsvFile):
            return False
        return not any(each.required for each in fields_of(self.body))

    def __attrs_post_init__(self) -> None:
        """Name the scope of the path's resource."""
        if not self.scopes:
            verb = "write" if self.writes else "read"
            object.__setattr__(self, "scopes", (scope_of(RESOURCES, self.path.removeprefix("/v1"), verb),))

    @property
    def tag(self) -> str:
        """The group that the endpoint belongs to: "products"."""
        return self.path.split("/")[2]

    @property
    def errors(self) -> tuple[int, ...]:
        """The statuses of the errors that it may answer with, sorted."""
        keyed = (409, 422) if self.idempotent else ()
        named = (404,) if "{" in self.path else ()
        judged = (400,) if self.writes or self.query is not None else ()
        read = (408, 413, 415) if self.body is not None else ()
        return tuple(sorted((401, 403, 429, 500, 503, *judged, *read, *keyed, *named)))


@define(eq=False)
class Call(Exchange):
    """One request of an endpoint; each step of the pipeline fills in its result.

    Handlers find everything here: `body` and `query` are the validated inputs (a free-form body is a dict), `path` the
    values named in the endpoint's path, `guards` what a write spends and claims. `file` is a streamed body; `raw` is
    its beginning until its signature is verified, and its digest from then on.
    """

    endpoint: Endpoint
    path: PathValues
    body: Any = None
    query: Any = None
    signature: SignatureUse | None = None
    guards: RequestGuards = UNGUARDED
    submitted: bool = False
    """Whether intake has the guards, so that it remembers their signature itself."""
    file: Draft | None = None

    def reference(self, name: str, what: str) -> str:
        """Return the id in the path; raise the 404 of an unknown id if no store could hold it."""
        text = self.path[name]
        if len(text) > LONGEST_REFERENCE or not text.isprintable():
            raise not_found(what)
        return text
