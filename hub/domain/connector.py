"""What a connector declares to the hub: which bodies it recognises and which facts they state."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from attrs import frozen

from hub.domain.facts import Fact

Body = dict[str, Any]
"""A webhook's parsed JSON object."""


@frozen
class Context:
    """What a connector may know beside the body; `received_at` is ms UTC, `currency` the merchant's ISO 4217 code."""

    delivery_id: str
    received_at: int
    currency: str


class Unmappable(Exception):
    """Raised by a connector that cannot read a body; its text is a sentence that tells the shop what is missing."""


@frozen
class Connector:
    """One platform's translator, a record of plain functions that keep no state and do no I/O.

    `recognises(body)` says whether a free-form v1 webhook has this platform's shape; of all that agree the one with
    the lowest `rank` translates. `translate_webhook(kind, body, context)` gives every fact the body states, or
    raises Unmappable.
    """

    name: str
    title: str
    translate_webhook: Callable[[str, Body, Context], Iterable[Fact]]
    recognises: Callable[[Body], bool]
    rank: int
