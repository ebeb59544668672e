"""The record that describes an endpoint once: routing, the pipeline and the OpenAPI document all read it.

Nothing here imports a handler, so a tool that only wants the description may import this module alone.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import TYPE_CHECKING, Any, Final

from attrs import define, field, frozen
from multidict import CIMultiDictProxy

from hub.intake.submission import Admission, Answer, Replayed, SignatureUse
from hub.uploads.spool import Draft
from hub.web.callers import NOBODY, Caller
from hub.web.windows import Allowance

if TYPE_CHECKING:
    from hub.web.errors import Reply
    from hub.web.services import Services

UNADMITTED: Final = Admission("")


class JsonObject:
    """Stands in `Endpoint.body` for a free-form JSON object; the handler gets it as a plain dict."""


class CsvFile:
    """Stands in `Endpoint.body` and `Endpoint.response` for a CSV file, which is streamed: no size is too large.

    As a body it lies in the spool when the handler is called, see `Call.file`.
    """


@frozen
class HeaderField:
    """A request header of one endpoint beyond those of authentication, idempotency and the request id."""

    name: str
    summary: str
    max_length: int
    required: bool = True


Handler = Callable[["Call"], Awaitable["Answer | Replayed | Reply"]]


@frozen(eq=False)
class Endpoint:
    """One endpoint of the API.

    `path` is relative to the API root ("/v1/products/{id}", served under /api). `body` and `query` are the attrs
    classes of hub.intake.inputs that validate them; `body` is `JsonObject` for a free-form one, `CsvFile` for one that
    is streamed and None where a body is ignored. `response` is the attrs class (hub.web.responses) of the `success`
    status, or `CsvFile`. `idempotent` says that Idempotency-Key is honoured, `limit` which rate limit counts: "import"
    or "general".
    `reads_body` leaves the validation of the body to the handler, which judges its items one by one.
    """

    method: str
    path: str
    operation: str
    summary: str
    handler: Handler
    success: int
    response: type
    body: type | None = None
    query: type | None = None
    headers: tuple[HeaderField, ...] = ()
    idempotent: bool = False
    limit: str = "general"
    reads_body: bool = False
    route: str = field(init=False)
    """The name of the route in idempotency scopes and metrics: "POST /v1/conversions"."""

    writes: bool = field(init=False)
    """Whether the endpoint changes state, so that a signature may be used on it only once, ever."""

    @route.default
    def _name(self) -> str:
        return f"{self.method} {self.path}"

    @writes.default
    def _changes_state(self) -> bool:
        return self.method != "GET"

    @property
    def tag(self) -> str:
        """The group that the endpoint belongs to: "products"."""
        return self.path.split("/")[2]

    @property
    def errors(self) -> tuple[int, ...]:
        """Every other status that may come."""
        keyed = (409, 422) if self.idempotent else ()
        named = (404,) if "{" in self.path else ()
        return tuple(sorted((400, 401, 408, 413, 415, 429, 500, 503, *keyed, *named)))


@define(eq=False)
class Call:
    """One request on its way through the pipeline; each step fills in what it found out.

    Handlers find everything here: `body` and `query` are the validated inputs (a free-form body is a dict), `path` the
    parts named in the endpoint's path, `received_at` milliseconds UTC, `admission` what a write spends and claims.
    `file` is a streamed body, of which `raw` has the beginning until it is proved.
    """

    endpoint: Endpoint
    services: Services
    headers: CIMultiDictProxy[str]
    path: Mapping[str, str]
    request_id: str
    client: str
    received_at: int
    raw: bytes = b""
    body: Any = None
    query: Any = None
    caller: Caller = NOBODY
    allowance: Allowance | None = None
    signature: SignatureUse | None = None
    admission: Admission = UNADMITTED
    spent: bool = False
    """Whether the desk or the direct writes have the admission now, and remember its signature themselves."""
    ignored: tuple[str, ...] = ()
    file: Draft | None = None
