"""The operator's first page: who waits, the month's money, who grew and who fell, and health beneath it."""

from __future__ import annotations

from hub.domain.orders.figures import day_of
from hub.operations.audits.bridge import COMPARED_DAYS, movers
from hub.operations.merchants.merchant_profiles import ask_for_live_access
from hub.operations.money.books.deposits import move_deposit
from hub.processing.figure_rows import DayRow
from hub.storage import Store
from tests.pages.conftest import Network, owed
from tests.pages.test_statements import paid
from tests.pages.visitor import Visitor

HERE = "/operator"


async def count_revenue(store: Store, account_id: str, day: int, minor: int) -> None:
    """Note one order of a day, as the figures of the whole account have it."""
    row = DayRow(account_id, day, "*", "*", "EUR", 0, 1, 0, minor, *([0] * 13))
    async with store.write() as tx:
        await tx.run("add_daily_figures", figures=[row])


async def test_who_waits_and_what_moved_stand_above_the_health(network: Network, olu: Visitor) -> None:
    """The control: before anything happened nobody waits and no money moved."""
    store, clock, merchant_id = network.hub.parts.store, network.clock, network.merchant_id
    seen = (await olu.get(HERE)).words.replace("\xa0", " ")
    assert ("No one is waiting." in seen, "Nothing came in or went out yet." in seen) == (True, True)
    await ask_for_live_access(store, clock, merchant_id)
    await move_deposit(store, clock, merchant_id, amount="250.00", currency="EUR", reference="D-1")
    await owed(network.hub, clock, f"{merchant_id}:live", network.ada, "100.00")
    await paid(network)
    seen = (await olu.get(HERE)).words.replace("\xa0", " ")
    assert "Merchants to approve or grant live access 1" in seen
    assert "In: deposits 250.00 EUR" in seen
    assert "On its way to affiliates 12,104.00 EUR" in seen
    assert seen.index("Waiting for you") < seen.index("Money in and out") < seen.index("Integrity and disk space")


async def test_who_grew_and_who_fell_is_named(network: Network, olu: Visitor) -> None:
    """Thirty days are compared with the thirty before; today, which is not over, is in neither."""
    store, clock = network.hub.parts.store, network.clock
    async with store.read() as tx:
        account = await tx.one("test_account", merchant_id=network.merchant_id, mode="live")
    assert account is not None
    today = day_of(clock())
    await count_revenue(store, account["account_id"], today, 99_000)
    assert [*(await movers(store, clock, "merchant"))] == [[], []]
    await count_revenue(store, account["account_id"], today - 1, 5_000)
    await count_revenue(store, account["account_id"], today - COMPARED_DAYS - 1, 2_000)
    (grown,), fallen = await movers(store, clock, "merchant")
    assert (grown.before_minor, grown.now_minor, grown.change_minor, fallen) == (2_000, 5_000, 3_000, [])
    seen = (await olu.get(HERE)).words.replace("\xa0", " ")
    assert "Growing 20.00 EUR 50.00 EUR +30.00 EUR" in seen
    await count_revenue(store, account["account_id"], today - COMPARED_DAYS - 1, 9_000)
    (_, (fell,)) = await movers(store, clock, "merchant")
    assert fell.change_minor == -6_000
