"""A tracking link, as the operator, its merchant and its affiliate see it."""

from __future__ import annotations

import json
from typing import Annotated, Any, Final, TypeVar

from attrs import frozen

from hub.domain.changes import moment_of
from hub.domain.words import Mode
from hub.records.explanations import AFFILIATE, CAMPAIGN
from hub.records.orders import MERCHANT, NOON
from hub.records.record import Note
from hub.records.rows import read_row
from hub.storage import Row
from hub.validation.constraints import Instant
from hub.validation.inputs import LinkTexts, leading

CODE: Final = "x7Qp2mKd91Za"
T = TypeVar("T")


@frozen(kw_only=True, slots=False)
class LinkFields(LinkTexts):
    """What is said of a link everywhere."""

    code: Annotated[str, Note("What follows /t/ in the address.", CODE)]
    destination: Annotated[str, Note("Where it leads.", "https://shop.example/p/1")]
    affiliate_id: Annotated[str, Note("Whose link it is.", AFFILIATE)]
    campaign_id: Annotated[str | None, Note("The campaign that its orders count to.", CAMPAIGN)]
    merchant_id: Annotated[str, Note("The merchant.", MERCHANT)]
    mode: Annotated[Mode, Note("The mode of the account.", "test")]
    sub_ids: Annotated[dict[str, str], Note("The affiliate's notes, sub1 to sub5.", {"sub1": "blog"})]


URL: Final = Note("The address that the affiliate shares.", f"https://hub.example/t/{CODE}")


@frozen(
    kw_only=True,
    slots=False,
    field_transformer=leading(
        "code", "url", "destination", "affiliate_id", "campaign_id", "product_id", "merchant_id", "mode"
    ),
)
class LinkCreated(LinkFields):
    """A tracking link that was just created."""

    url: Annotated[str, URL]
    product_id: Annotated[str | None, Note("The product that it leads to; null without one.")]


@frozen(
    kw_only=True,
    slots=False,
    field_transformer=leading(
        "code", "url", "destination", "affiliate_id", "campaign_id", "merchant_id", "merchant_name", "affiliate_name",
        "mode", "created_at", "updated_at", "disabled_at",
    ),
)  # fmt: skip
class LinkRecord(LinkFields):
    """A tracking link of an affiliate."""

    url: Annotated[str, URL]
    merchant_name: Annotated[str, Note("The merchant's name.", "Shop")]
    affiliate_name: Annotated[str | None, Note("The affiliate's name.", "Anna's blog")]
    created_at: Annotated[int, Instant("When it was created.", NOON)]
    updated_at: Annotated[int, Instant("When it last changed, as the change feed numbered it.", NOON)]
    disabled_at: Annotated[int | None, Instant("Since when it records no clicks; null while it does.", "")]


@frozen(kw_only=True, slots=False)
class AccountLink(LinkRecord):
    """A link in its merchant's list; `disabled_by` is the affiliate's id if it switched the link off itself."""

    campaign_title: str | None
    disabled_by: str | None


@frozen(kw_only=True, slots=False)
class OwnLink(LinkFields):
    """A link in its affiliate's list; `stopped` says in words why it earns nothing, None if it earns."""

    merchant_name: Annotated[str, Note("The merchant's name.", "Shop")]
    campaign_title: Annotated[str | None, Note("The campaign's title.", "Spring sale")]
    created_at: Annotated[int, Instant("When it was created.", NOON)]
    disabled_at: Annotated[int | None, Instant("Since when it records no clicks; null while it does.", "")]
    disabled_by: str | None
    stopped: Annotated[str | None, Note("Why it earns nothing, in words; null if it earns.")]


def link_record(row: Row, public_url: str) -> LinkRecord:
    """Return the link of a row of `links`, `links_told` or `link_by_code`, which answers below `public_url`."""
    return read_link(LinkRecord, row, public_url)


def read_link(cls: type[T], row: Row, public_url: str) -> T:
    """Return a row of `links` as one of the records of a link.

    It last changed when the change feed numbered it; one without a number was only made.
    """
    number = row["change_number"]
    return read_row(
        cls, row,
        url=address_of(row["code"], public_url), sub_ids=sub_ids_of(row),
        updated_at=row["created_at"] if number is None else moment_of(number),
    )  # fmt: skip


def address_of(code: str, public_url: str) -> str:
    """Return where a link answers."""
    return f"{public_url.rstrip('/')}/t/{code}"


def sub_ids_of(row: Row) -> dict[str, Any]:
    """Return the sub-ids that a link was made with."""
    return {} if row["subs"] is None else dict(json.loads(row["subs"]))
