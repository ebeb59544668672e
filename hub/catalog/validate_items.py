"""Validation of import and upsert: each product is validated alone, and a bad one fails alone."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, islice
from typing import Any

from attrs import frozen

from hub.validation.cross_field_rules import CrossFieldRule, check_product, check_product_change
from hub.validation.input_reader import reader_of
from hub.validation.inputs import MerchantTerms, ProductInput, ProductsPayload
from hub.validation.json_body import check_content, read_object
from hub.validation.validate import MOST_UNKNOWN, Invalid, read_input, shown_names

_LONGEST_ECHO = 255


@frozen
class RejectedProduct:
    """An item that is left out, and why; `external_product_id` is as sent, None if it was no string."""

    external_product_id: str | None
    faults: tuple[str, ...]


MOST_VALUES = 200_000
"""The most values of an import or upsert: forty for each of 5,000 products."""

ValidatedItem = ProductInput | RejectedProduct


@frozen(eq=False)
class ItemValidation:
    """An import or upsert whose items are validated some at a time, so that thousands hold nothing up.

    Of an id given twice the last good item wins and the earlier ones have that fault. In an upsert (`keeps_omitted`) an
    item without a currency may belong to a stored product with one of its own: check its prices against that with
    `price_faults` (API specification, Product endpoints).
    """

    body: dict[str, Any]
    items: Any
    merchant: MerchantTerms
    rule: CrossFieldRule

    @classmethod
    def open(cls, raw: bytes | dict[str, Any], merchant: MerchantTerms, *, keeps_omitted: bool) -> ItemValidation:
        """Read the payload around the items; raise `Invalid` if that is wrong."""
        if isinstance(raw, dict):
            check_content(raw)
        body = raw if isinstance(raw, dict) else read_object(raw, MOST_VALUES)
        items: Any = read_input(ProductsPayload, body, merchant, None).value.products
        return cls(body, items, merchant, check_product_change if keeps_omitted else check_product)

    def validate(self, start: int, stop: int) -> list[ValidatedItem]:
        """Return the items from `start` to before `stop`, each as it is read or rejected."""
        return [
            _validate(item, place, self.merchant, self.rule) for place, item in enumerate(self.items[start:stop], start)
        ]

    def repeats(self) -> bool:
        """Return whether an id is given twice: then no item is certain before `conclude` has seen them all."""
        ids = [item.get("externalProductId") for item in self.items if type(item) is dict]
        texts = [each for each in ids if type(each) is str]
        return len(set(texts)) < len(texts)

    def unknown_fields(self) -> tuple[str, ...]:
        """Return the names of the fields that are ignored, at most 50 of them."""
        return tuple(islice(_unknown(self.body), MOST_UNKNOWN))

    def conclude(self, items: list[ValidatedItem]) -> list[ValidatedItem]:
        """Apply what holds between the items, once each is validated: of an id given twice the last good item wins."""
        return _last_wins(items)


def _validate(item: Any, place: int, merchant: MerchantTerms, rule: CrossFieldRule) -> ValidatedItem:
    if type(item) is not dict:
        return RejectedProduct(None, (f"`products[{place}]` must be a JSON object",))
    try:
        return read_input(ProductInput, item, merchant, rule, f"products[{place}].").value
    except Invalid as invalid:
        sent = item.get("externalProductId")
        return RejectedProduct(sent[:_LONGEST_ECHO] if type(sent) is str else None, tuple(invalid.faults))


def _last_wins(items: list[ValidatedItem]) -> list[ValidatedItem]:
    last = {item.external_product_id: place for place, item in enumerate(items) if isinstance(item, ProductInput)}
    if len(last) == len(items):
        return items
    for place, item in enumerate(items):
        if isinstance(item, ProductInput) and last[item.external_product_id] != place:
            winner = last[item.external_product_id]
            fault = f"`products[{place}].externalProductId` is given again in products[{winner}], which takes its place"
            items[place] = RejectedProduct(item.external_product_id, (fault,))
    return items


def _unknown(body: dict[str, Any]) -> Iterator[str]:
    yield from _unknown_names(ProductsPayload, body)
    items = [(place, item) for place, item in enumerate(body["products"]) if type(item) is dict]
    if not reader_of(ProductInput).by_wire.keys() >= set(chain.from_iterable(item for _, item in items)):
        for place, item in items:
            yield from _unknown_names(ProductInput, item, f"products[{place}].")


def _unknown_names(cls: type, body: dict[str, Any], prefix: str = "") -> tuple[str, ...]:
    known = reader_of(cls).by_wire
    return shown_names((name for name in body if name not in known), prefix)
