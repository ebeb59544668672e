"""The contract with plugins: everything that a connector may import from the hub, and nothing else.

A plugin is a distribution with an entry point in the group `hub.plugins` that names a module. There, a function
`hub_connectors()` marked with `hookimpl` returns its `Connector` records. A connector's functions get a body as
`parse_body` made it and return the facts that it states, each under its own key, or raise `Unmappable`.

docs/connector-api.md is the reference of every name, written from these docstrings.
"""

from __future__ import annotations

import json
from decimal import Decimal, InvalidOperation
from math import isfinite
from typing import Any, NoReturn

from hub.domain.connectors.body_values import (
    as_currency,
    as_id,
    as_lines,
    as_moment,
    as_money,
    as_number,
    as_quantity,
    as_record,
    as_records,
    as_text,
    id_or_none,
    storable,
)
from hub.domain.connectors.connector import (
    API_VERSION,
    Body,
    Challenge,
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
    TimestampHmac,
    Topic,
    Uninteresting,
    Unmappable,
)
from hub.domain.connectors.jwt_body import JwtBody
from hub.domain.connectors.request_calls import AnswerErrors, Call, CostLimit, RateLimit
from hub.domain.connectors.request_logins import (
    BasicLogin,
    Credential,
    KeyConsent,
    OAuthConsent,
    TokenGrant,
    TokenHeader,
)
from hub.domain.connectors.requests import (
    BodyCursor,
    BodyLink,
    Bulk,
    Identity,
    LinkHeader,
    Listing,
    PageNumbers,
    Part,
    Requests,
    Scopes,
    Single,
    Webhooks,
)
from hub.domain.connectors.scenes import Delivery, Play, Scene
from hub.domain.instants import parse_instant
from hub.domain.money import CURRENCIES, PLATFORM_CURRENCIES
from hub.domain.orders.facts import (
    CREATED_KEY,
    FACTS_OF_KIND,
    SNAPSHOT_KEY,
    Fact,
    FetchOrder,
    FetchProduct,
    Line,
    OrderCancelled,
    OrderCreated,
    OrderDelivered,
    OrderGone,
    OrderPaid,
    OrderRefunded,
    OrderReturned,
    OrderSnapshot,
    OrderStateUnknown,
    OrderUnclear,
    refund_key,
    refund_so_far_key,
    status_key,
)
from hub.domain.orders.product_facts import ProductStockUpdated, ProductUpdated
from hub.plugin_host.hookspecs import hookimpl
from hub.plugin_host.payloads import read_payload

__all__ = [
    "API_VERSION",
    "CREATED_KEY",
    "CURRENCIES",
    "FACTS_OF_KIND",
    "PLATFORM_CURRENCIES",
    "SNAPSHOT_KEY",
    "AnswerErrors",
    "BasicLogin",
    "Body",
    "BodyCursor",
    "BodyLink",
    "Bulk",
    "Call",
    "Challenge",
    "Connector",
    "Context",
    "CostLimit",
    "Credential",
    "Delivery",
    "Erasure",
    "Fact",
    "FetchOrder",
    "FetchProduct",
    "FieldPlace",
    "FixedPlace",
    "HeaderPlace",
    "Headers",
    "HmacHeader",
    "Identity",
    "JwtBody",
    "KeyConsent",
    "Line",
    "LinkHeader",
    "Listing",
    "OAuthConsent",
    "OrderCancelled",
    "OrderCreated",
    "OrderDelivered",
    "OrderGone",
    "OrderPaid",
    "OrderRefunded",
    "OrderReturned",
    "OrderSnapshot",
    "OrderStateUnknown",
    "OrderUnclear",
    "PackageContext",
    "PageNumbers",
    "Part",
    "Play",
    "ProductStockUpdated",
    "ProductUpdated",
    "RateLimit",
    "Requests",
    "Scene",
    "Scopes",
    "SecretHeader",
    "Single",
    "TimestampHmac",
    "TokenGrant",
    "TokenHeader",
    "Topic",
    "Uninteresting",
    "Unmappable",
    "Webhooks",
    "as_currency",
    "as_id",
    "as_lines",
    "as_moment",
    "as_money",
    "as_number",
    "as_quantity",
    "as_record",
    "as_records",
    "as_text",
    "hookimpl",
    "id_or_none",
    "parse_body",
    "parse_instant",
    "plain_json",
    "read_payload",
    "refund_key",
    "refund_so_far_key",
    "status_key",
    "storable",
]

_DEEPEST = 32
_LARGEST_INTEGER = 2**63


def parse_body(raw: bytes) -> Body:
    """Parse a webhook's JSON object with every number exact: integers as int, all others as Decimal.

    If a key is given twice, the last value counts. Raise `Unmappable` for anything but a JSON object in UTF-8, and for
    NaN and infinity.
    """
    try:
        body = json.loads(raw.decode(), parse_float=Decimal, parse_constant=_refuse)
    except (ValueError, RecursionError, InvalidOperation) as error:
        raise Unmappable("the body is no JSON in UTF-8 that can be read") from error
    if not isinstance(body, dict):
        raise Unmappable("the body must be a JSON object")
    return body


def plain_json(value: Any) -> Any:
    """Return a parsed value as JSON that any writer takes: Decimals as floats, numbers too large for one as text.

    It is for parts of a body that are kept as they are, such as metadata. Raise `Unmappable` beyond 32 levels and for
    text that cannot be stored.
    """
    return _plain(value, _DEEPEST)


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
