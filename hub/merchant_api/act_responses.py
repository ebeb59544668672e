"""Records as v1 answers them: some say in it what was ignored as well."""

from __future__ import annotations

from attrs import field, frozen

from hub.records import commissions, links, orders, uploads
from hub.records.record import ABSENT, Warnings, attributes_of
from hub.validation.inputs import leading


@frozen(kw_only=True, slots=False, field_transformer=leading(*attributes_of(links.LinkCreated)))
class LinkCreated(links.LinkCreated):
    """A tracking link that was just created."""

    warnings: Warnings = field(default=None, metadata=ABSENT)


@frozen(kw_only=True, slots=False, field_transformer=leading(*attributes_of(links.LinkRecord)))
class LinkRecord(links.LinkRecord):
    """A tracking link of an affiliate."""

    warnings: Warnings = field(default=None, metadata=ABSENT)


@frozen(kw_only=True, slots=False, field_transformer=leading(*attributes_of(orders.ReviewedConversion)))
class ReviewedConversion(orders.ReviewedConversion):
    """An order as it is now, with its commission and everything that was reported of it."""

    warnings: Warnings = field(default=None, metadata=ABSENT)


@frozen(kw_only=True, slots=False)
class CommissionRecord(commissions.ListedCommission):
    """A commission as it is now."""


@frozen(kw_only=True, slots=False, field_transformer=leading(*attributes_of(uploads.UploadDocument)))
class UploadRecord(uploads.UploadDocument):
    """A CSV file on its way: it is applied in the background, and its counts grow as its rows are decided."""

    warnings: Warnings = field(default=None, metadata=ABSENT)
