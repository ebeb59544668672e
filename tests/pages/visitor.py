"""A person with a browser that has no JavaScript: cookies, forms and nothing else."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from html import unescape

import aiohttp
from attrs import frozen
from yarl import URL

from hub.app import Hub
from hub.clock import Clock
from hub.mail.outbox import Outbox
from hub.operations.users.login_links import issue_login_link
from hub.operations.users.users import NewUser, UserDocument, create_user

PASSWORD = "three quiet herons"
OWN = {"Sec-Fetch-Site": "same-origin"}
"""What a browser says of a form that comes from this site; only with it is what was typed kept."""


@frozen
class Seen:
    """A page."""

    status: int
    headers: Mapping[str, str]
    text: str
    location: str | None

    @property
    def csrf(self) -> str:
        """The token of its first form."""
        found = re.search(r'name="csrf" value="([0-9a-f]{64})"', self.text)
        assert found, self.text
        return found[1]

    @property
    def constant(self) -> str:
        """The page without its forms' tokens, which are other texts each time."""
        return re.sub(r'(name="csrf" value=)"[0-9a-f]{64}"', r"\1", self.text)

    @property
    def words(self) -> str:
        """What a reader sees."""
        return re.sub(r"\s+", " ", unescape(re.sub(r"<[^>]*>", " ", self.text)))


@frozen
class Visitor:
    """A browser."""

    session: aiohttp.ClientSession

    async def get(self, path: str, **headers: str) -> Seen:
        async with self.session.get(URL(path, encoded=True), headers=headers, allow_redirects=False) as response:
            return await seen(response)

    async def post(self, path: str, fields: Mapping[str, str], **headers: str) -> Seen:
        """Send a form exactly as given."""
        async with self.session.post(path, data=dict(fields), headers=headers, allow_redirects=False) as response:
            return await seen(response)

    async def send(self, page: str, to: str | None = None, /, **fields: str) -> Seen:
        """Open a page and send its form."""
        return await self.post(to or page, {"csrf": (await self.get(page)).csrf, **fields})

    async def sign_in(self, email: str, password: str) -> Seen:
        return await self.send("/login", email=email, password=password)

    @property
    def cookie(self) -> str | None:
        return next((morsel.value for morsel in self.session.cookie_jar), None)


async def seen(response: aiohttp.ClientResponse) -> Seen:
    text = await response.text("utf-8", errors="replace")  # images are asked for, too
    return Seen(response.status, response.headers.copy(), text, response.headers.get("Location"))


@asynccontextmanager
async def browser(hub: Hub) -> AsyncIterator[Visitor]:
    jar = aiohttp.CookieJar(unsafe=True)  # a cookie of an address, which aiohttp else keeps from
    async with aiohttp.ClientSession(hub.url, cookie_jar=jar) as session:
        yield Visitor(session)


async def user_of(hub: Hub, clock: Clock, email: str = "ann@hub.example", role: str = "operator-admin") -> UserDocument:
    return await create_user(hub.parts.store, clock, NewUser(email, role, name="Ann"))


async def link_of(hub: Hub, clock: Clock, email: str = "ann@hub.example") -> str:
    """The path of a fresh sign-in link."""
    silent = Outbox(hub.parts.sealer, is_on=False)
    return URL((await issue_login_link(hub.parts.store, clock, silent, hub.url, email))["url"]).path


async def enter(visitor: Visitor, hub: Hub, clock: Clock, email: str = "ann@hub.example") -> None:
    """Sign in by a link."""
    assert (await visitor.send(await link_of(hub, clock, email))).status == 303


async def with_password(visitor: Visitor, hub: Hub, clock: Clock, email: str = "ann@hub.example") -> None:
    """Sign in by a link and set a password."""
    await enter(visitor, hub, clock, email)
    changed = await visitor.send("/account/security", "/account/password", password=PASSWORD)
    assert (changed.status, changed.location) == (303, "/account/security?done=password")
