"""What a connector declares of its platform's API: how the hub proves itself, asks, follows pages and makes webhooks.

Everything here is data. The hub does the network: it fills in the places in braces, keeps to the limits, tries again,
and gives each order and product that it reads to the connector's own topics, as if the platform had delivered it.
"""

from __future__ import annotations

from typing import Literal

from attrs import field, frozen


@frozen
class Credential:
    """One value that the store owner gives, or that the platform grants: {`name`} in every path, header and body.

    `label` is what the form calls it. One that is not `is_secret` may be shown again, such as a shop's address.
    `pattern` is a regular expression that the whole value matches (empty: anything), `hint` an example. One that is not
    `is_typed` is only ever granted by the platform, such as an access token. One that not `is_required` may be left
    out, such as a token where an app's id and secret fetch one.
    """

    name: str
    label: str
    is_secret: bool = True
    pattern: str = ""
    hint: str = ""
    is_typed: bool = True
    is_required: bool = True


@frozen
class BasicLogin:
    """HTTP Basic with a `name` and a `secret`, such as "{key}" and "{secret}"."""

    name: str
    secret: str


@frozen
class TokenHeader:
    """A token in the header `header`; `value` is what it holds, such as "Bearer {token}"."""

    header: str
    value: str = "{token}"


@frozen
class TokenGrant:
    """How an access token that ends is fetched and renewed: by a POST of `form` to `url`, before `login` can be used.

    `form` has names and values, sent in `encoding`. In the answer, `token` is the field of the token, kept as {token},
    `refresh_token` that of the next {refresh_token} (empty: there is none), `lifetime` that of its seconds. The hub
    fetches one if it has none, if it is about to end, and once after a 401.
    """

    url: str
    form: tuple[tuple[str, str], ...]
    encoding: Literal["form", "json"] = "form"
    token: str = "access_token"  # noqa: S105 - the name of a field
    refresh_token: str = ""
    lifetime: str = "expires_in"


@frozen
class RateLimit:
    """A leaky bucket: at most `burst` requests at once, and `per_second` afterwards, for each shop.

    `used_header` names a header such as "32/40" that says how full the platform's own bucket is, `left_header` one with
    the requests that are left. After a 429 the hub waits as long as `wait_header` says, in `wait_unit`.
    """

    per_second: float = 2.0
    burst: int = 10
    used_header: str = ""
    left_header: str = ""
    wait_header: str = "Retry-After"
    wait_unit: Literal["s", "ms"] = "s"


@frozen
class PageNumbers:
    """Pages are counted: {page} is 1, 2, ...; one with fewer than {size} items is the last.

    Order such a list by what never changes, such as the id: then a change meanwhile moves nothing to a page that was
    read already.
    """


@frozen
class LinkHeader:
    """The header Link of an answer has the next page's URL under rel="next" (RFC 8288), on the same host."""


@frozen
class BodyLink:
    """The answer has the next page's URL, or its query, at `path` ("meta.pagination.links.next")."""

    path: str


@frozen
class BodyCursor:
    """The answer has a cursor at `cursor`, which is {cursor} in the next request.

    In the first one {cursor} is empty, and {cursor_or_null} the JSON null. `more` is where the answer says whether
    another page follows; empty: as long as there is a cursor.
    """

    cursor: str
    more: str = ""


Pages = PageNumbers | LinkHeader | BodyLink | BodyCursor


@frozen
class Call:
    """One request: `method` and `path`, which follows the API's root or is a whole URL.

    `body` is JSON with places in braces inside its texts. Places: the names of credentials, and those that the field
    which has the call names. `headers` are sent beside those of the login.
    """

    path: str
    method: Literal["GET", "POST", "PUT", "PATCH", "DELETE"] = "GET"
    body: str = ""
    headers: tuple[tuple[str, str], ...] = ()


@frozen
class Listing:
    """A list that is read page by page: `call` asks for a page, and `items` is where its array is (empty: the answer).

    Places: {since} is UTC without an offset (2026-03-01T10:00:00), {since_z} the same with a Z, {size} is `page_size`.
    Each item is translated as a body of `topic`, and has its id at `item_id`. If an item says too little, `is_whole` is
    False, and the hub asks for each one by the `order` or `product` of the same `Requests`. `pages` says how the next
    page is found. 204 is an empty page.
    """

    call: Call
    topic: str
    items: str = ""
    item_id: str = "id"
    page_size: int = 50
    pages: Pages = field(factory=PageNumbers)
    is_whole: bool = True


@frozen
class Part:
    """Something that a body lacks: what `call` answers, at `items`, becomes the body's field `name`.

    {id} is the item's id. Its pages, of `page_size` items, follow by `pages`; without any it is one answer, whatever
    its type.
    """

    name: str
    call: Call
    items: str = ""
    pages: Pages | None = None
    page_size: int = 50


@frozen
class Single:
    """One order or product by its {id}: what `call` answers, at `item`, with its `parts`, is a body of `topic`."""

    call: Call
    topic: str
    item: str = ""
    parts: tuple[Part, ...] = ()


@frozen
class Webhooks:
    """How the platform's webhooks are listed, made and deleted, so that the hub keeps them alive.

    `topics` are those that the hub makes. `create` has {topic}, {url}, the connection's, and {webhook_secret}, its
    newest; `delete` has {webhook_id}. In an item of `listing` (whose `topic` does not count), `id`, `topic` and `url`
    are where its parts are. One whose `state` is not one of `alive` is woken by `revive`, which has the places of
    `create` and `delete`, or else deleted and made anew; without a `state` all are alive.
    """

    topics: tuple[str, ...]
    listing: Listing
    create: Call
    delete: Call
    id: str = "id"
    topic: str = "topic"
    url: str = "url"
    state: str = ""
    alive: tuple[str, ...] = ("active", "true")
    revive: Call | None = None


@frozen
class Identity:
    """The harmless request that proves the credentials and says whose they are.

    In what `call` answers, `currency` is where the shop's ISO 4217 code is, `site` its address as deliveries name it,
    `name` its name; an empty one is not stated.
    """

    call: Call
    currency: str = ""
    site: str = ""
    name: str = ""


@frozen
class Scopes:
    """The permissions that the credentials were given: `call` answers with an array at `items`, each with a `name`.

    `needed` are those without which something is lost. An empty `name` is for an array of texts.
    """

    call: Call
    needed: tuple[str, ...]
    items: str = ""
    name: str = ""


@frozen
class KeyConsent:
    """A page of the shop on which its owner agrees, whereupon the shop posts keys to the hub (WooCommerce).

    `page` is its URL, with {callback} for where the keys are posted, {returns} for where the owner returns to, and
    {state}, which the shop posts back in the field `state`. `grants` are names of credentials and the fields that they
    are posted in.
    """

    page: str
    grants: tuple[tuple[str, str], ...]
    state: str = "user_id"


@frozen
class OAuthConsent:
    """A page of the platform on which the owner installs the operator's app (OAuth 2, RFC 6749, section 4.1).

    `page` is its URL, with {client_id}, {callback}, {state} and {scopes}, which are `scopes` joined with commas.
    `token` then exchanges the {code} that the platform returns with, as {client_id} and {client_secret}; `grants` are
    names of credentials and where they are in its answer. `query_hmac` names the parameter that has the HMAC-SHA256 of
    the others under the client secret, in hex (Shopify). `same` are parameters that must repeat the credential of that
    name. If `signs`, the platform signs deliveries with the client secret.
    """

    page: str
    token: Call
    grants: tuple[tuple[str, str], ...]
    scopes: tuple[str, ...] = ()
    query_hmac: str = ""
    same: tuple[str, ...] = ()
    signs: bool = False


@frozen
class Requests:
    """How a platform is asked.

    `root` is the API's root URL ("{site}/wp-json/wc/v3"), `login` how each request proves itself, `credentials` what
    that takes. `grant` fetches tokens that end. `rate` is the platform's limit, `headers` go with every request.
    `identity` proves the credentials, `scopes` lists what they may do. `orders` lists those modified since {since},
    `order` gets one, `products` and `product` the same of the catalogue. `webhooks` says how webhooks are made. In
    `consent` the store owner agrees on a page of the platform, instead of typing keys. `signs_with` names the
    credential with which the platform signs the deliveries of webhooks that the hub makes; empty: {webhook_secret}.
    `version` is the API version that is pinned, `version_ends` the day (2027-07-01) from which it need not be served.
    """

    root: str
    login: BasicLogin | TokenHeader
    credentials: tuple[Credential, ...]
    identity: Identity
    grant: TokenGrant | None = None
    rate: RateLimit = field(factory=RateLimit)
    headers: tuple[tuple[str, str], ...] = ()
    scopes: Scopes | None = None
    orders: Listing | None = None
    order: Single | None = None
    products: Listing | None = None
    product: Single | None = None
    webhooks: Webhooks | None = None
    consent: KeyConsent | OAuthConsent | None = None
    signs_with: str = ""
    version: str = ""
    version_ends: str = ""

    @property
    def secrets(self) -> tuple[str, ...]:
        """The names of credentials that are never shown again."""
        return tuple(each.name for each in self.credentials if each.is_secret)


RECORDS = (
    Credential, BasicLogin, TokenHeader, TokenGrant, RateLimit, PageNumbers, LinkHeader, BodyLink, BodyCursor, Call,
    Listing, Part, Single, Webhooks, Identity, Scopes, KeyConsent, OAuthConsent, Requests,
)  # fmt: skip
"""Every class of this file."""
