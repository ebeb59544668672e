"""A platform's API as its connector declares it: identity, lists page by page, single items, webhooks.

`ask` sends one request with the login and returns its answer, so the same code runs over the network
(platform_session.py) and over recorded exchanges (hub/testing/exchanges.py).
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Final

from attrs import field, frozen

from hub.domain.connectors.bulk_lines import BulkItems
from hub.domain.connectors.request_calls import Call
from hub.domain.connectors.request_pages import (
    AnswerFault,
    Place,
    Prepared,
    after_cursor,
    answer_error,
    items_of,
    listed_page,
    next_place,
    prepared,
    refusal_in,
    since_values,
    text_in,
    value_in,
)
from hub.domain.connectors.requests import Bulk, Listing, PageNumbers, Part, Requests, Single

MOST_PAGES: Final = 5_000
MOST_PARTS: Final = 50
"""How many pages a part of one order may have."""
DONE: Final = frozenset({200, 201, 202, 204})


class PlatformFault(Exception):
    """A platform that cannot be asked, or answers with something else; the text is a sentence.

    `code` says which: "refused" (401, 403: the credentials or a permission), "missing" (404, 410), "unreachable"
    (nothing, 429 or 5xx until patience ended) or "answer" (something that was not declared).
    """

    def __init__(self, sentence: str, code: str = "answer") -> None:
        super().__init__(sentence)
        self.code = code


@frozen
class PlatformAnswer:
    """An answer with its headers by lower-case names, and its body as parsed JSON, None if it is empty."""

    status: int
    headers: Mapping[str, str]
    body: Any


Ask = Callable[[Prepared], Awaitable[PlatformAnswer]]
Lines = Callable[[str], AsyncIterator[bytes]]


@frozen
class PlatformPage:
    """The items of one page as bodies of webhooks, and where the next page is, None after the last."""

    items: list[dict[str, Any]]
    following: Place | None


@frozen
class Shop:
    """Whose the credentials are, as far as the platform says."""

    currency: str
    site: str
    name: str


@frozen
class PlatformClient:
    """Asks a platform; `values` are the credentials by their names, `lines` reads a file of any length."""

    requests: Requests
    ask: Ask
    values: Mapping[str, str] = field(repr=False)
    lines: Lines | None = None
    _shared: dict[Call, Any] = field(factory=dict, init=False, repr=False, eq=False)
    """What parts say that are the same for every item, such as the shop's currencies: asked for once."""

    async def identity(self) -> Shop:
        """Return whose the credentials are; raise `PlatformFault`."""
        declared = self.requests.identity
        body = (await self.call(declared.call, {})).body
        return Shop(*(text_in(body, path) for path in (declared.currency, declared.site, declared.name)))

    async def prove(self) -> str:
        """Have the platform say whose the credentials are, as it did when they were given; return the header Date.

        What is missing in an answer is believed of the platform alone: a parked domain, a page of maintenance or a
        proxy answers, too. Raise `PlatformFault` if such a one does.
        """
        declared = self.requests.identity
        answer = await self.call(declared.call, {})
        paths = [path for path in (declared.currency, declared.site, declared.name) if path]
        if paths and not any(text_in(answer.body, path) for path in paths):
            raise PlatformFault("What answers at the shop's address is not its API: it does not say whose it is.")
        return answer.headers.get("date", "")

    async def missing_scopes(self) -> tuple[str, ...]:
        """Return the needed permissions that were not granted; raise `PlatformFault`."""
        declared = self.requests.scopes
        if declared is None:
            return ()
        found = value_in((await self.call(declared.call, {})).body, declared.items)
        if not isinstance(found, list):
            raise PlatformFault("The platform's answer has no list of permissions.")
        granted = {text_in(each, declared.name) if declared.name else each for each in found}
        return tuple(each for each in declared.needed if each not in granted)

    async def pages(self, listing: Listing, since: int, now: int | None = None) -> AsyncIterator[PlatformPage]:
        """Yield the pages of what changed since a moment, and until `now` (ms UTC); raise `PlatformFault`."""
        at: Place | None = Place()
        for _ in range(MOST_PAGES):
            if at is None:
                return
            page = await self.page(listing, since_values(since, now), at)
            at = page.following
            yield page
        raise PlatformFault(f"The platform lists more than {MOST_PAGES:,} pages.")

    async def page(self, listing: Listing, values: Mapping[str, str], place: Place) -> PlatformPage:
        """Return one page of a list; raise `PlatformFault`."""
        with _read():
            request = listed_page(listing, self.requests.root, {**self.values, **values}, self._headers(), place)
        answer = await self._ask(request)
        with _read():
            items = [] if listing.empty_is_array and answer.body == [] else items_of(answer.body, listing.items)
            url, size = request.url, listing.page_size
            following = next_place(listing.pages, size, place, url, answer.headers, answer.body, len(items))
        return PlatformPage(items, following)

    async def whole(self, single: Single, item_id: str) -> dict[str, Any]:
        """Return one order or product with its parts, as a body of the topic of `single`; raise `PlatformFault`."""
        answer = await self.call(single.call, {"id": item_id})
        body = value_in(answer.body, single.item)
        if not isinstance(body, dict):
            outer, _, name = single.item.rpartition(".")
            around = value_in(answer.body, outer)
            is_there = name in around if isinstance(around, dict) else isinstance(around, list) and name.isdecimal()
            if body is None and name and is_there:
                raise PlatformFault(f"The platform answers that there is no {single.topic} {item_id}.", "missing")
            raise PlatformFault(f"The platform's answer has no {single.topic} of the id {item_id}.")
        return {**body, **{part.name: await self._part(part, item_id, body) for part in single.parts}}

    async def begin_bulk(self, bulk: Bulk, since: int) -> str:
        """Have the platform write a list into a file; return the name of its job. Raise `PlatformFault`."""
        job = text_in((await self.call(bulk.begin, since_values(since))).body, bulk.job)
        if not job:
            raise PlatformFault("The platform began no job for the list.")
        return job

    async def bulk_file(self, bulk: Bulk, job: str) -> str | None:
        """Return the address of a job's file, empty if it has no lines, None while it is written.

        Raise `PlatformFault` for a job that failed.
        """
        body = (await self.call(bulk.look, {"job": job})).body
        status = text_in(body, bulk.status)
        if status in bulk.waits:
            return None
        if status not in bulk.done:
            raise PlatformFault(f"The platform's job ended as {status[:40] or 'nothing'}.")
        return text_in(body, bulk.url)

    async def bulk_items(self, bulk: Bulk, url: str, line: int) -> AsyncIterator[tuple[dict[str, Any], int]]:
        """Yield the items of a file from a line on, each with the line that follows it; raise `PlatformFault`."""
        if self.lines is None:
            raise PlatformFault("No files are read here.")
        items, number = BulkItems(bulk), 0
        with _read():
            async for each in self.lines(url):
                number += 1
                if number > line and (whole := items.take(each)) is not None:
                    yield whole, number - 1
            if (whole := items.last()) is not None:
                yield whole, number

    async def call(self, call: Call, values: Mapping[str, str]) -> PlatformAnswer:
        """Send a declared request with its places filled in; raise `PlatformFault`."""
        with _read():
            request = prepared(call, self.requests.root, {**self.values, **values}, self._headers())
        answer = await self._ask(request)
        if (why := refusal_in(call, answer.body)) is not None:
            raise PlatformFault(f"The platform refuses: {why}")
        return answer

    async def _part(self, part: Part, item_id: str, body: dict[str, Any]) -> Any:
        begins: Place | None = Place()
        if part.follows is not None:
            begins = after_cursor(part.follows, body)
        elif part.pages is None:
            if "{id}" in part.call.path + part.call.body:
                return value_in((await self.call(part.call, {"id": item_id})).body, part.items)
            if part.call not in self._shared:
                self._shared[part.call] = value_in((await self.call(part.call, {})).body, part.items)
            return self._shared[part.call]
        pages = part.pages or PageNumbers()
        listing = Listing(part.call, "", part.items, page_size=part.page_size, pages=pages)
        found: list[dict[str, Any]] = []
        place = begins
        for _ in range(MOST_PARTS):
            if place is None:
                break
            page = await self.page(listing, {"id": item_id}, place)
            found += page.items
            place = page.following
        return found

    async def _ask(self, request: Prepared) -> PlatformAnswer:
        answer = await self.ask(request)
        if answer.status in (401, 403):
            raise PlatformFault(
                f"The platform refuses the credentials ({answer.status}): they were withdrawn, or lack a permission.",
                "refused",
            )
        if answer.status in (404, 410):
            raise PlatformFault(f"The platform answers {answer.status}: nothing is there.", "missing")
        if answer.status not in DONE:
            raise PlatformFault(f"The platform answers {answer.status}; see that the address is right.")
        error = answer_error(self.requests.errors, answer.body)
        if error is not None:
            code = "refused" if error.denied else "unreachable" if error.again else "answer"
            raise PlatformFault(f"The platform answers with an error: {error.says}", code)
        return answer

    def _headers(self) -> dict[str, str]:
        sent = {"Accept": "application/json", "Content-Type": "application/json"}
        return sent | dict(self.requests.headers)


@contextmanager
def _read() -> Iterator[None]:
    """Turn what the declaration and an answer lack into a `PlatformFault`."""
    try:
        yield
    except AnswerFault as fault:
        raise PlatformFault(f"The platform's answer {fault}.") from None
    except KeyError as missing:
        raise PlatformFault(f"The credential {missing} is missing; give it.", "refused") from None
