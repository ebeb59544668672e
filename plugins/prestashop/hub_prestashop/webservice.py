"""An order as the webservice answers it, told as the module says it, so that both are read alike.

The webservice writes numbers as text, and moments in the shop's own time zone, which it names among its settings.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any, Final
from zoneinfo import ZoneInfo, available_timezones

from hub.api import (
    Body,
    Context,
    Fact,
    Unmappable,
    as_id,
    as_money,
    as_number,
    as_record,
    as_records,
    as_text,
    read_payload,
)
from hub_prestashop.bodies import OrderBody
from hub_prestashop.translate import of_order

ZONES: Final[Mapping[str, ZoneInfo]] = {name: ZoneInfo(name) for name in available_timezones()}
"""Read once as the plugin is loaded, since a translation opens no file."""
MEANINGS: Final = {"PS_OS_DELIVERED": "delivered", "PS_OS_CANCELED": "cancelled", "PS_OS_REFUND": "refunded"}
ZERO: Final = Decimal(0)
NEVER: Final = "0000-00-00"


def of_asked_order(body: Body, context: Context) -> Iterator[Fact]:
    """Yield every fact of an order that the hub asked for; what its click was, the module alone knows."""
    yield from of_order(read_payload(OrderBody, as_module_says(body)), context)


def as_module_says(body: Body) -> Body:
    """Return the body of the module's topic "order"; raise `Unmappable` for what the module could not have meant."""
    settings = {as_text(each.get("name")): as_text(each.get("value")) for each in as_records(body.get("settings"))}
    zone = ZONES.get(settings.get("PS_TIMEZONE") or "")
    if zone is None:
        raise Unmappable(f"the shop's time zone {settings.get('PS_TIMEZONE')!r} is not known on the hub's machine")
    rows = {_name(row.get("id")): row for row in as_records(as_record(body.get("associations")).get("order_rows"))}
    discounts = list(_discounts(body))
    order = {
        "id": as_id(_whole(body.get("id")), "the order"),
        "reference": as_text(body.get("reference")),
        "currency": _currency(body),
        "date": _time(body.get("date_add"), zone),
        "total_paid_tax_incl": body.get("total_paid_tax_incl"),
        "total_discounts_tax_excl": sum((excl for excl, _ in discounts), ZERO),
        "total_discounts_tax_incl": sum((incl for _, incl in discounts), ZERO),
        "rows": [_row(row, _number(row.get("product_quantity")), _prices(row)) for row in rows.values()],
        "history": list(_history(body, settings, zone)),
        "slips": [_slip(slip, rows, zone) for slip in as_records(body.get("slips"))],
    }
    return {"order": order, "sent_at": _changed_at(body, zone)}


def _changed_at(body: Body, zone: ZoneInfo) -> str | None:
    """Return when the order, its states or its slips changed last: the version of what the body says."""
    dated = (body, *as_records(body.get("histories")), *as_records(body.get("slips")))
    moments = [_time(each.get(name), zone) for each in dated for name in ("date_add", "date_upd")]
    return max((moment for moment in moments if moment is not None), default=None)


def _discounts(body: Body) -> Iterator[tuple[Decimal, Decimal]]:
    """Yield what each voucher took off the goods, without and with tax: of its free shipping nothing."""
    for rule in as_records(body.get("cart_rules")):
        if as_text(rule.get("deleted")) == "1":
            continue
        free = as_text(rule.get("free_shipping")) == "1"
        excl, incl = (_money(rule.get(name), name) for name in ("value_tax_excl", "value"))
        shipping = [_money(body.get(f"total_shipping_tax_{each}"), "total_shipping") if free else ZERO
                    for each in ("excl", "incl")]  # fmt: skip
        yield max(excl - shipping[0], ZERO), max(incl - shipping[1], ZERO)


def _history(body: Body, settings: Mapping[str | None, str | None], zone: ZoneInfo) -> Iterator[dict[str, Any]]:
    paid = {_name(each.get("id")): as_text(each.get("paid")) == "1" for each in as_records(body.get("states"))}
    meant = {settings.get(name): meaning for name, meaning in MEANINGS.items()}
    entries = sorted(as_records(body.get("histories")), key=lambda each: _number(each.get("id")) or 0)
    for each in entries:
        state = _name(each.get("id_order_state"))
        if state is not None:
            at = _time(each.get("date_add"), zone)
            yield {"id": state, "date": at, "paid": paid.get(state, False), "meaning": meant.get(state)}


def _slip(slip: Body, rows: Mapping[str | None, Body], zone: ZoneInfo) -> dict[str, Any]:
    details = as_records(as_record(slip.get("associations")).get("order_slip_details"))
    back = [
        _row(row, _number(each.get("product_quantity")), (each.get("amount_tax_excl"), each.get("amount_tax_incl")))
        for each in details
        if (row := rows.get(_name(each.get("id_order_detail")))) is not None
    ]
    return {
        "id": as_id(_whole(slip.get("id")), "the slip"),
        "date": _time(slip.get("date_add"), zone),
        "amount_tax_incl": slip.get("total_products_tax_incl"),
        "shipping_tax_incl": slip.get("total_shipping_tax_incl"),
        "rows": back,
    }


def _prices(row: Body) -> tuple[Decimal, Decimal]:
    pieces = _number(row.get("product_quantity")) or 0
    excl, incl = (_money(row.get(f"unit_price_tax_{each}"), "unit_price", signed=True) for each in ("excl", "incl"))
    return excl * pieces, incl * pieces


def _row(row: Body, quantity: int | None, totals: tuple[Any, Any]) -> dict[str, Any]:
    return {
        "product_id": _name(row.get("product_id")),
        "product_attribute_id": _name(row.get("product_attribute_id")),
        "reference": as_text(row.get("product_reference")),
        "quantity": quantity,
        "total_tax_excl": totals[0],
        "total_tax_incl": totals[1],
    }


def _currency(body: Body) -> str | None:
    known = {_name(each.get("id")): as_text(each.get("iso_code")) for each in as_records(body.get("currencies"))}
    return known.get(_name(body.get("id_currency")))


def _time(value: Any, zone: ZoneInfo) -> str | None:
    """Return a moment of the shop's own time in UTC; None for never and for what is none."""
    text = as_text(value)
    if text is None or text.startswith(NEVER):
        return None
    try:
        local = datetime.fromisoformat(text)
        moment = local.replace(tzinfo=zone) if local.tzinfo is None else local
        return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    except (ValueError, OverflowError):
        return None


def _number(value: Any) -> int | None:
    """Return a whole number that may be written as text."""
    found = as_number(value)
    return int(found) if found is not None and found == found.to_integral_value() else None


def _whole(value: Any) -> Any:
    return value if isinstance(value, int) else as_text(value)


def _name(value: Any) -> str | None:
    """Return an id as text, None if there is none."""
    return None if isinstance(value, bool) else str(value) if isinstance(value, int) else as_text(value)


def _money(value: Any, name: str, *, signed: bool = False) -> Decimal:
    return as_money(value, name, signed=signed) or ZERO
