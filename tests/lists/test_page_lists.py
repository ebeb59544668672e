"""Every list of the pages, read from the first page to the last, shows what is stored."""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import unescape

import pytest
from yarl import URL

from hub.app import Hub
from hub.mail.outbox import Outbox
from hub.operations.users.login_links import issue_login_link
from hub.pages.routes import all_pages
from tests.lists.filled import Filled
from tests.lists.walks import IDS, PAGES, WHOLE_PAGES
from tests.lists.whole import unexpected
from tests.pages.visitor import Visitor, browser
from tests.sampled import Part, in_parts

PEOPLE = {
    "operator": "ann@hub.example",
    "merchant": "owner@shop.example",
    "affiliate": "bea@blog.example",
}
WORD = re.compile(r"[\w.:-]+")
"""What an id is, so that most of them are found without a search of all pages."""
LONG = 25
"""With more rows a table is a list."""


@in_parts(5)
@pytest.mark.parametrize("role", PEOPLE)
async def test_every_list_shows_what_is_stored(filled: Filled, filled_hub: Hub, role: str, part: Part) -> None:
    async with browser(filled_hub) as visitor:
        await enter(visitor, filled_hub, filled, role)
        faults = {}
        for walk in part.of(each for each in PAGES if each.address.startswith(f"/{role}")):
            texts = await texts_of(visitor, walk.address.format(**filled.ids))
            stored = filled.stored(IDS.get(walk.entries, walk.entries))
            shown = "\n".join(texts)
            words = frozenset(re.findall(WORD, shown))
            lacking = [each for each in stored if each not in words and each not in shown]
            faults[walk.address] = f"lacks {len(lacking)} of {len(stored)}: {lacking[-1]}" if lacking else ""
        assert unexpected(faults) == ""


@pytest.mark.parametrize("role", PEOPLE)
async def test_every_long_table_is_walked(filled: Filled, filled_hub: Hub, role: str) -> None:
    """A page with a table of many rows stands in the table of walks, or with its reason in `WHOLE_PAGES`."""
    walked = {each.address.partition("?")[0] for each in PAGES} | set(WHOLE_PAGES)
    async with browser(filled_hub) as visitor:
        await enter(visitor, filled_hub, filled, role)
        long = []
        for page in all_pages():
            if page.method == "GET" and page.path.startswith(f"/{role}") and page.path not in walked:
                try:
                    address = page.path.format(**filled.ids)
                except KeyError:
                    continue
                seen = await visitor.get(f"{address}?mode=test")
                if seen.text.count("<tr") > LONG or seen.text.count('rel="next"'):
                    long.append(page.path)
        assert "\n".join(long) == ""


async def enter(visitor: Visitor, hub: Hub, filled: Filled, role: str) -> None:
    """Sign a person of the filled hub in by a link."""
    issued = await issue_login_link(
        hub.parts.store, filled.clock, Outbox(hub.parts.sealer, is_on=False), hub.url, PEOPLE[role]
    )
    assert (await visitor.send(URL(issued["url"]).path)).status == 303


async def texts_of(visitor: Visitor, address: str) -> Sequence[str]:
    """The pages of a list, one after the other by the link to the older ones."""
    texts: dict[str, str] = {}
    following: str | None = address
    while following is not None:
        assert following not in texts, f"{address} leads in a circle: {following}"
        seen = await visitor.get(following)
        assert seen.status == 200, (following, seen.status)
        texts[following] = unescape(seen.text)
        found = re.search(r'<a href="([^"]+)" rel="next"', seen.text)
        following = None if found is None else str(URL(following).join(URL(unescape(found[1]), encoded=True)))
    return list(texts.values())
