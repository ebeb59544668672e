"""An act behind a form: done, or refused with the form as it was filled in."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import TypeVar

from aiohttp import web

from hub.operations.errors import InvalidFields, OperatorFault
from hub.pages.rendering import see_other

T = TypeVar("T")

Again = Callable[[Mapping[str, str]], Awaitable[web.Response]]
"""Shows the form again; the mapping is from the name of a field, or "", to what is wrong with it."""


async def done_or_refused(act: Awaitable[object], then: str, again: Again, field: str = "") -> web.StreamResponse:
    """Await an act and lead on to `then`; show the form again if the act is refused, with the reason at `field`."""
    try:
        await act
    except InvalidFields as invalid:
        return await again(invalid.faults)
    except OperatorFault as fault:
        return await again({field: fault.reason})
    return see_other(then)
