"""Validation of import and upsert, where each product is judged alone and a bad one fails alone."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, islice
from typing import Any

from attrs import frozen

from hub.intake.body import check_content, read_object
from hub.intake.checks import Check, check_product, check_product_change
from hub.intake.constraints import Fault
from hub.intake.inputs import MerchantTerms, ProductInput, ProductsPayload
from hub.intake.plan import plan_of
from hub.intake.validation import MOST_UNKNOWN, Valid, faults_of, read_input, unknown_names

_LONGEST_ECHO = 255
_PRODUCT = plan_of(ProductInput)


@frozen
class RejectedProduct:
    """An item that is left out, and why; `external_product_id` is as sent, None where it was no string."""

    external_product_id: str | None
    faults: tuple[str, ...]


Verdict = ProductInput | RejectedProduct


@frozen(eq=False)
class ProductsOnTrial:
    """An import or upsert whose items are judged some at a time, so that thousands do not hold up everything else."""

    body: dict[str, Any]
    items: Any
    merchant: MerchantTerms
    check: Check

    @classmethod
    def open(cls, raw: bytes | dict[str, Any], merchant: MerchantTerms, *, keeps_omitted: bool) -> ProductsOnTrial:
        """Reads the payload around the items; raises `Invalid` where that is wrong."""
        if isinstance(raw, dict):
            check_content(raw)
        body = raw if isinstance(raw, dict) else read_object(raw)
        items: Any = read_input(ProductsPayload, body, merchant, None).products
        return cls(body, items, merchant, check_product_change if keeps_omitted else check_product)

    def judge(self, start: int, stop: int) -> list[Verdict]:
        """The verdicts on the items from `start` to before `stop`."""
        return [
            _judge(item, place, self.merchant, self.check) for place, item in enumerate(self.items[start:stop], start)
        ]

    def repeats(self) -> bool:
        """Whether an id is given twice: then no verdict stands before `conclude` has seen them all."""
        ids = [item.get("externalProductId") for item in self.items if type(item) is dict]
        texts = [each for each in ids if type(each) is str]
        return len(set(texts)) < len(texts)

    def unknown_fields(self) -> tuple[str, ...]:
        """The names of the fields that are ignored, at most 50 of them."""
        return tuple(islice(_unknown(self.body), MOST_UNKNOWN))

    def conclude(self, verdicts: list[Verdict]) -> list[Verdict]:
        """What holds between the items, once each has its verdict: of an id given twice the last good item wins."""
        return _last_wins(verdicts)


def validate_products(
    raw: bytes | dict[str, Any], merchant: MerchantTerms, *, keeps_omitted: bool
) -> Valid[list[Verdict]]:
    """Judges the items of an import (`keeps_omitted` False) or an upsert (True), in their order.

    Of an id given twice the last good item wins and the earlier ones have that fault. In an upsert an item without a
    currency may belong to a stored product with one of its own: hold its prices against that with `price_faults`.
    Raises `Invalid` where the payload itself is wrong (API specification, Product endpoints).
    """
    trial = ProductsOnTrial.open(raw, merchant, keeps_omitted=keeps_omitted)
    return Valid(trial.conclude(trial.judge(0, len(trial.items))), trial.unknown_fields())


def _judge(item: Any, place: int, merchant: MerchantTerms, check: Check) -> Verdict:
    if type(item) is not dict:
        return RejectedProduct(None, (f"`products[{place}]` must be a JSON object",))
    try:
        product: ProductInput = _PRODUCT.read(item)
    except (Fault, KeyError):
        pass
    else:
        if not check(product, merchant):
            return product
    said = item.get("externalProductId")
    faults = faults_of(ProductInput, item, merchant, check, f"products[{place}].")
    return RejectedProduct(said[:_LONGEST_ECHO] if type(said) is str else None, tuple(faults))


def _last_wins(verdicts: list[Verdict]) -> list[Verdict]:
    last = {v.external_product_id: place for place, v in enumerate(verdicts) if isinstance(v, ProductInput)}
    if len(last) == len(verdicts):
        return verdicts
    for place, verdict in enumerate(verdicts):
        if isinstance(verdict, ProductInput) and last[verdict.external_product_id] != place:
            winner = last[verdict.external_product_id]
            fault = f"`products[{place}].externalProductId` is given again in products[{winner}], which takes its place"
            verdicts[place] = RejectedProduct(verdict.external_product_id, (fault,))
    return verdicts


def _unknown(body: dict[str, Any]) -> Iterator[str]:
    yield from unknown_names(ProductsPayload, body)
    items = body["products"]
    if not _PRODUCT.wires.issuperset(chain.from_iterable([item for item in items if type(item) is dict])):
        for place, item in enumerate(items):
            if type(item) is dict:
                yield from unknown_names(ProductInput, item, f"products[{place}].")
