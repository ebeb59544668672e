"""A mirror of an account, as an integrator keeps one by the change feed, and what the API itself prints of it."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from typing import Any

from attrs import define, field

from tests.served_hub import Reply

PAGED = {
    "conversion": "/v1/conversions",
    "commission": "/v1/commissions",
    "event": "/v1/events",
    "link": "/v1/links",
    "affiliate": "/v1/affiliates",
}
WHOLE = {
    "balance": "/v1/balances",
    "statement": "/v1/statements",
    "subscription": "/v1/subscriptions",
}
NUMBERED = {"product": "/v1/products", "campaign": "/v1/campaigns"}
ID_OF = {
    "event": "eventId", "link": "code", "balance": "currency", "statement": "month",
}  # fmt: skip
Ask = Callable[[str, str], Awaitable[Reply]]
"""What sends a request, by a key or a token: its method and its path below /api."""
Copy = dict[tuple[str, str], str]
"""The JSON of records by type and id."""


@define
class Mirror:
    """What a reader of the feed knows; it keeps nothing but records and the last cursor."""

    copy: Copy = field(factory=dict)
    cursor: str | None = None
    told: list[tuple[str, str, bool]] = field(factory=list)

    def take(self, page: Any) -> None:
        """Apply a part of the feed."""
        for each in page["data"]:
            key = each["type"], each["id"]
            self.told.append((*key, each["deleted"]))
            if each["deleted"]:
                self.copy.pop(key, None)
            else:
                self.copy[key] = json.dumps(each["record"])
        self.cursor = page["cursor"]

    async def follow(self, api: Ask, *, limit: int = 200, query: str = "") -> int:
        """Read the feed to its end; return how many records were told."""
        before, more = len(self.told), True
        while more:
            after = "" if self.cursor is None else f"&after={self.cursor}"
            reply = await api("GET", f"/v1/changes?limit={limit}{after}{query}")
            assert reply.status == 200, reply.raw
            self.take(reply.json)
            more = reply.json["more"]
        return len(self.told) - before


async def printed(api: Ask) -> Copy:
    """Return everything that the lists of an account print."""
    copy: Copy = {}
    for kind, path in {**PAGED, **WHOLE}.items():
        cursor: str | None = ""
        while cursor is not None:
            paging = "" if kind in WHOLE else "?limit=200" + (f"&cursor={cursor}" if cursor else "")
            reply = await api("GET", path + paging)
            assert reply.status == 200, reply.raw
            page = reply.json
            for record in page["data"]:
                copy[kind, record[ID_OF.get(kind, "id")]] = json.dumps(record)
            cursor = page["nextCursor"]
    for kind, path in NUMBERED.items():
        number, page = 0, {"data": [None]}
        while page["data"]:
            number += 1
            page = (await api("GET", f"{path}?page={number}&pageSize=100")).json
            for record in page["data"]:
                copy[kind, record["id"]] = json.dumps(record)
    return copy


def differences(mirror: Mirror, hub: Copy) -> list[str]:
    """Return what the mirror has otherwise than the hub: nothing, if the feed is right."""
    kept = {key: text for key, text in mirror.copy.items() if key[0] != "membership"}
    return [
        f"{key}: the mirror has {kept.get(key)}, the hub {hub.get(key)}"
        for key in sorted(kept.keys() | hub.keys())
        if kept.get(key) != hub.get(key)
    ]
