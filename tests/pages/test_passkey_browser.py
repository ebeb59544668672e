"""A passkey in a real browser: made at the account and used at the sign-in, with Chromium's own authenticator."""

from __future__ import annotations

import pytest
from playwright.async_api import Page, expect

from hub.app import Hub
from hub.testing.chromium import chromium, needs_chromium
from hub.testing.clock import FakeClock
from hub.testing.postgres import free_port
from tests.pages.visitor import link_of, user_of
from tests.served_hub import served

pytestmark = [pytest.mark.prove, needs_chromium("signing in with a passkey")]
AUTHENTICATOR = {
    "protocol": "ctap2",
    "transport": "internal",
    "hasResidentKey": True,
    "hasUserVerification": True,
    "isUserVerified": True,
    "automaticPresenceSimulation": True,
}
NO_AUTOFILL = "PublicKeyCredential.isConditionalMediationAvailable = async () => false"
"""Chromium's own authenticator answers an offer at once, before anybody presses the button."""
NOTED = """
const get = navigator.credentials.get.bind(navigator.credentials);
navigator.credentials.get = (wanted) => {
  sessionStorage.setItem("mediation", wanted.mediation);
  return get(wanted);
};
"""


async def add_passkey(page: Page, hub: Hub, clock: FakeClock, root: str) -> str:
    """Sign in by a link and add a passkey; return the id of the authenticator."""
    client = await page.context.new_cdp_session(page)
    await client.send("WebAuthn.enable")
    made = await client.send("WebAuthn.addVirtualAuthenticator", {"options": AUTHENTICATOR})
    await page.goto(root + await link_of(hub, clock))
    await page.get_by_role("button", name="Sign in").click()
    await page.goto(f"{root}/account/security")
    await page.get_by_role("button", name="Add a passkey").click()
    await expect(page.get_by_role("status")).to_contain_text("The passkey is added")
    return str(made["authenticatorId"])


async def test_a_passkey_is_added_and_lets_its_owner_in(database_url: str, clock: FakeClock) -> None:
    """By the field's autofill, and by the button; the control: another authenticator, which has none, by neither."""
    port = free_port()
    root = f"http://localhost:{port}"
    where = {"HUB_SERVER_PORT": str(port), "HUB_SERVER_PUBLIC_URL": root}
    async with served(database_url, clock, **where) as hub, chromium() as browser:
        await user_of(hub, clock)
        page = await browser.new_page()
        await page.add_init_script(NOTED)
        first = await add_passkey(page, hub, clock, root)
        await page.get_by_role("button", name="Sign out").click()
        await expect(page).to_have_url(f"{root}/operator")
        assert await page.evaluate("sessionStorage.getItem('mediation')") == "conditional"
        await page.add_init_script(NO_AUTOFILL)
        await page.get_by_role("button", name="Sign out").click()
        await page.goto(f"{root}/login?then=/account")
        await page.get_by_role("button", name="Sign in with a passkey").click()
        await expect(page).to_have_url(f"{root}/account")
        await page.get_by_role("button", name="Sign out").click()
        client = await page.context.new_cdp_session(page)
        await client.send("WebAuthn.enable")
        await client.send("WebAuthn.removeVirtualAuthenticator", {"authenticatorId": first})
        await client.send("WebAuthn.addVirtualAuthenticator", {"options": AUTHENTICATOR})
        await page.goto(f"{root}/login")
        await page.get_by_role("button", name="Sign in with a passkey").click()
        await expect(page.get_by_role("button", name="Sign in with a passkey")).to_be_focused()
        await page.goto(f"{root}/account")
        await expect(page).to_have_url(f"{root}/login?then=/account")
