"""What a connector declares to the hub: how its platform signs, which topics it knows, which facts a body states.

Everything here is a frozen record of plain functions without state or I/O. The hub verifies, deduplicates and applies.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final, Literal

from attrs import field, frozen

from hub.domain.connectors.jwt_body import JwtBody
from hub.domain.connectors.requests import Requests
from hub.domain.orders.facts import Fact

API_VERSION: Final = "1.1"
"""The version of `hub.api`: the first number changes when plugins must change, the second when something is added."""

Body = dict[str, Any]
"""A webhook's parsed JSON object."""

Headers = Mapping[str, str]
"""A delivery's headers, their names in lower case."""


@frozen
class HmacHeader:
    """The platform signs the raw body with HMAC and sends the digest in a header.

    `header` is its name, `algorithm` the digest's, `encoding` how the digest is written. `prefix` stands before the
    digest ("sha256="); `secret_encoding` says whether the secret's text or the bytes that its hex digits name are the
    key.
    """

    header: str
    algorithm: Literal["sha1", "sha256", "sha512"] = "sha256"
    encoding: Literal["base64", "hex"] = "base64"
    prefix: str = ""
    secret_encoding: Literal["utf-8", "hex"] = "utf-8"  # noqa: S105 - an encoding, no secret


@frozen
class SecretHeader:
    """The platform cannot sign, but sends back, in `header`, a secret that it was given with the webhook."""

    header: str


@frozen
class TimestampHmac:
    """The platform signs more than the body: a timestamp, and maybe an id, joined with it (Stripe, Standard Webhooks).

    `header` holds the signatures: with the `form` "pairs" as `t=1772359200,v1=5257a8...`, with "list" as
    `v1,K5oZfz... v1,w2R...`, of which those of `version` count. `signed` is what is signed. The timestamp, in seconds,
    is the pair `t` or in `timestamp_header`, and may be `tolerance_seconds` off; the id is in `id_header`. Digests are
    those of `algorithm`, written in `encoding`. `secret_encoding` says what the secret's text stands for after its
    `secret_prefix`.
    """

    header: str
    signed: str = "{timestamp}.{body}"
    form: Literal["pairs", "list"] = "pairs"
    version: str = "v1"
    timestamp_header: str = ""
    id_header: str = ""
    algorithm: Literal["sha1", "sha256", "sha512"] = "sha256"
    encoding: Literal["base64", "hex"] = "hex"
    secret_encoding: Literal["utf-8", "hex", "base64"] = "utf-8"  # noqa: S105 - an encoding, no secret
    secret_prefix: str = ""
    tolerance_seconds: int = 300


Auth = HmacHeader | SecretHeader | TimestampHmac | JwtBody


@frozen
class Challenge:
    """A question by which the platform finds out whether the hub knows the secret, before it sends anything.

    It comes as GET with the query parameters `asks`, and with HMAC-SHA256 of the raw query in hex in `header`. Its
    answer is a JSON object: `answer` has the names and texts, in which {digest} is HMAC-SHA256 in hex of `signed` (with
    each {parameter} filled in), {secret} the connection's secret and {url} its URL.

    To the deliveries of such a connection the hub answers with the header X-Affiliate-Hub-Proof: for each valid secret
    the HMAC-SHA256 in hex of `taken:` and the SHA-256 of the body in hex, separated by commas. Without it, it was not
    the hub that answered 200, and the delivery has to be sent again.

    A platform that hands over keys to its API once it is answered posts them, signed like a delivery: `keys` are names
    of credentials of `requests`, and where they are in that body. They are kept as credentials, and nowhere else.

    `is_daily` says that a plugin in the shop asks every day: the connection's check then says since when it no longer
    does.
    """

    asks: tuple[str, ...]
    header: str
    signed: str
    answer: tuple[tuple[str, str], ...]
    keys: tuple[tuple[str, str], ...] = ()
    is_daily: bool = False


@frozen
class HeaderPlace:
    """A value that a delivery carries in the header `name`. Headers are not signed: their values are hints."""

    name: str


@frozen
class FieldPlace:
    """A value in a field of the body, by its `path`; dots lead inwards ("data.type"), also into a JSON text."""

    path: str


@frozen
class FixedPlace:
    """A `value` that is the same for every delivery."""

    value: str


Place = HeaderPlace | FieldPlace | FixedPlace


@frozen
class NoOptions:
    """The options of a connector that has none."""


@frozen
class Context:
    """What a connector is given besides the body.

    `delivery_id` names the delivery, for the keys of facts that have no id of their own: for v1 webhooks it is the
    shop's event id, for a platform's delivery a digest of its signed body, since its headers are not signed.
    `received_at` is in ms UTC, `currency` the merchant's ISO 4217 code, `options` an instance of the connector's own
    options class, `headers` the platform's headers without the signature, their names in lower case.
    """

    delivery_id: str
    received_at: int
    currency: str
    options: Any = NoOptions()
    headers: Headers = field(factory=dict)


class Unmappable(Exception):
    """Raised by a connector that cannot read a body; its text is a sentence that says what is missing."""


class Uninteresting(Exception):
    """Raised by a connector for a genuine body that states nothing the hub counts; its text says what the body is."""


@frozen
class Topic:
    """One topic of a platform, by its `name`: `translate(payload, context)` returns the facts of a body.

    `payload` is an attrs class that the body is read into, lenient about unknown fields, or dict for the parsed object.

    A topic in a header is not signed, so anybody with one captured delivery can send its body under another topic. A
    topic that ends, erases or takes back something is therefore believed only if the body has its shape: `required`
    are top-level fields that the body must have, `allowed` (None: any) the only ones that it may have. `family` is
    for topics whose bodies look alike: within a family the same bytes are one delivery, under whichever topic and
    delivery id they came first. So it fits snapshots that state the same under every topic, and deletions.

    A topic that `is_thin` only names what to ask for: the same bytes count each time, since what they name may have
    changed again. Its `translate` states `FetchOrder` or `FetchProduct`.
    """

    name: str
    payload: type
    translate: Callable[[Any, Context], Iterable[Fact]]
    required: tuple[str, ...] = ()
    allowed: tuple[str, ...] | None = None
    family: str | None = None
    is_thin: bool = False


@frozen
class Erasure:
    """A platform's privacy request: whose data must be found or erased.

    `act` is "report" or "redact"; `order_ids` are external order ids, None for the whole shop; `subject` says in a few
    words whose data it is.
    """

    act: Literal["report", "redact"]
    order_ids: tuple[str, ...] | None
    subject: str


@frozen
class PackageContext:
    """What a connector's package is built with.

    `url` is the connection's, `secret` its newest secret, `capture_url` where capture.js is served.
    """

    url: str
    secret: str = field(repr=False)
    capture_url: str


def _nothing_at_all(*_: object) -> Any:
    return None


def _never(*_: object) -> bool:
    return False


@frozen
class Connector:
    """One platform's translator, by its `name` (lower-case letters, digits, dashes) and its `title` for people.

    `recognises(body)` says whether a free-form v1 webhook has this platform's shape; of all connectors that agree the
    one with the lowest `rank` translates. It is asked about the webhooks of every merchant. `translate_webhook(kind,
    body, context)` returns every fact that the body states (the hub keeps those that the kind allows), or raises
    `Unmappable`.

    The rest is for the platform's own deliveries to POST /connect/{connectionId}; a connector without `auth` takes
    none. `topic` and `delivery_id` say where to find them, `topics` which it reads. `handshake(headers, raw body)`
    recognises an unsigned greeting, which is answered with 200 and not stored. `is_test(body, headers)` recognises test
    notifications and test orders, which never touch a live account. `erasure(topic, body)` reads a privacy request,
    None if the body is not one; it is asked only about topics that state their `required` fields. `issues_secret` says
    that the hub makes the secret (`secret_length` letters and digits) for the store owner to paste; otherwise the
    platform makes it. `steps` are sentences for the store owner's admin screens; {url}, {id} and {secret} are filled
    in. `options` is the attrs class of the connector's own settings, read from the texts of `--option name=value` (see
    hub.domain.connectors.options). `package` makes a file for the store owner to install: its file name and its bytes.

    `source` is where a delivery names the site that it comes from: a connection keeps the first one, and deliveries of
    another, such as a copy of the shop, are refused. `requests` says how the platform is asked: for what was lost, for
    what was before the connection, and for its webhooks. `order_of(topic, body)` names the order that a body is about,
    None if it is about none: so an operator sees which order could not be read.

    `clock` is where a body says what the shop's own clock showed as it was sent, in ms UTC. A clock that is wrong is
    reported, and small differences are allowed for. A body that waited and is sent again must state the later time.

    `challenge` declares a question of the platform that the hub answers by itself.

    `ports` are the only ports that the platform sends to, none if it sends to all; one that `needs_https` sends to no
    plain http address. The hub names what its own address lacks.

    `link_parameters` are names and values that the platform keeps with an order if a visitor's address has them: links
    into the shop have them, too, with {click} and {affiliate} filled in by ids.

    `api` is the version of `hub.api` that the connector was written for, such as "1.0": it is loaded by every hub with
    that first number and at least that second one.
    """

    name: str
    title: str
    translate_webhook: Callable[[str, Body, Context], Iterable[Fact]]
    recognises: Callable[[Body], bool]
    rank: int
    auth: Auth | None = None
    topic: Place | None = None
    delivery_id: Place | None = None
    topics: tuple[Topic, ...] = ()
    options: type = NoOptions
    handshake: Callable[[Headers, bytes], bool] = _never
    is_test: Callable[[Body, Headers], bool] = _never
    erasure: Callable[[str, Body], Erasure | None] = _nothing_at_all
    issues_secret: bool = False
    steps: tuple[str, ...] = ()
    package: Callable[[PackageContext], tuple[str, bytes]] | None = None
    challenge: Challenge | None = None
    source: Place | None = None
    requests: Requests | None = None
    order_of: Callable[[str, Body], str | None] = _nothing_at_all
    clock: FieldPlace | None = None
    ports: tuple[int, ...] = ()
    needs_https: bool = False
    secret_length: int = 32
    link_parameters: tuple[tuple[str, str], ...] = ()
    api: str = "1.0"


def api_fault(written_for: str) -> str | None:
    """Return why a connector that was written for a version of `hub.api` cannot be loaded, to complete "It ..."."""
    numbers = re.fullmatch(r"([0-9]{1,4})\.([0-9]{1,4})", written_for) if isinstance(written_for, str) else None
    if numbers is None:
        return (
            f"states {written_for!r} as the version of hub.api that it was written for, which is not like {API_VERSION}"
        )
    major, minor = (int(number) for number in numbers.groups())
    own_major, own_minor = (int(number) for number in API_VERSION.split("."))
    if major != own_major:
        return f"was written for hub.api {written_for}, and this hub has {API_VERSION}: install " + (
            "a newer hub" if major > own_major else f"a release of the plugin for hub.api {own_major}"
        )
    if minor > own_minor:
        return f"was written for hub.api {written_for}, and this hub has {API_VERSION}: install a newer hub"
    return None
