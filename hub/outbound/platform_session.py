"""The network under a platform's API: guarded addresses, rate limits, retries with pauses, and a budget.

One task at a time asks for a connection, so a session has no locks. Every wait is an await that a cancellation ends, so
a hub that stops interrupts a session anywhere; what was read until then is the caller's to keep.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from time import monotonic
from types import TracebackType
from typing import Any, Final, Self
from urllib.parse import urlsplit

import aiohttp
import orjson
from attrs import define, field, frozen

from hub.clock import Clock, system_clock
from hub.domain.connectors.request_logins import TokenGrant
from hub.domain.connectors.request_pages import Prepared, answer_error, filled_url, login_headers
from hub.domain.connectors.requests import Requests
from hub.outbound.pacing import Bucket, Pacer
from hub.outbound.platform_client import PlatformAnswer, PlatformFault
from hub.outbound.platform_tokens import Renew, grant_of, granted, is_due, renew_unkept
from hub.outbound.public_addresses import Network, NotPublic, guarded_sockets, why_unreached

MOST_BYTES: Final = 16 * 1024 * 1024
"""The longest answer."""
ATTEMPTS: Final = 5
LONGEST_PAUSE: Final = 60.0
ANSWER_SECONDS: Final = 30.0
CONNECT_SECONDS: Final = 10.0
TOO_MANY: Final = 429
UNAUTHORIZED: Final = 401
BROKEN: Final = 500
NEARLY_FULL: Final = 0.8
"""A platform's own bucket is let run out from this share of it on."""
MOST_LINE: Final = 1024 * 1024
"""The longest line of a file."""

Rest = Callable[[float], Awaitable[None]]


class BudgetSpent(PlatformFault):
    """The time, the requests or the bytes of one session are spent; the text is a sentence."""

    def __init__(self, sentence: str) -> None:
        super().__init__(sentence, "budget")


@frozen
class Budget:
    """What one session may cost: seconds, requests and bytes of answers."""

    seconds: float = 1_800.0
    requests: int = 20_000
    bytes: int = 2 * 1024**3


class _Again(Exception):
    """An answer that may be better next time: the text says what it was, `pause` how long the platform asks to wait."""

    def __init__(self, said: str, pause: float | None = None) -> None:
        super().__init__(said)
        self.pause = pause


@define(eq=False)
class PlatformSession:
    """An open session of one connection; `values` are its credentials, which a renewed token changes.

    `bucket` and `pacer` hold the rates of its shop and its host over several sessions. `renew` has a token fetched and
    kept. `rest` waits for some seconds. `asked` is what sentences call who is asked, `attempts` how often one request
    is sent at most.
    """

    requests: Requests
    values: dict[str, str] = field(repr=False)
    allowed: Sequence[Network] = ()
    budget: Budget = field(factory=Budget)
    bucket: Bucket | None = None
    pacer: Pacer = field(factory=Pacer)
    renew: Renew = renew_unkept
    rest: Rest = asyncio.sleep
    now: Callable[[], float] = monotonic
    clock: Clock = system_clock
    asked: str = "The shop"
    attempts: int = ATTEMPTS
    _session: aiohttp.ClientSession = field(init=False)
    _ends: float = field(init=False)
    _asked: int = field(init=False, default=0)
    _read: int = field(init=False, default=0)

    async def __aenter__(self) -> Self:
        connector = aiohttp.TCPConnector(socket_factory=guarded_sockets(self.allowed), use_dns_cache=False, limit=2)
        self._session = aiohttp.ClientSession(
            connector=connector,
            timeout=aiohttp.ClientTimeout(total=min(ANSWER_SECONDS, self.budget.seconds), connect=CONNECT_SECONDS),
            cookie_jar=aiohttp.DummyCookieJar(),
            trust_env=False,
            headers={"User-Agent": "affiliate-hub"},
        )
        self._ends = self.now() + self.budget.seconds
        self.bucket = self.bucket or Bucket(self.requests.rate, self.now)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._session.close()

    async def ask(self, request: Prepared) -> PlatformAnswer:
        """Send a request with the login, again if need be; raise `PlatformFault`."""
        grant = grant_of(self.requests, self.values)
        if grant is not None and is_due(grant, self.values, self.clock()):
            await self._renew(grant)
        answer = await self._patiently(request, has_login=True)
        if answer.status == UNAUTHORIZED and grant is not None:
            await self._renew(grant)
            answer = await self._patiently(request, has_login=True)
        return answer

    async def lines(self, url: str) -> AsyncIterator[bytes]:
        """Yield the lines of a file at any address of the network, asked for without the login.

        A line and a chunk are all that is held of it. Raise `PlatformFault`.
        """
        secure = urlsplit(filled_url(self.requests.root, self.values)).scheme == "https"
        if secure and urlsplit(url).scheme != "https":
            raise PlatformFault("The platform's file is not at an https address.")
        waits = aiohttp.ClientTimeout(total=None, connect=CONNECT_SECONDS, sock_read=ANSWER_SECONDS)
        begun = b""
        try:
            async with self._session.get(url, allow_redirects=False, timeout=waits) as answer:
                if answer.status != 200:
                    raise PlatformFault(f"The platform's file is not there ({answer.status}).")
                async for part in answer.content.iter_chunked(65_536):
                    self._count(len(part))
                    *whole, begun = (begun + part).split(b"\n")
                    if len(begun) > MOST_LINE:
                        raise PlatformFault(f"A line of the platform's file is longer than {MOST_LINE // 1024} KiB.")
                    for line in filter(bytes.strip, whole):
                        yield line
        except (aiohttp.ClientError, TimeoutError) as fault:
            raise PlatformFault(f"The platform's file broke off: {type(fault).__name__}.", "unreachable") from None
        if begun.strip():
            yield begun

    async def post_form(
        self, url: str, form: Mapping[str, str], encoding: str, login: Mapping[str, str]
    ) -> PlatformAnswer:
        """Send a form with no login but the headers `login`, as tokens are asked for; raise `PlatformFault`."""
        kind = "application/json" if encoding == "json" else "application/x-www-form-urlencoded"
        body = orjson.dumps(dict(form)).decode() if encoding == "json" else str(aiohttp.FormData(form)().decode())
        return await self.post(Prepared("POST", url, {"Content-Type": kind, **login}, body))

    async def post(self, request: Prepared) -> PlatformAnswer:
        """Send a request without any login; raise `PlatformFault`."""
        return await self._patiently(request, has_login=False)

    async def _renew(self, grant: TokenGrant) -> None:
        async def fetch(values: Mapping[str, str]) -> dict[str, str]:
            try:
                url = filled_url(grant.url, values)
                form = {name: text.format_map(values) for name, text in grant.form}
                login = {} if grant.login is None else login_headers(grant.login, values)
            except KeyError as missing:
                raise PlatformFault(f"The credential {missing} is missing; give it.", "refused") from None
            return granted(grant, await self.post_form(url, form, grant.encoding, login), self.clock())

        self.values.update(await self.renew(self.values, fetch))

    async def _patiently(self, request: Prepared, *, has_login: bool) -> PlatformAnswer:
        said = ""
        for attempt in range(self.attempts):
            await self._take_turn(request)
            try:
                return await self._send(request, has_login=has_login)
            except _Again as fault:
                said, pause = str(fault), fault.pause
            except TimeoutError:
                said, pause = f"took longer than {ANSWER_SECONDS:.0f} seconds", None
            except aiohttp.ClientConnectorError as fault:
                if isinstance(fault.os_error, NotPublic):
                    raise PlatformFault(f"{self.asked} cannot be asked: {fault.os_error}.", "unreachable") from None
                said, pause = f"cannot be reached: {why_unreached(fault.os_error)}", None
            except (aiohttp.ClientError, ValueError) as fault:
                said, pause = f"broke off: {type(fault).__name__}", None
            if attempt < self.attempts - 1:
                await self._pause(2.0**attempt * random.uniform(1.0, 1.25) if pause is None else pause)  # noqa: S311 - spreads retries, keeps no secret
        raise PlatformFault(f"{self.asked} {said}, {self.attempts} times.", "unreachable")

    async def _take_turn(self, request: Prepared) -> None:
        self._asked += 1
        if self._asked > self.budget.requests:
            raise BudgetSpent(f"{self.budget.requests:,} requests were made.")
        own = 0.0 if self.bucket is None else max(self.bucket.wait(), self.bucket.cost_wait(request.kind))
        wait = max(self.pacer.host_wait(request.url), own)
        if wait:
            await self._pause(wait)

    async def _pause(self, seconds: float) -> None:
        seconds = min(LONGEST_PAUSE, seconds)
        if self.now() + seconds > self._ends:
            raise BudgetSpent(f"It took longer than {self.budget.seconds:,.0f} seconds.")
        await self.rest(seconds)

    async def _send(self, request: Prepared, *, has_login: bool) -> PlatformAnswer:
        if self.now() > self._ends:
            raise BudgetSpent(f"It took longer than {self.budget.seconds:,.0f} seconds.")
        headers = dict(request.headers)
        if has_login:
            try:
                headers |= login_headers(self.requests.login, self.values)
            except KeyError as missing:
                raise PlatformFault(f"The credential {missing} is missing; give it.", "refused") from None
        body = None if request.body is None else request.body.encode()
        async with self._session.request(
            request.method, request.url, data=body, headers=headers, allow_redirects=False
        ) as answer:
            if answer.status == TOO_MANY or answer.status >= BROKEN:
                raise _Again(f"answers {answer.status}", self._asked_pause(answer.headers))
            found = self._parsed(answer.status, await self._bounded(answer))
            self._heed_costs(request, found)
            await self._heed(answer.headers)
            return PlatformAnswer(answer.status, {k.lower(): v for k, v in answer.headers.items()}, found)

    def _heed_costs(self, request: Prepared, answer: Any) -> None:
        """Note what the answer says of costs; raise `_Again` if it says that the request may go better later."""
        costs = self.requests.rate.costs
        if costs is not None and self.bucket is not None:
            self.bucket.heed_costs(request.kind, costs, answer)
        error = answer_error(self.requests.errors, answer)
        if error is not None and error.again:
            raise _Again(f"answers with an error: {error.says}", None if costs is None else 0.0)

    async def _bounded(self, answer: aiohttp.ClientResponse) -> bytes:
        raw = bytearray()
        async for part in answer.content.iter_chunked(65_536):
            raw += part
            if len(raw) > MOST_BYTES:
                raise PlatformFault(f"{self.asked}'s answer is longer than {MOST_BYTES // 1024**2} MiB.")
            self._count(len(part))
        return bytes(raw)

    def _count(self, read: int) -> None:
        self._read += read
        if self._read > self.budget.bytes:
            raise BudgetSpent(f"{self.budget.bytes:,} bytes were read.")
        if self.now() > self._ends:
            raise BudgetSpent(f"It took longer than {self.budget.seconds:,.0f} seconds.")

    async def _heed(self, headers: Mapping[str, str]) -> None:
        """Let the platform's own bucket run out a little before it overflows."""
        rate = self.requests.rate
        used, _, size = headers.get(rate.used_header, "").partition("/") if rate.used_header else ("", "", "")
        if used.isdecimal() and size.isdecimal() and int(used) >= NEARLY_FULL * int(size) > 0:
            await self._pause((int(used) - int(size) / 2) / rate.per_second)
        left = headers.get(rate.left_header, "") if rate.left_header else ""
        if left.isdecimal() and int(left) <= 1:
            await self._pause(self._asked_pause(headers) or 1 / rate.per_second)

    def _asked_pause(self, headers: Mapping[str, str]) -> float | None:
        rate = self.requests.rate
        for name, unit in ((rate.wait_header, rate.wait_unit), ("Retry-After", "s")):
            text = headers.get(name, "").partition(".")[0]
            if text.isdecimal() and len(text) < 10:
                return int(text) / (1_000 if unit == "ms" else 1) + (0.5 if "." in headers.get(name, "") else 0)
        return None

    def _parsed(self, status: int, raw: bytes) -> Any:
        """Return an answer's JSON, None if it is empty; what a refusal says need not be JSON."""
        if not raw.strip():
            return None
        try:
            return orjson.loads(raw)
        except orjson.JSONDecodeError:
            if status >= 300:
                return None
            raise PlatformFault(f"{self.asked}'s answer is not JSON; see that its address is right.") from None
