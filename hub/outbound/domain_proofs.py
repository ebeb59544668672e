"""Look for the proof that somebody controls a domain: a file, a meta tag of its start page, or a DNS record.

The hub asks with nothing but the domain's name, and what it reads is compared with the token and forgotten.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from html.parser import HTMLParser
from typing import Final

from attrs import frozen

from hub.domain.words import Proof
from hub.outbound.fetch import FetchFault, Unreachable, fetch_text
from hub.outbound.public_addresses import Network

FILE_PATH: Final = "/.well-known/affiliate-hub.txt"
META_NAME: Final = "affiliate-hub"
RECORD_LABEL: Final = "_affiliate-hub"

TxtLookup = Callable[[str], Awaitable[Sequence[str]]]
"""Returns the texts of a name's TXT records; raises `FetchFault` if there are none."""


@frozen
class DomainProofs:
    """Looks proofs up; `allowed` are the networks that may be asked although they are not public."""

    allowed: tuple[Network, ...] = ()
    txt_records: TxtLookup | None = None

    async def fault(self, method: Proof, domain: str, token: str) -> str | None:
        """Return why the domain does not show the token in this way, None if it does."""
        try:
            return await self._fault(method, domain, token)
        except FetchFault as fault:
            return f"{place_of(method, domain)} {fault}"

    async def _fault(self, method: Proof, domain: str, token: str) -> str | None:
        if method == "dns":
            from hub.outbound.txt_records import system_txt_records  # a resolver that only this way of proof needs

            found = await (self.txt_records or system_txt_records)(f"{RECORD_LABEL}.{domain.partition(':')[0]}")
        elif method == "file":
            found = (await self._page(domain, FILE_PATH)).split("\n", 1)[:1]
        else:
            found = meta_contents(await self._page(domain, "/"))
        if token in [text.strip() for text in found]:
            return None
        return f"{place_of(method, domain)} was read, but the token is not in it"

    async def _page(self, domain: str, path: str) -> str:
        try:
            return await fetch_text(f"https://{domain}{path}", domain, self.allowed)
        except Unreachable:
            return await fetch_text(f"http://{domain}{path}", domain, self.allowed)


def place_of(method: Proof, domain: str) -> str:
    """Return where the token is looked for, in words."""
    if method == "file":
        return f"https://{domain}{FILE_PATH}"
    return f"https://{domain}/" if method == "meta" else f"The TXT record of {RECORD_LABEL}.{domain.partition(':')[0]}"


def meta_contents(page: str) -> list[str]:
    """Return the contents of the page's meta tags of our name; only those before its body, where visitors write."""
    reader = _HeadReader()
    reader.feed(page)
    return reader.contents


class _HeadReader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.contents: list[str] = []
        self._in_head = True

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Keep the content of a meta tag; a body ends the head."""
        values = dict(attrs)
        if tag == "body":
            self._in_head = False
        elif tag == "meta" and self._in_head and values.get("name") == META_NAME:
            self.contents.append(values.get("content") or "")
