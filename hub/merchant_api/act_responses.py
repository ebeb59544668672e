"""The answers of acts on links and reviews: the records of these, which say in v1 what was ignored as well."""

from __future__ import annotations

from attrs import field, frozen

from hub.records import links, orders
from hub.records.record import ABSENT, attributes_of
from hub.validation.inputs import leading


@frozen(kw_only=True, slots=False, field_transformer=leading(*attributes_of(links.LinkCreated)))
class LinkCreated(links.LinkCreated):
    """A tracking link that was just created."""

    warnings: list[str] | None = field(default=None, metadata=ABSENT)


@frozen(kw_only=True, slots=False, field_transformer=leading(*attributes_of(links.LinkRecord)))
class LinkRecord(links.LinkRecord):
    """A tracking link of an affiliate."""

    warnings: list[str] | None = field(default=None, metadata=ABSENT)


@frozen(kw_only=True, slots=False, field_transformer=leading(*attributes_of(orders.ReviewedConversion)))
class ReviewedConversion(orders.ReviewedConversion):
    """An order as it is now, with its commission and everything that was reported of it."""

    warnings: list[str] | None = field(default=None, metadata=ABSENT)
