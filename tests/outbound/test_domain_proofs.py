"""A domain shows a token, or says why not: against a real web server and a real name server."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from ipaddress import ip_network
from typing import Any

import dns.asyncresolver
import dns.message
import dns.rcode
import dns.rrset
import pytest
from aiohttp import web

from hub.outbound.domain_proofs import DomainProofs, meta_contents
from hub.outbound.public_addresses import why_unreached
from hub.outbound.txt_records import txt_records_by

LOCAL = DomainProofs((ip_network("127.0.0.0/8"),))
TOKEN = "hub-token"
Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


@asynccontextmanager
async def shop(handler: Handler) -> AsyncIterator[str]:
    """Serve every path by one handler, and yield the domain."""
    app = web.Application()
    app.router.add_route("*", "/{path:.*}", handler)
    runner = web.AppRunner(app, shutdown_timeout=0.1)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    try:
        yield f"127.0.0.1:{runner.addresses[0][1]}"
    finally:
        await runner.cleanup()


async def shows_all(request: web.Request) -> web.Response:
    if request.path.startswith("/.well-known/"):
        return web.Response(text=f"{TOKEN}\nsecond line\n")
    return web.Response(
        text=f"<html><head><meta name='affiliate-hub' content='{TOKEN}'></head><body>", content_type="text/html"
    )


async def test_a_file_and_a_meta_tag_prove_a_domain() -> None:
    async with shop(shows_all) as domain:
        assert await LOCAL.fault("file", domain, TOKEN) is None
        assert await LOCAL.fault("meta", domain, TOKEN) is None
        assert "the token is not in it" in str(await LOCAL.fault("file", domain, "another"))
        assert "the token is not in it" in str(await LOCAL.fault("meta", domain, "another"))


async def test_a_private_address_is_not_asked() -> None:
    """The control is the same server, allowed, above."""
    asked = []

    async def handler(request: web.Request) -> web.Response:
        asked.append(request.path)
        return await shows_all(request)

    async with shop(handler) as domain:
        assert "127.0.0.1 is not a public address" in str(await DomainProofs().fault("file", domain, TOKEN))
        port = domain.partition(":")[2]
        assert "not a public address" in str(await DomainProofs().fault("file", f"localhost:{port}", TOKEN))
    assert asked == []


async def test_a_redirect_is_followed_within_the_domain_only() -> None:
    async def inside(request: web.Request) -> web.Response:
        if request.path == "/.well-known/affiliate-hub.txt":
            return web.Response(status=302, headers={"Location": "/proof"})
        return web.Response(text=TOKEN)

    async def outside(_: web.Request) -> web.Response:
        return web.Response(status=302, headers={"Location": f"http://{other}/proof"})

    async def around(request: web.Request) -> web.Response:
        return web.Response(status=302, headers={"Location": request.path})

    async with shop(inside) as domain:
        assert await LOCAL.fault("file", domain, TOKEN) is None
    async with shop(shows_all) as other, shop(outside) as domain:
        assert f"leads away from {domain}" in str(await LOCAL.fault("file", domain, TOKEN))
    async with shop(around) as domain:
        assert "leads in a circle" in str(await LOCAL.fault("file", domain, TOKEN))


async def test_an_answer_is_read_to_a_bound() -> None:
    """An endless page is left after 64 KiB, and a status other than 200 is said."""

    async def endless(request: web.Request) -> web.StreamResponse:
        response = web.StreamResponse()
        await response.prepare(request)
        while True:
            await response.write(b"x" * 65_536)

    async def gone(_: web.Request) -> web.Response:
        return web.Response(status=410)

    async with shop(endless) as domain:
        assert "the token is not in it" in str(await LOCAL.fault("file", domain, TOKEN))
    async with shop(gone) as domain:
        assert "answered with status 410" in str(await LOCAL.fault("file", domain, TOKEN))


def test_a_name_that_is_misspelled_is_said_in_words() -> None:
    """Systems say "Name or service not known", each in its own way."""
    unknown = socket.gaierror(socket.EAI_NONAME, "Name or service not known")
    assert why_unreached(unknown) == "there is no such name; check how it is spelled"
    again = socket.gaierror(socket.EAI_AGAIN, "Temporary failure in name resolution")
    assert why_unreached(again) == "its name cannot be looked up at the moment"
    assert why_unreached(ConnectionRefusedError(111, "Connection refused")) == "Connection refused"


async def test_nobody_there_is_said() -> None:
    async with shop(shows_all) as domain:
        pass
    assert "cannot be reached" in str(await LOCAL.fault("file", domain, TOKEN))


@pytest.mark.parametrize(
    ("page", "found"),
    [
        ('<meta name="affiliate-hub" content="a"><meta name="affiliate-hub" content="b">', ["a", "b"]),
        ('<body><meta name="affiliate-hub" content="a">', []),
        ('<!-- <meta name="affiliate-hub" content="a"> -->', []),
        ('<meta name="other" content="a"><meta name="affiliate-hub">', [""]),
    ],
)
def test_only_the_head_counts(page: str, found: list[str]) -> None:
    """What visitors write stands in the body."""
    assert meta_contents(page) == found


class NameServer(asyncio.DatagramProtocol):
    """A name server for one name."""

    def __init__(self, name: str, texts: list[str]) -> None:
        self._name, self._texts = name, texts

    def connection_made(self, transport: Any) -> None:
        self._transport = transport

    def datagram_received(self, data: bytes, addr: Any) -> None:
        query = dns.message.from_wire(data)
        answer = dns.message.make_response(query)
        if str(query.question[0].name) == self._name:
            quoted = [f'"{text}"' for text in self._texts]
            answer.answer.append(dns.rrset.from_text(self._name, 60, "IN", "TXT", *quoted))
        else:
            answer.set_rcode(dns.rcode.NXDOMAIN)
        self._transport.sendto(answer.to_wire(), addr)


async def test_a_txt_record_proves_a_domain() -> None:
    """Asked for under its own label, so that other records of the domain stay as they are."""
    loop = asyncio.get_running_loop()
    transport, _ = await loop.create_datagram_endpoint(
        lambda: NameServer("_affiliate-hub.shop.example.", ["v=spf1 -all", TOKEN]), local_addr=("127.0.0.1", 0)
    )
    resolver = dns.asyncresolver.Resolver(configure=False)
    resolver.nameservers, resolver.port = ["127.0.0.1"], transport.get_extra_info("sockname")[1]
    proofs = DomainProofs(txt_records=lambda name: txt_records_by(resolver, name))
    try:
        assert await proofs.fault("dns", "shop.example", TOKEN) is None
        assert "the token is not in it" in str(await proofs.fault("dns", "shop.example", "another"))
        assert "_affiliate-hub.other.example does not exist" in str(await proofs.fault("dns", "other.example", TOKEN))
    finally:
        transport.close()
