"""Tracking links."""

from __future__ import annotations

from typing import Any, Final

from hub.acts.act import Act, ListOfEntries, get, post
from hub.acts.authority import OPERATORS, OWNERS
from hub.acts.call import Call, answer, wanted_of
from hub.acts.fields import MODE, OF_AFFILIATE, OF_CAMPAIGN, OF_MERCHANT, PAGED, free, needed, text, texts_as_fields
from hub.operations.affiliates.link_lists import list_links
from hub.operations.affiliates.links import (
    NewLink,
    create_link,
    enable_link,
    show_link,
)
from hub.records.links import LinkCreated, LinkRecord
from hub.validation.inputs import LinkTexts


async def _links(c: Call) -> Any:
    return answer(await list_links(c.store, await c.root(), wanted_of(c, "merchant")))


async def _create_link(c: Call) -> Any:
    return await create_link(c.store, c.clock, await c.root(), NewLink(**c.body))


def _switch(verb: str, summary: str, *, enabled: bool) -> Act:
    async def run(c: Call) -> Any:
        return await enable_link(c.store, c.clock, await c.root(), c.path["link"], enabled=enabled)

    return Act(
        post(f"/links/{{link}}/{verb}", f"{verb}Link"), summary, run, LinkRecord, trail=(f"link.{verb}d",),
        by=(OPERATORS, OWNERS), commands=(f"link {verb}",),
        pages=(f"/operator/links/{{link}}/{verb}", "/merchant/links/{link}/enabled"),
    )  # fmt: skip


async def _shown_link(c: Call) -> LinkRecord:
    return await show_link(c.store, await c.root(), c.path["link"])


ACTS: Final[tuple[Act, ...]] = (
    Act(get("/links", "listLinks"), "List tracking links", _links, ListOfEntries(LinkRecord),
        query={"merchant": OF_MERCHANT, **PAGED}),
    Act(post("/links", "createLink", 201), "Create a tracking link", _create_link, LinkCreated,
        body={"merchantId": needed(OF_MERCHANT), "mode": needed(MODE),
              "affiliateId": needed(OF_AFFILIATE), "campaignId": OF_CAMPAIGN,
              "externalProductId": text("The product that it leads to.", "SKU-1"),
              "destination": text("Where it leads, on a domain of theirs.", "https://shop.example/p/1", 2_048),
              "subIds": free("sub1 to sub5.", {"sub1": "blog"}), **texts_as_fields(LinkTexts)},
        trail=("link.created",),
        by=(OPERATORS, OWNERS), commands=("link create",), pages=("/operator/links", "/merchant/links")),
    Act(get("/links/{link}", "getLink"), "Show a tracking link", _shown_link, LinkRecord),
    _switch("disable", "Disable a tracking link", enabled=False),
    _switch("enable", "Enable a tracking link", enabled=True),
)  # fmt: skip
