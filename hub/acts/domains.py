"""A merchant's domains."""

from __future__ import annotations

from typing import Any, Final

from hub.acts.act import Act, ListOfEntries, delete, get, post
from hub.acts.authority import ADMINS, OWNERS
from hub.acts.call import Call
from hub.acts.fields import needed, text
from hub.operations.merchants.domains import DomainDocument, add_domain, list_domains, remove_domain


async def _domains(c: Call) -> Any:
    return {"data": await list_domains(c.store, c.path["merchant"]), "nextCursor": None}


async def _remove_domain(c: Call) -> Any:
    left = await remove_domain(c.store, c.clock, c.path["merchant"], c.path["domain"])
    return {"data": left, "nextCursor": None}


ACTS: Final[tuple[Act, ...]] = (
    Act(get("/merchants/{merchant}/domains", "listDomains"), "List a merchant's domains", _domains,
        ListOfEntries(DomainDocument)),
    Act(post("/merchants/{merchant}/domains", "addDomain", 201), "Add a domain to a merchant",
        lambda c: add_domain(c.store, c.clock, c.path["merchant"], c.body["domain"]), DomainDocument,
        body={"domain": needed(text("The domain.", "shop.example"))}, trail=("domain.added",),
        by=(ADMINS, OWNERS), commands=("domain add",), pages=("/merchant/domains",)),
    Act(delete("/merchants/{merchant}/domains/{domain}", "removeDomain"), "Remove a domain from a merchant",
        _remove_domain, ListOfEntries(DomainDocument), trail=("domain.removed",),
        by=(ADMINS, OWNERS), commands=("domain remove",), pages=("/merchant/domains/{domain}/remove",)),
)  # fmt: skip
