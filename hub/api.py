"""The one door for plugins: everything that a connector may import from the hub stands here, and nothing else does.

A plugin is a distribution with an entry point in the group `hub.plugins` that names a module. There, a function
`hub_connectors()` marked with `hookimpl` gives its `Connector` records. A connector's `translate_webhook` gets a body
as `parse_body` made it and answers with the facts it states, each under its own key, or raises `Unmappable`.
"""

from __future__ import annotations

import json
import re
from decimal import Decimal, InvalidOperation
from math import isfinite
from typing import Any, NoReturn

from hub.domain.connector import (
    Body,
    Connector,
    Context,
    Erasure,
    FieldPlace,
    FixedPlace,
    HeaderPlace,
    Headers,
    HmacHeader,
    PackageContext,
    SecretHeader,
    Topic,
    Uninteresting,
    Unmappable,
)
from hub.domain.facts import (
    CREATED_KEY,
    FACTS_OF_KIND,
    Fact,
    Line,
    OrderCancelled,
    OrderCreated,
    OrderDelivered,
    OrderPaid,
    OrderRefunded,
    OrderReturned,
    ProductStockUpdated,
    ProductUpdated,
    refund_key,
    status_key,
)
from hub.domain.instants import parse_instant
from hub.domain.money import CURRENCIES
from hub.domain.scenes import Delivery, Play, Scene
from hub.plugin_host.hookspecs import hookimpl
from hub.plugin_host.payloads import read_payload

__all__ = [
    "CREATED_KEY",
    "CURRENCIES",
    "FACTS_OF_KIND",
    "Body",
    "Connector",
    "Context",
    "Delivery",
    "Erasure",
    "Fact",
    "FieldPlace",
    "FixedPlace",
    "HeaderPlace",
    "Headers",
    "HmacHeader",
    "Line",
    "OrderCancelled",
    "OrderCreated",
    "OrderDelivered",
    "OrderPaid",
    "OrderRefunded",
    "OrderReturned",
    "PackageContext",
    "Play",
    "ProductStockUpdated",
    "ProductUpdated",
    "Scene",
    "SecretHeader",
    "Topic",
    "Uninteresting",
    "Unmappable",
    "hookimpl",
    "parse_body",
    "parse_instant",
    "plain_json",
    "read_payload",
    "refund_key",
    "status_key",
    "storable",
]

_DEEPEST = 32
_SURROGATE = re.compile("[\ud800-\udfff]").search
_LARGEST_INTEGER = 2**63


def parse_body(raw: bytes) -> Body:
    """Parses a webhook's JSON object with every number exact: integers as int, all others as Decimal.

    Of equal keys the last wins. Raises `Unmappable` for what is no JSON object in UTF-8, for NaN and for infinity.
    """
    try:
        body = json.loads(raw.decode(), parse_float=Decimal, parse_constant=_refuse)
    except (ValueError, RecursionError, InvalidOperation) as error:
        raise Unmappable("the body is no JSON in UTF-8 that can be read") from error
    if not isinstance(body, dict):
        raise Unmappable("the body must be a JSON object")
    return body


def plain_json(value: Any) -> Any:
    """A parsed value as JSON that any writer takes: Decimals as floats, numbers too large for one as text.

    For parts of a body that are kept as they are, such as metadata. Raises `Unmappable` beyond 32 levels
    and for text that cannot be stored.
    """
    return _plain(value, _DEEPEST)


def storable(text: str) -> str:
    """The text itself; raises `Unmappable` where it holds U+0000 or half a surrogate pair, which no database keeps."""
    if "\0" in text or _SURROGATE(text):
        raise Unmappable("the body holds U+0000 or half a surrogate pair")
    return text


def _plain(value: Any, levels: int) -> Any:
    if isinstance(value, dict | list):
        if not levels:
            raise Unmappable(f"the body nests deeper than {_DEEPEST} levels")
        if isinstance(value, dict):
            return {storable(str(name)): _plain(inner, levels - 1) for name, inner in value.items()}
        return [_plain(inner, levels - 1) for inner in value]
    if isinstance(value, str):
        return storable(value)
    if isinstance(value, Decimal | float):
        number = float(value)
        return number if isfinite(number) else str(value)
    if isinstance(value, int) and abs(value) >= _LARGEST_INTEGER:
        return str(value)
    return value


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is no JSON")
