"""How far a merchant has come on its way to the first live commission, read from what really happened."""

from __future__ import annotations

from typing import Final, TypedDict

from attrs import fields

from hub.clock import Clock
from hub.domain.set_up import Facts, Standing, Step, is_live, live_steps, test_steps
from hub.domain.words import SHOP_PLATFORMS, ShopPlatform
from hub.operations.errors import OperatorFault
from hub.operations.merchants.merchant_profiles import ProfileDocument, ask_for_live_access, show_profile
from hub.operations.merchants.merchants import require_merchant
from hub.operations.trail import note_act
from hub.storage import Store, Tx

MOST_SEARCHED: Final = 10_000
"""How many orders are searched one by one for what happened to them; of the others the figures say it."""


class StepDocument(TypedDict):
    """A step; `missing` says what it waits for, null once it is done. `name` is stable, for links and tests.

    `waits` says that somebody else has to do it.
    """

    name: str
    title: str
    done: bool
    missing: str | None
    waits: bool


class OnboardingDocument(TypedDict):
    """The steps to live access, those after it (none before a merchant is live), and the first that is still open.

    `platform` is what the shop runs on, null as long as nobody has said it; `next` is null if all are done.
    """

    merchantId: str
    platform: ShopPlatform | None
    steps: list[StepDocument]
    liveSteps: list[StepDocument]
    next: str | None


async def show_onboarding(store: Store, merchant: str) -> OnboardingDocument:
    """Return the steps of a merchant; raise `OperatorFault` if it is unknown."""
    profile = await show_profile(store, merchant)
    merchant_id = profile["merchantId"]
    async with store.read() as tx:
        found = await require_merchant(tx, merchant_id)
        row = await tx.one("merchant_standing", merchant_id=merchant_id)
        platform = None if row is None else row["platform"]
        who = _standing(profile, platform, tuple(found.domains))
        live = await _facts(tx, found.accounts.live)
        of_test = [_document(step) for step in test_steps(who, await _facts(tx, found.accounts.test), live)]
    of_live = [_document(step) for step in live_steps(who, live)] if is_live(who, live) else []
    open_steps = [step["name"] for step in of_live or of_test if not step["done"]]
    return {"merchantId": merchant_id, "platform": platform, "steps": of_test, "liveSteps": of_live,
            "next": open_steps[0] if open_steps else None}  # fmt: skip


async def is_set_up(store: Store, live_account_id: str) -> bool:
    """Return whether a merchant has had its first live commission, with which its set-up ends."""
    row = await store.fetch_one("is_set_up", account_id=live_account_id)
    return row is not None and bool(row["is_set_up"])


async def set_platform(store: Store, clock: Clock, merchant_id: str, platform: str) -> None:
    """Store what a merchant's shop runs on; raise `OperatorFault` for anything else than `SHOP_PLATFORMS`."""
    if platform not in SHOP_PLATFORMS:
        raise OperatorFault("Choose what your shop runs on.")
    async with store.write() as tx:
        row = await tx.one("merchant_standing", merchant_id=merchant_id)
        before = None if row is None else row["platform"]
        await tx.run("set_merchant_platform", merchant_id=merchant_id, platform=platform)
        await note_act(tx, clock(), "merchant.platform-set", merchant_id, before={"platform": before},
                       after={"platform": platform})  # fmt: skip


async def ask_when_ready(store: Store, clock: Clock, merchant_id: str, why: str) -> ProfileDocument:
    """Ask for live access after the steps, or with a sentence that says why before.

    Raise `OperatorFault` as `ask_for_live_access` does, and while steps are open without a sentence.
    """
    shown = await show_onboarding(store, merchant_id)
    left = [step["title"] for step in shown["steps"] if not step["done"] and step["name"] != "live"]
    if not left or why:
        return await ask_for_live_access(store, clock, merchant_id, note=why or None)
    async with store.read() as tx:
        if (await require_merchant(tx, merchant_id)).status != "APPROVED":
            return await ask_for_live_access(store, clock, merchant_id)  # which says what comes first
    raise OperatorFault(f"Not done yet: {', '.join(left)}. Say in a sentence why you ask now.")


async def _facts(tx: Tx, account_id: str) -> Facts:
    row = await tx.one("onboarding_of_account", account_id=account_id, limit=MOST_SEARCHED)
    if row is None:
        raise LookupError("a query that always has a row")
    return Facts(**{each.name: bool(row[each.name]) for each in fields(Facts)})


def _standing(profile: ProfileDocument, platform: ShopPlatform | None, domains: tuple[str, ...]) -> Standing:
    missing = tuple(words_of(name) for name in profile["missing"])
    return Standing(profile["status"], platform, domains, missing, profile["liveAccess"], profile["liveReason"])


def _document(step: Step) -> StepDocument:
    return {"name": step.name, "title": step.title, "done": step.is_done, "waits": step.waits,
            "missing": None if step.is_done else step.missing}  # fmt: skip


def words_of(name: str) -> str:
    """Return the words of a profile's field, as in "legal name"."""
    return "".join(f" {letter.lower()}" if letter.isupper() else letter for letter in name)


def platform_of(typed: str) -> ShopPlatform | None:
    """Return what was chosen as the platform of a shop, None for nothing that is one."""
    return next((each for each in SHOP_PLATFORMS if each == typed), None)
