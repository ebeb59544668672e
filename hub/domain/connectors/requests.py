"""What a connector declares of its platform's API: how the hub proves itself, asks, follows pages and makes webhooks.

Everything here is data. The hub does the network: it fills in the places in braces, keeps to the limits, tries again,
and gives each order and product that it reads to the connector's own topics, as if the platform had delivered it.
"""

from __future__ import annotations

from attrs import field, frozen

from hub.domain.connectors.request_calls import AnswerErrors, Call, CostLimit, RateLimit
from hub.domain.connectors.request_logins import (
    BasicLogin,
    Credential,
    KeyConsent,
    OAuthConsent,
    TokenGrant,
    TokenHeader,
)


@frozen
class PageNumbers:
    """Pages are counted: {page} is 1, 2, ..., and {offset} the items before it; one of fewer than {size} is the last.

    Sort such a list by something that never changes, such as the id: then a change during the reading moves nothing to
    a page that was already read. `total` is where an answer says how many items there are on all pages: for a platform
    whose page after the last one is not empty.
    """

    total: str = ""


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
class Bulk:
    """A list that the platform writes into one file, which the hub reads line by line instead of page by page.

    `begin` has the places of the list, and its answer the name of the job at `job`, which is {job} in `look`. The state
    at `status` in what `look` answers is one of `waits` or one of `done`; any other one is a failure. `url` is where
    the file's address is; where there is none, the list is empty. The file is at any https address, and asked for
    without the login.

    Each line of it is a JSON object. One that has something at `parent` belongs to the item before it, of that `id`: it
    is appended to the array at the path that `children` names for its `kind`. Items that have something at one of
    `lacks` say too little there, and are asked for by the `order` or `product` of the same `Requests`; the others are
    bodies of the list's topic, or of the topic of `order` or `product` if the list names only ids.
    """

    begin: Call
    job: str
    look: Call
    status: str
    waits: tuple[str, ...]
    done: tuple[str, ...]
    url: str
    id: str = "id"
    parent: str = "__parentId"
    kind: str = "__typename"
    children: tuple[tuple[str, str], ...] = ()
    lacks: tuple[str, ...] = ()


@frozen
class Listing:
    """A list that is read page by page: `call` asks for a page, and `items` is where its array is (empty: the answer).

    Places: {since} is UTC without an offset (2026-03-01T10:00:00), {since_z} the same with a Z, {now} and {now_z} when
    the list is read, {size} is `page_size`. Each item is translated as a body of `topic`, and has its id at `item_id`.
    If an item says too little, `is_whole` is False, and the hub asks for each one by the `order` or `product` of the
    same `Requests`. `pages` says how the next page is found. A 204 is an empty page. The first reading of orders and of
    the catalogue, which are long, use `bulk` if there is one; if the platform does not accept or finish its job, they
    go page by page after all.

    `following` asks for the pages after the first, where a cursor stands for the whole search and must be sent without
    filters. `empty_is_array` is for a platform that answers with an empty array in place of an object whose list is
    empty, as PHP writes an object without fields. `early_hours` is for a platform that compares {since} with its own
    local time: the list begins that much earlier.
    """

    call: Call
    topic: str
    items: str = ""
    item_id: str = "id"
    page_size: int = 50
    pages: Pages = field(factory=PageNumbers)
    is_whole: bool = True
    bulk: Bulk | None = None
    following: Call | None = None
    early_hours: int = 0
    empty_is_array: bool = False


@frozen
class Part:
    """Something that a body lacks: what `call` answers, at `items`, becomes the body's field `name`.

    {id} is the item's id; a call without it is for all items, and is made once. Its pages, of `page_size` items, follow
    by `pages`; without any it is one answer, whatever its type. `follows` is for the rest of a list that the body has
    begun: where the body itself has the cursor to go on from; if nothing follows there, nothing is requested, and the
    field is an empty array.
    """

    name: str
    call: Call
    items: str = ""
    pages: Pages | None = None
    page_size: int = 50
    follows: BodyCursor | None = None


@frozen
class Single:
    """One order or product by its {id}: what `call` answers, at `item`, with its `parts`, is a body of `topic`.

    The platform says that there is none by 404 or 410, or by null at `item`; where that is a place in an array, such as
    "data.0", by an empty one.
    """

    call: Call
    topic: str
    item: str = ""
    parts: tuple[Part, ...] = ()


@frozen
class Webhooks:
    """How the platform's webhooks are listed, made and deleted, so that the hub keeps them alive.

    `topics` are those that the hub makes, each with a webhook of its own; if `is_one`, a single one is for all of them,
    and `create` names them itself. `create` has {topic}, {url}, the connection's, and {webhook_secret}, its newest;
    `delete` has {webhook_id}. In an item of `listing` (whose `topic` does not count), `id`, `topic` and `url` are where
    its parts are; at `topic` there is a text or an array of texts. One whose `state` is not one of `alive` is revived
    by `revive`, which has the places of `create` and `delete`, or else deleted and recreated; without a `state` all are
    alive.

    Some platforms make the secret themselves and reveal it once, in the answer to `create`: `secret` is where, in the
    webhook at `made` there (empty: the answer itself), which has its `id` as an item has. It becomes one of the
    connection's. A webhook whose secret the hub does not have, since the answer was lost or somebody else made it, is
    deleted and recreated. If `is_of_consent`, only credentials that a consent granted may make webhooks; with typed
    ones there are none.
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
    is_one: bool = False
    secret: str = ""
    made: str = ""
    is_of_consent: bool = False


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
class Requests:
    """How a platform is asked.

    `root` is the API's root URL ("{site}/wp-json/wc/v3"), `login` how each request proves itself, `credentials` what
    that takes. `grant` fetches tokens that end. `rate` is the platform's limit, `headers` go with every request, and
    `errors` says how an answer of status 200 fails. `identity` proves the credentials, `scopes` lists what they may do.
    `orders` lists those modified since {since}, `order` gets one, `several` gets those of {ids} at once, whole: numbers
    joined by commas, at most its `page_size` of them; one that the answer lacks is asked for by `order`. `products` and
    `product` are the same of the catalogue. `webhooks` says how webhooks are made. In `consent` the store owner agrees
    on a page of the platform, instead of typing keys. `signs_with` names the credential with which the platform signs
    the deliveries of webhooks that the hub makes; empty: {webhook_secret}. `version` is the API version that is pinned,
    `version_ends` the day (2027-07-01) from which it need not be served. `reads_every` is for a platform that sends
    nothing by itself: the minutes from one reading of its orders to the next; 0: they are read at night.
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
    errors: AnswerErrors | None = None
    version: str = ""
    version_ends: str = ""
    reads_every: int = 0
    several: Listing | None = None

    @property
    def secrets(self) -> tuple[str, ...]:
        """The names of credentials that are never shown again."""
        return tuple(each.name for each in self.credentials if each.is_secret)


RECORDS = (
    Credential, BasicLogin, TokenHeader, TokenGrant, RateLimit, CostLimit, PageNumbers, LinkHeader, BodyLink,
    BodyCursor, Call, Bulk, Listing, Part, Single, Webhooks, Identity, Scopes, KeyConsent, OAuthConsent, AnswerErrors,
    Requests,
)  # fmt: skip
"""Every class of these declarations."""
