"""One question to VIES by its declared request: guarded, bounded in time and bytes, and never without an outcome."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Final

from attrs import frozen

from hub.domain.books.vies import CHECK, CHECK_FOR, ROOT, VatAnswer, declared, is_asked_of, places_of, read_answer
from hub.domain.connectors.request_pages import prepared
from hub.outbound.platform_client import PlatformFault
from hub.outbound.platform_session import Budget, PlatformSession, Rest
from hub.outbound.public_addresses import Network

BUDGET: Final = Budget(seconds=15, requests=2, bytes=1024 * 1024)
HEADERS: Final = {"Accept": "application/json", "Content-Type": "application/json"}


@frozen
class Vies:
    """Asks VIES at `root`; `allowed` are the networks that may be asked although they are not public."""

    root: str = ROOT
    allowed: Sequence[Network] = ()
    budget: Budget = BUDGET
    rest: Rest = asyncio.sleep

    async def check(self, number: str, own: str = "") -> VatAnswer:
        """Return what VIES says of a VAT number in its plain form; `own` is that of who asks, empty for nobody's."""
        requests = declared(self.root)
        call = CHECK_FOR if is_asked_of(own) else CHECK
        request = prepared(call, requests.root, places_of(number, own), HEADERS)
        try:
            async with PlatformSession(
                requests, {}, self.allowed, self.budget, rest=self.rest, asked="VIES", attempts=self.budget.requests
            ) as session:
                answer = await session.post(request)
        except PlatformFault as fault:
            return VatAnswer("unreached", fault=str(fault))
        return read_answer(answer.status, answer.body)
