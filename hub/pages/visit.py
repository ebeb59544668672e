"""One request of a person, and what its page works with."""

from __future__ import annotations

import hmac
import secrets
from collections.abc import Awaitable, Callable, Mapping, Sequence
from hashlib import sha256
from operator import xor
from typing import Any, Final
from urllib.parse import urlencode

from aiohttp import web
from attrs import Factory, define, field, frozen

from hub.acts.authority import OPERATORS, Grant
from hub.acts.table import grant_at, grant_of
from hub.clock import Clock
from hub.config.settings import Settings
from hub.csv_import.runner import UploadRunner
from hub.http.admission import Admission
from hub.http.client_address import Network
from hub.http.router import PathValues
from hub.intake.submission_batcher import SubmissionBatcher
from hub.mail.outbox import Outbox
from hub.merchant_api.api_keys import ApiKeyCache
from hub.observability.metrics import Metrics
from hub.operations.files.page_uploads import FileIntake
from hub.operations.merchants.fresh_secrets import FreshSecrets
from hub.outbound.domain_proofs import DomainProofs
from hub.outbound.own_server import OwnServer
from hub.pages.brands import Brands
from hub.pages.file_forms import FormFile
from hub.pages.form_faults import worded
from hub.pages.page_shares import PageShares
from hub.pages.rendering import render
from hub.people.passkeys import Site, site_of
from hub.people.passwords import Passwords
from hub.people.saved_views import LISTS, SavedView, filters_in
from hub.people.sessions import Client, Person, Session, Sessions
from hub.people.ways_in import WaysIn
from hub.platform_sync.access import Platforms
from hub.plugin_host.translation import Plugins
from hub.processing.policy import Policy
from hub.sealing import Sealer
from hub.storage import Store
from hub.storage.replica import Replica

TOKEN_BYTES: Final = 32
CSRF_BYTES: Final = 16


def _replica_of(services: PageServices) -> Replica:
    database = services.settings.database
    return Replica(services.store, database.replica, database.replica_behind, services.clock)


@frozen(eq=False)
class PageServices:
    """What every page works with; `root` is the public root of the hub's URLs.

    `links_are_local` says that others reach the hub, but not the address to which the links that it hands out lead,
    `policy` what counts if neither campaign nor merchant says so.
    """

    store: Store
    clock: Clock
    sessions: Sessions
    outbox: Outbox
    passwords: Passwords
    ways: WaysIn
    admission: Admission
    metrics: Metrics
    trusted_proxies: tuple[Network, ...]
    root: Callable[[], Awaitable[str]]
    secure: bool
    links_are_local: bool
    sealer: Sealer
    plugins: Plugins
    platforms: Platforms
    proofs: DomainProofs
    own_server: OwnServer
    fresh_secrets: FreshSecrets
    files: FileIntake
    uploads: UploadRunner
    most_file_bytes: int
    file_seconds: float
    policy: Policy
    submissions: SubmissionBatcher
    api_keys: ApiKeyCache
    settings: Settings
    descriptions: Mapping[str, bytes]
    shares: PageShares = field(factory=PageShares)
    replica: Replica = field(init=False, default=Factory(_replica_of, takes_self=True))
    brands: Brands = field(init=False, default=Factory(lambda services: Brands(services.store), takes_self=True))

    @property
    def cookie(self) -> str:
        """The name of the cookie; browsers take a `__Host-` one over https only, so plain http has another."""
        return "__Host-hub" if self.secure else "hub"


@define(eq=False)
class Visit:
    """A request to a page; `token` is the browser's cookie, or the one that it will get with the answer."""

    services: PageServices
    path: PathValues
    address: str
    query: Mapping[str, str]
    cookies: Mapping[str, str]
    client: Client
    token: str
    is_new: bool
    session: Session | None
    known_tags: frozenset[str] = frozenset()
    """The versions of this page that the browser has (`If-None-Match`)."""
    views: Sequence[SavedView] = ()
    """The person's views of the list that is shown."""
    unread: Sequence[str] = ()
    """What the person's unread notices are about."""
    form: Mapping[str, str] = field(factory=dict)
    keeps_form: bool = False
    """Whether the form may be shown again to its person: its browser says that it comes from this site."""
    file: FormFile | None = None

    @property
    def person(self) -> Person:
        """Who has signed in; only pages that need a session may ask."""
        if self.session is None:
            raise LookupError("nobody has signed in")
        return self.session.person

    @property
    def needs_second_factor(self) -> bool:
        """Whether the person is an operator who has to prove more than a password, and has not in this session."""
        is_strong = self.session is not None and self.session.is_strong
        return (
            self.services.ways.settings.operators_need_second_factor
            and not is_strong
            and self.person.has_role(*OPERATORS.roles)
        )

    @property
    def address_with_query(self) -> str:
        """The address as it was asked for."""
        return f"{self.address}?{urlencode(self.query)}" if self.query else self.address

    def may(self, form: str) -> bool:
        """Return whether the person has a role for the form at this address, as the table of acts says."""
        grant = grant_at(form)
        return grant is None or not grant.roles or self.person.has_role(*grant.roles)

    async def site(self) -> Site | None:
        """Return the hub as passkeys know it, None if its address can have none."""
        return site_of(await self.services.root())

    def page(self, template: str, status: int = 200, /, **values: Any) -> web.Response:
        """Return a page for this person, with the token that its forms send back."""
        person = None if self.session is None else self.session.person
        zone = None if person is None else person.settings.zone
        shown = {
            "person": person,
            "csrf": csrf_token(self.token),
            "now": self.services.clock(),
            "zone": zone,
            "views": self.views,
            "unread_notices": self.unread,
            "view_filters": filters_in(self.address, self.query) if self.address in LISTS else "",
            "links_are_local": self.services.links_are_local,
        }
        if values.get("faults"):
            values["faults"] = worded(values["faults"], self.form)
        response = render(template, status, **{**shown, **values, "here": self.address})
        if self.is_new:
            self.give_cookie(response, self.token)
        return response

    def give_cookie(self, response: web.Response, token: str) -> None:
        """Set the browser's cookie, which ends with the browser; the session has an end of its own."""
        secure = self.services.secure
        response.set_cookie(self.services.cookie, token, path="/", secure=secure, httponly=True, samesite="Lax")


PageHandler = Callable[[Visit], Awaitable[web.StreamResponse]]


@frozen
class Page:
    """A page: `public` ones need no session; the others are for whom the table of acts says.

    What the table does not name is for `otherwise`, None being everybody who has signed in. The form of a page that
    `takes_file` may bring a file, which the handler reads. `back` is where a proof of the person leads back to; a page
    that `proves_later` asks for it when it knows whose data it is about.
    """

    method: str
    path: str
    handler: PageHandler
    otherwise: Grant | None = None
    public: bool = False
    takes_file: bool = False
    back: Callable[[Visit], str] | None = None
    proves_later: bool = False
    grant: Grant | None = field(
        init=False, default=Factory(lambda page: grant_of(page.method, page.path) or page.otherwise, takes_self=True)
    )

    @property
    def roles(self) -> tuple[str, ...]:
        """The roles of which one is needed; none for a page of everybody."""
        return () if self.grant is None else self.grant.roles


def new_token() -> str:
    """Return a random token for a browser that has none."""
    return secrets.token_urlsafe(TOKEN_BYTES)


def csrf_token(token: str) -> str:
    """Return what a form of a browser sends back: bound to its cookie, which no other site can read.

    Its second half is the proof, masked by its first half, which is random: pages are compressed, and a secret that
    each of them repeats beside text of the reader's choice could be guessed from their lengths (BREACH).
    """
    mask = secrets.token_bytes(CSRF_BYTES)
    return (mask + _masked(mask, _csrf_proof(token))).hex()


def is_csrf_token(token: str, given: str) -> bool:
    """Return whether a form came from a page that was made for this cookie; takes the same time for any text."""
    proof = _csrf_proof(token)
    try:
        sent = bytes.fromhex(given) if given.isascii() else b""
    except ValueError:
        sent = b""
    mask, masked = sent[:CSRF_BYTES], sent[CSRF_BYTES:]
    return hmac.compare_digest(_masked(mask, proof) if len(mask) == CSRF_BYTES else b"", masked) and len(masked) > 0


def _csrf_proof(token: str) -> bytes:
    return sha256(f"csrf:{token}".encode()).digest()[:CSRF_BYTES]


def _masked(mask: bytes, text: bytes) -> bytes:
    return bytes(map(xor, mask, text))


def local_address(text: str) -> str:
    """Return an address of this hub to go on to, "/" for anything that could lead elsewhere."""
    plain = text.isascii() and text.isprintable() and "\\" not in text
    return text if plain and text.startswith("/") and not text.startswith("//") else "/"


@frozen(eq=False)
class OwnVisit:
    """A visit to a page about what is the person's own."""

    visit: Visit

    @property
    def services(self) -> PageServices:
        """What every page works with."""
        return self.visit.services

    @property
    def query(self) -> Mapping[str, str]:
        """The query string."""
        return self.visit.query

    @property
    def path(self) -> PathValues:
        """The values of the address."""
        return self.visit.path

    @property
    def form(self) -> Mapping[str, str]:
        """The fields of the form."""
        return self.visit.form
