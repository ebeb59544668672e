"""Every text of a campaign on every surface: whoever adds one is told where it is missing, and what to do."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from hub.app import Hub
from hub.operations.affiliates.affiliates import create_affiliate
from hub.operations.campaigns.campaigns import set_campaign_listing
from hub.operations.users.users import NewUser, create_user
from hub.testing.clock import FakeClock
from hub.validation.input_reader import texts_of
from hub.validation.inputs import CampaignInput
from tests.pages.visitor import browser, enter, user_of
from tests.records.terminal import terminal
from tests.served_hub import Api, new_key, new_merchant
from tests.token_api.callers import ADMIN, AFFILIATE, program, token

WRITTEN = {each.wire: f"what {each.name} says" for each in texts_of(CampaignInput)}
GUIDE = Path(__file__).parents[2] / "docs" / "api.md"
MEND = {
    "merchant API": "add it to CampaignFields in hub/validation/inputs.py",
    "operators' API": "read_row of CampaignDetails must have it (hub/records/campaigns.py)",
    "affiliates' API": "put it among what OFFER_DOCUMENT shows (hub/acts/own_documents.py)",
    "merchant's page": "show it in hub/pages/templates/merchant/campaign.html",
    "merchant's form": "show it in hub/pages/templates/merchant/campaign_form.html",
    "operator's page": "show it among the facts of hub/pages/operator/campaigns.py",
    "affiliates' page": "show it in hub/pages/templates/campaign.html",
}
"""What to do for a text that a surface does not show."""


@pytest.fixture
async def seen(hub: Hub, clock: FakeClock) -> dict[str, str]:
    """What each surface answers of one campaign whose every text is known, as text."""
    store, merchant_id = hub.parts.store, await new_merchant(hub, clock, approve=True)
    key = await new_key(hub, clock, merchant_id, "live")
    answers: dict[str, str] = {}
    async with aiohttp.ClientSession(hub.url) as session:
        api = Api(session, key, clock)
        made = (await api("POST", "/v1/campaigns", WRITTEN)).json["id"]
        assert (await api("POST", f"/v1/campaigns/{made}/activate")).status == 200
        answers["merchant API"] = (await api("GET", f"/v1/campaigns/{made}")).raw.decode()
    await set_campaign_listing(store, clock, made, listed=True)
    affiliate = (await create_affiliate(store, clock, name="Bea", email="b@blog.example")).id
    async with program(hub) as anybody:
        admin = anybody.using(await token(hub, clock, "admin:read"))
        answers["operators' API"] = (await admin("GET", f"{ADMIN}/campaigns/{made}")).raw.decode()
        own = anybody.using(await token(hub, clock, "affiliate:read", affiliate=affiliate))
        answers["affiliates' API"] = (await own("GET", f"{AFFILIATE}/campaigns/public")).raw.decode()
    await create_user(store, clock, NewUser("ann@shop.example", "merchant", merchant_id))
    await user_of(hub, clock)
    async with browser(hub) as ann:
        await enter(ann, hub, clock, "ann@shop.example")
        answers["merchant's page"] = (await ann.get(f"/merchant/campaigns/{made}?mode=live")).text
        answers["merchant's form"] = (await ann.get(f"/merchant/campaigns/{made}/edit?mode=live")).text
    async with browser(hub) as olu:
        await enter(olu, hub, clock)
        answers["operator's page"] = (await olu.get(f"/operator/campaigns/{made}")).text
        answers["affiliates' page"] = (await olu.get(f"/campaigns/{made}")).text
    return answers


async def test_every_surface_shows_every_text(seen: dict[str, str]) -> None:
    missing = [
        f"`{wire}` of a campaign is not in the {surface}: {MEND[surface]}."
        for surface, answer in seen.items()
        for wire, words in WRITTEN.items()
        if words not in answer
    ]
    assert missing == [], "\n".join(missing)
    assert seen.keys() == MEND.keys()


def test_every_text_can_be_typed_and_read_at_the_terminal(sqlite_url: str) -> None:
    run = terminal(sqlite_url)
    merchant = ("--name", "Fern", "--email", "ann@shop.example", "--domain", "shop.example")
    run("merchant", "create", *merchant, "--anyway")
    (listed,) = _json(run("merchant", "list", "--json"))
    options = {"termsAndConditions": "terms"}
    typed = [part for each in texts_of(CampaignInput) for part in _typed(options, each.wire, each.name)]
    made = _json(run("campaign", "create", "--merchant", listed["id"], "--mode", "test", *typed, "--json"))
    shown = run("campaign", "show", made["id"])
    missing = [
        f"`{wire}` of a campaign is not printed by `hub campaign show`: see show_details in hub/cli/campaign_acts.py."
        for wire, words in WRITTEN.items()
        if words not in shown or made[wire] != words
    ]
    assert missing == [], "\n".join(missing)


def test_every_text_is_in_the_guide() -> None:
    campaigns = GUIDE.read_text("utf-8").partition("\n## Campaigns\n")[2].partition("\n## ")[0]
    missing = [
        f"`{wire}` is missing in docs/api.md: add it to the table of Campaigns."
        for wire in WRITTEN
        if f"`{wire}`" not in campaigns
    ]
    assert missing == [], "\n".join(missing)


def _typed(options: dict[str, str], wire: str, name: str) -> tuple[str, str]:
    return f"--{options.get(wire, name.replace('_', '-'))}", WRITTEN[wire]


def _json(text: str) -> Any:
    return json.loads(text)
