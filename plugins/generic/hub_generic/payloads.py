"""The bodies that this connector reads, as classes; a key may be in snake_case or in camelCase.

The readers in the annotations check the values, see `hub_generic.values`. A null counts as absent, unknown keys are
ignored.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from decimal import Decimal
from typing import Annotated, Any, TypeVar, get_args, get_origin

import attrs
from attrs import frozen
from cattrs import ClassValidationError, Converter

from hub.api import Unmappable
from hub_generic import values

T = TypeVar("T", bound=attrs.AttrsInstance)

OrderId = Annotated[str, values.required_text(160)]
ProductId = Annotated[str, values.required_text(120)]
ClickId = Annotated[str | None, values.optional_text(255)]
Coupon = Annotated[str | None, values.optional_text(120)]
Customer = Annotated[str | None, values.optional_text(320)]
RefundId = Annotated[str | None, values.optional_text(160)]
LineProductId = Annotated[str | None, values.optional_text(120)]
StockStatus = Annotated[str | None, values.optional_text(40)]
Reason = Annotated[str | None, values.reason]
Amount = Annotated[Decimal, values.money]
OptionalAmount = Annotated[Decimal | None, values.money]
Currency = Annotated[str | None, values.currency]
Moment = Annotated[int | None, values.instant]
Quantity = Annotated[int | None, values.quantity]
Stock = Annotated[int | None, values.whole]
Metadata = Annotated[dict[str, Any] | None, values.metadata]


@frozen
class LinePayload:
    """A line of an order or a refund."""

    external_product_id: LineProductId = None
    quantity: Quantity = None
    amount: OptionalAmount = None


def read_lines(value: Any) -> tuple[LinePayload, ...]:
    """Read the lines; raises `Unmappable` that names the line and the field."""
    if not isinstance(value, list):
        raise TypeError("must be an array")
    for place, line in enumerate(value):
        if not isinstance(line, dict):
            raise Unmappable(f"`lines[{place}]` must be a JSON object")
    return tuple(read_payload(LinePayload, line, f"lines[{place}].") for place, line in enumerate(value))


Lines = Annotated[tuple[LinePayload, ...], read_lines]


@frozen
class OrderPayload:
    """The body of order-created."""

    external_order_id: OrderId
    order_amount: Amount
    click_id: ClickId = None
    currency: Currency = None
    coupon_code: Coupon = None
    external_product_id: LineProductId = None
    ordered_at: Moment = None
    metadata: Metadata = None
    lines: Lines = ()
    customer: Customer = None


@frozen
class NewsPayload:
    """The body of order-paid, -delivered, -cancelled and -returned."""

    external_order_id: OrderId
    click_id: ClickId = None
    occurred_at: Moment = None
    reason: Reason = None


@frozen
class RefundPayload(NewsPayload):
    """The body of order-refunded; without an id, an amount and lines everything was refunded."""

    refund_id: RefundId = None
    refund_amount: OptionalAmount = None
    lines: Lines = ()


@frozen
class ProductPayload:
    """What identifies and dates product-updated; its other fields are told one by one."""

    external_product_id: ProductId
    updated_at: Moment = None


@frozen
class StockPayload:
    """The body of product-stock-updated."""

    external_product_id: ProductId
    stock_status: StockStatus = None
    quantity: Stock = None
    updated_at: Moment = None


def read_payload(cls: type[T], body: dict[str, Any], prefix: str = "") -> T:
    """Read a body as `cls`; raises `Unmappable` with a sentence for every field that is missing or wrong."""
    names = (attribute.name for attribute in attrs.fields(cls))
    given = {name: value for name in names if (value := given_value(body, name)) is not None}
    try:
        return _CONVERTER.structure(given, cls)
    except ClassValidationError as group:
        raise Unmappable("; ".join(_sentences(group, prefix))) from None


def given_value(body: dict[str, Any], name: str) -> Any:
    """Return the value under the key in snake_case, else in camelCase; None if neither is there."""
    value = body.get(name)
    return value if value is not None else body.get(camel(name))


def camel(name: str) -> str:
    """Return the camelCase spelling of a key: external_order_id is externalOrderId."""
    first, *rest = name.split("_")
    return first + "".join(word.capitalize() for word in rest)


def _sentences(group: ClassValidationError, prefix: str) -> Iterator[str]:
    for fault, note in group.group_exceptions()[0]:
        if isinstance(fault, Unmappable):
            yield str(fault)
        else:
            yield f"`{prefix}{note.name}` {'is missing' if isinstance(fault, KeyError) else fault}"


def _is_read(hint: Any) -> bool:
    return get_origin(hint) is Annotated and callable(get_args(hint)[1])


def _reader(hint: Any) -> Callable[[Any, Any], Any]:
    read = get_args(hint)[1]
    return lambda value, _: read(value)


_CONVERTER = Converter()
_CONVERTER.register_structure_hook_factory(_is_read, _reader)
