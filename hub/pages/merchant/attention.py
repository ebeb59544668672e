"""*Needs attention* on the overview: each open matter with the way to its cure, or set aside with a reason."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

from aiohttp import web

from hub.operations.errors import OperatorFault
from hub.operations.orders.attention import MOST_COUNTED, OpenMatter, attention, set_aside, take_up
from hub.operations.users.actor_names import names_of_actors
from hub.pages.markup import many
from hub.pages.merchant.access import MerchantVisit, NotInAccount, merchant_page
from hub.pages.rendering import see_other
from hub.pages.route_table import RouteTable

HERE: Final = "/merchant/attention"


class Words(NamedTuple):
    """What is said of a matter: of one and of more, why it matters, and the page that cures it."""

    one: str
    more: str
    why: str
    address: str


WORDS: Final[Mapping[str, Words]] = {
    "messages-failed": Words(
        "message failed",
        "messages failed",
        "their order updates are not counted yet",
        "/merchant/messages?status=FAILED",
    ),
    "store-refuses": Words(
        "store refuses the hub",
        "stores refuse the hub",
        "orders that it does not send are not found either",
        "/merchant/connections",
    ),
    "store-silent": Words(
        "store has sent nothing for a day",
        "stores have sent nothing for a day",
        "check that its webhooks are still on",
        "/merchant/connections",
    ),
    "webhooks-failing": Words(
        "of your webhook receivers is failing",
        "of your webhook receivers are failing",
        "your server is missing updates",
        "/merchant/webhooks",
    ),
    "deposit-short": Words(
        "deposit is short",
        "deposits are short",
        "commissions wait until you pay in",
        "/merchant/statements/deposit",
    ),
    "questions": Words(
        "question is open", "questions are open", "a partner is waiting for your answer", "/merchant/questions"
    ),
    "applications": Words(
        "partner applies", "partners apply", "they cannot sell until you decide", "/merchant/affiliates"
    ),
    "reviews": Words(
        "order waits for a review", "orders wait for a review", "it is uncertain whose they are", "/merchant/reviews"
    ),
    "messages-parked": Words(
        "update waits for its order",
        "updates wait for their order",
        "your store has not reported these orders",
        "/merchant/messages?status=PARKED",
    ),
    "requests-refused": Words(
        "request was refused", "requests were refused", "within the last 24 hours", "/merchant/logs?errors=1"
    ),
}
"""The words of each matter."""
PAGES: Final = RouteTable(merchant_page)


async def shown_attention(visit: MerchantVisit) -> Mapping[str, object]:
    """Return what the overview shows: the open matters in words, and those set aside with why and by whom."""
    services = visit.services
    found = await attention(services.store, services.clock, visit.account_id)
    names = await names_of_actors(services.store, [said.aside_by for _, said in found.aside])
    return {
        "open": [(each, WORDS[each.matter], _counted(each)) for each in found.open],
        "aside": [
            (each, WORDS[each.matter], _counted(each), said, names.get(said.aside_by, said.aside_by))
            for each, said in found.aside
        ],
    }


@PAGES.post(f"{HERE}/aside")
async def put_aside(visit: MerchantVisit) -> web.StreamResponse:
    """Set a matter aside as it was shown."""
    form = visit.form
    try:
        await set_aside(
            visit.services.store, visit.services.clock, visit.account_id, form.get("matter", ""), form.get("mark", ""),
            form.get("reason", ""),
        )  # fmt: skip
    except OperatorFault as fault:
        return visit.page("fault.html", 422, title="It was not set aside", text=fault.reason)
    return see_other(f"/merchant?mode={visit.mode}&done=aside")


@PAGES.post(f"{HERE}/back")
async def bring_back(visit: MerchantVisit) -> web.StreamResponse:
    """Take a matter up again."""
    if visit.form.get("matter", "") not in WORDS:
        raise NotInAccount
    await take_up(visit.services.store, visit.services.clock, visit.account_id, visit.form["matter"])
    return see_other(f"/merchant?mode={visit.mode}&done=taken-up")


def _counted(matter: OpenMatter) -> str:
    words = WORDS[matter.matter]
    return many(matter.number, words.one, words.more, MOST_COUNTED - 1)
