"""What a connector declares of single requests: what is sent, how often, and how an answer says that it failed."""

from __future__ import annotations

from typing import Literal

from attrs import frozen


@frozen
class Call:
    """One request: `method` and `path`, which follows the API's root or is a whole URL.

    `body` is JSON with places in braces inside its texts, or, of the `encoding` "form", pairs as in a query
    ("url={url}&events[]=paid"). Places: the names of credentials, and those that the field which has the call names.
    `headers` are sent beside those of the login. A call that changes something was refused if its answer has anything
    but an empty array at `refused`; the `message` of the first object there says why (GraphQL's "userErrors").
    """

    path: str
    method: Literal["GET", "POST", "PUT", "PATCH", "DELETE"] = "GET"
    body: str = ""
    headers: tuple[tuple[str, str], ...] = ()
    refused: str = ""
    encoding: Literal["json", "form"] = "json"


@frozen
class CostLimit:
    """Points that requests cost besides their number, as GraphQL APIs count.

    Each answer says at these paths what its request would `cost` at most, how many points are `left`, and how many come
    back each second (`refill`). The hub waits until there are enough for a request like the one before. An answer that
    there are too few is one of `AnswerErrors.again`; the same is asked for again as soon as there are enough.
    """

    cost: str
    left: str
    refill: str


@frozen
class RateLimit:
    """A leaky bucket: at most `burst` requests at once, and `per_second` afterwards, for each shop.

    `used_header` names a header such as "32/40" that says how full the platform's own bucket is, `left_header` one with
    the requests that are left. After a 429 the hub waits as long as `wait_header` says, in `wait_unit`. `costs` is
    for a platform that counts what requests cost, too.
    """

    per_second: float = 2.0
    burst: int = 10
    used_header: str = ""
    left_header: str = ""
    wait_header: str = "Retry-After"
    wait_unit: Literal["s", "ms"] = "s"
    costs: CostLimit | None = None


@frozen
class AnswerErrors:
    """How an answer of status 200 says that it failed, as GraphQL does: by anything but an empty array at `path`.

    An error is a text, or an object with a `message` and a `code`. `again` are the codes of errors that may pass,
    `denied` those of wrong credentials or a missing permission. A partial answer is not used: one error fails the whole
    answer, unless the array of names at its `place` has one of the `spared` fields, which are then null and not missed.
    """

    path: str = "errors"
    message: str = "message"
    code: str = "extensions.code"
    again: tuple[str, ...] = ("THROTTLED",)
    denied: tuple[str, ...] = ("ACCESS_DENIED",)
    place: str = "path"
    spared: tuple[str, ...] = ()
