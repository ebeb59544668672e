"""Merchants, keys, affiliates, links and campaigns from the command line."""

from __future__ import annotations

import asyncio
import json
import re

import pytest

from hub.sealing import Sealer
from hub.storage import Store
from tests.cli.conftest import ENVIRONMENT, Office, Operator


class TestMerchants:
    def test_a_new_merchant_is_pending_and_has_two_accounts(self, either: Operator) -> None:
        """Decisions, Accounts: PENDING until it is approved; test and live data are apart."""
        made = either.do(
            "merchant", "create", "--name", " Fjord ", "--email", "a@shop.example", "--domain", "Shop.Example",
            "--domain", "bücher.example", "--domain", "shop.example", "--currency", "eur", "--commission",
            "percentage:8", "--hold", "2s",
        )  # fmt: skip
        assert made["status"] == "PENDING"
        assert made["name"] == "Fjord"
        assert made["domains"] == ["shop.example", "xn--bcher-kva.example"]
        assert (made["currency"], made["commissionType"], made["commissionValue"]) == ("EUR", "PERCENTAGE", "8")
        assert made["holdMs"] == 2000
        assert made["accounts"]["test"] != made["accounts"]["live"]
        assert either.do("merchant", "show", made["id"]) == made
        assert either.do("merchant", "list") == [made]

    def test_a_merchant_is_approved_and_suspended(self, operator: Operator) -> None:
        """An act that was done already is done again without a fault."""
        merchant = operator.merchant()
        assert operator.do("merchant", "approve", merchant)["status"] == "APPROVED"
        assert operator.do("merchant", "approve", merchant)["status"] == "APPROVED"
        assert operator.do("merchant", "suspend", merchant)["status"] == "SUSPENDED"
        assert operator.do("merchant", "show", merchant)["status"] == "SUSPENDED"

    def test_a_merchant_can_be_approved_at_once(self, operator: Operator) -> None:
        assert operator.do("merchant", "show", operator.merchant("--approve"))["status"] == "APPROVED"

    @pytest.mark.parametrize("typed", ["https://shop.example", "shop.example/path"])
    def test_an_address_says_which_domain_is_meant(self, operator: Operator, typed: str) -> None:
        merchant = operator.merchant("--domain", typed)
        assert operator.do("merchant", "show", merchant)["domains"] == ["shop.example"]

    def test_an_unknown_merchant_is_refused(self, operator: Operator) -> None:
        for act in ("show", "approve", "suspend"):
            assert "There is no merchant 'mer_x'. `hub merchant list`" in operator.refused("merchant", act, "mer_x")

    @pytest.mark.parametrize(
        ("option", "value", "mend"),
        [
            ("--name", " ", "1 to 255 printable characters"),
            ("--name", "a\nb", "1 to 255 printable characters"),
            ("--email", "nobody", "write it like ann@shop.example"),
            ("--email", "<b>@shop.example", "write it like ann@shop.example"),
            ("--email", "ann@shop..example", "write it like ann@shop.example"),
            ("--domain", "shop.example:0", "write it bare, like shop.example"),
            ("--domain", "shop.example:70000", "write it bare"),
            ("--domain", "example", "write it bare"),
            ("--currency", "EURO", "ISO 4217"),
            ("--commission", "8", "PERCENTAGE:8 or FIXED:5.00"),
            ("--commission", "PERCENTAGE:101", 'from "0" to "100"'),
            ("--commission", "FIXED:5.001", "at most 2 decimals for USD"),
            ("--hold", "soon", "20s, 15m, 12h or 90d"),
        ],
    )
    def test_a_value_that_cannot_be_used_is_refused(
        self, operator: Operator, option: str, value: str, mend: str
    ) -> None:
        """Each refusal says how it is written; nothing is stored."""
        given = {"--name": "N", "--email": "a@shop.example", "--domain": "shop.example"} | {option: value}
        arguments = [part for pair in given.items() for part in pair]
        assert mend in operator.refused("merchant", "create", *arguments)
        assert operator.do("merchant", "list") == []


class TestKeys:
    def test_a_key_is_sealed_and_shown_once(self, either: Operator) -> None:
        """The secret is in the answer only; the database holds its sealed form, bound to the key's id."""
        merchant = either.merchant()
        made = either.do("key", "create", "--merchant", merchant, "--mode", "test", "--allow-ip", "10.0.0.0/8",
                         "--allow-ip", "2001:db8::1", "--allow-ip", "::ffff:203.0.113.7/128",
                         "--expires", "90d")  # fmt: skip
        assert re.fullmatch(r"ak_test_[0-9a-f]{32}", made["keyId"])
        assert len(made["signingSecret"]) >= 43
        assert made["allowedIps"] == ["10.0.0.0/8", "2001:db8::1/128", "203.0.113.7/32"]
        listed = either.do("key", "list", "--merchant", merchant)
        assert made["signingSecret"] not in json.dumps(listed)
        sealer = Sealer.of([bytes.fromhex(ENVIRONMENT["HUB_MASTER_KEY"])])
        sealed = asyncio.run(sealed_secret(either.url, made["keyId"]))
        assert sealer.open(sealed, made["keyId"]) == made["signingSecret"].encode()

    def test_what_is_printed_can_be_pasted_into_a_shell(self, operator: Operator) -> None:
        """The three variables that every snippet of the documentation reads, and where the documentation is."""
        shown = operator.run("key", "create", "--merchant", operator.merchant(), "--mode", "test").stdout
        names = re.findall(r"^export (HUB_\w+)=\S+$", shown, re.MULTILINE)
        assert names == ["HUB_BASE_URL", "HUB_KEY", "HUB_SECRET"]
        assert re.search(r"the reference: http://127\.0\.0\.1:\d+/docs$", shown, re.MULTILINE)

    def test_a_live_key_needs_an_approved_merchant(self, operator: Operator) -> None:
        """Specification: live keys can be created only by a merchant whose status is APPROVED."""
        merchant = operator.merchant()
        told = operator.refused("key", "create", "--merchant", merchant, "--mode", "live")
        assert f"is PENDING. Approve it first: hub merchant approve {merchant}" in told
        operator.do("merchant", "approve", merchant)
        made = operator.do("key", "create", "--merchant", merchant, "--mode", "live")
        assert made["keyId"].startswith("ak_live_")
        operator.do("merchant", "suspend", merchant)
        assert "is SUSPENDED" in operator.refused("key", "create", "--merchant", merchant, "--mode", "live")
        operator.do("key", "create", "--merchant", merchant, "--mode", "test")

    def test_a_revoked_key_ends_once(self, operator: Operator) -> None:
        """The first revocation's time stays."""
        merchant = operator.merchant()
        key = operator.do("key", "create", "--merchant", merchant, "--mode", "test")["keyId"]
        first = operator.do("key", "revoke", key)
        assert first["revokedAt"] is not None
        assert operator.do("key", "revoke", key) == first
        assert "There is no key 'ak_test_x'" in operator.refused("key", "revoke", "ak_test_x")

    @pytest.mark.parametrize(
        ("arguments", "mend"),
        [
            (["--allow-ip", "10.0.0.1/8"], "write the range itself: 10.0.0.0/8"),
            (["--allow-ip", "everywhere"], "203.0.113.0/24"),
            (["--expires", "tomorrow"], "90d"),
        ],
    )
    def test_a_value_that_cannot_be_used_is_refused(self, operator: Operator, arguments: list[str], mend: str) -> None:
        merchant = operator.merchant()
        assert mend in operator.refused("key", "create", "--merchant", merchant, "--mode", "test", *arguments)
        assert operator.do("key", "list", "--merchant", merchant) == []


class TestAffiliates:
    def test_coupons_are_unique_in_any_case(self, either: Operator) -> None:
        """A coupon names one affiliate; a refused affiliate leaves nothing behind."""
        made = either.do("affiliate", "create", "--name", "Ada", "--email", "ada@blog.example", "--coupon", "ada10",
                         "--coupon", "ADA10", "--coupon", "Spring")  # fmt: skip
        assert made["coupons"] == ["ADA10", "SPRING"]
        told = either.refused("affiliate", "create", "--name", "Bob", "--email", "b@blog.example", "--coupon", "Ada10")
        assert "belong to another affiliate: ADA10" in told
        assert either.do("affiliate", "list") == [made]

    def test_an_affiliate_is_turned_off_and_on(self, operator: Operator) -> None:
        affiliate = operator.affiliate()
        assert operator.do("affiliate", "deactivate", affiliate)["status"] == "INACTIVE"
        assert operator.do("affiliate", "activate", affiliate)["status"] == "ACTIVE"
        assert "There is no affiliate" in operator.refused("affiliate", "show", "aff_x")


class TestLinks:
    def create(self, operator: Operator, *arguments: str) -> list[str]:
        merchant, affiliate = operator.merchant(), operator.affiliate()
        return ["link", "create", "--merchant", merchant, "--mode", "test", "--affiliate", affiliate, *arguments]

    def test_a_plain_link_leads_to_the_first_domain(self, either: Operator) -> None:
        made = either.do(*self.create(either))
        assert re.fullmatch(r"[A-Za-z0-9]{12}", made["code"])
        assert made["url"] == f"http://127.0.0.1:8080/t/{made['code']}"
        assert made["destination"] == "https://shop.example/"
        assert [link["code"] for link in either.do("link", "list")] == [made["code"]]

    def test_the_public_url_is_configurable(self, operator: Operator) -> None:
        arguments = [*self.create(operator), "--json"]
        made = operator.run(*arguments, HUB_SERVER_PUBLIC_URL="https://hub.example/x/")
        assert json.loads(made.stdout)["url"].startswith("https://hub.example/x/t/")

    def test_a_link_that_only_this_machine_can_follow_says_so(self, operator: Operator) -> None:
        """To a person; the control is a public address."""
        arguments = self.create(operator)
        assert "Only this machine can follow it. Set HUB_SERVER_PUBLIC_URL" in operator.run(*arguments).stdout
        public = operator.run(*arguments, HUB_SERVER_PUBLIC_URL="https://hub.example/")
        assert "Only this machine" not in public.stdout

    def test_a_destination_must_be_on_an_approved_domain(self, operator: Operator) -> None:
        """The destination is always on an approved domain."""
        arguments = self.create(operator, "--destination", "https://www.shop.example/sale?x=1#top")
        assert operator.do(*arguments)["destination"] == "https://www.shop.example/sale?x=1#top"
        for foreign in (
            "https://evil.example/",
            "https://shop.example.evil.example/",
            "//shop.example/",
            "javascript:x",
        ):
            told = operator.refused(*arguments[:-1], foreign)
            assert told.count("pproved domain") == told.count(" shop.example") + told.count("(shop.example)") == 1

    @pytest.mark.parametrize(
        ("option", "told"),
        [
            ("--campaign", "campaign of this account"),
            ("--product", "product of this account"),
            ("--merchant", "merchant"),
            ("--affiliate", "affiliate"),
        ],
    )
    def test_unknown_references_are_refused(self, operator: Operator, option: str, told: str) -> None:
        assert f"There is no {told} 'x'" in operator.refused(*self.create(operator, option, "x"))


class TestCampaigns:
    async def test_a_campaign_is_approved_and_rejected(self, office: Office) -> None:
        """Approval is an admin's act; withdrawing it pauses what is active, and the change is remembered."""
        campaign = await office.harness.campaign()
        told = await office.refused("campaign", "approve", campaign)
        assert "does not require an approval" in told
        await office.spoil("require_approval", campaign_id=campaign)
        assert (await office.do("campaign", "approve", campaign))["approvalStatus"] == "APPROVED"
        rejected = await office.do("campaign", "reject", campaign)
        assert (rejected["approvalStatus"], rejected["status"]) == ("REJECTED", "PAUSED")
        (listed,) = await office.do("campaign", "list")
        assert (listed["id"], listed["status"], listed["mode"]) == (campaign, "PAUSED", "test")
        assert "There is no campaign 'CMP-X'" in await office.refused("campaign", "approve", "CMP-X")

    async def test_a_campaigns_hold_counts_for_new_commissions(self, office: Office) -> None:
        """Before the merchant's; what was made before keeps the hold that it was made with."""
        campaign = await office.harness.campaign()
        await office.do("merchant", "update", office.harness.merchant_id, "--hold", "2d")

        async def held_days(number: str) -> int:
            click = await office.harness.click(campaign)
            await office.harness.order(number, clickId=click, orderStatus="delivered")
            await office.harness.work()
            commission = await office.harness.commission(number)
            assert commission is not None
            return int(commission["hold_ms"]) // 86_400_000

        assert await held_days("1001") == 2
        changed = await office.do("campaign", "update", campaign, "--hold", "7d")
        assert changed["holdMs"] == 7 * 86_400_000
        assert await held_days("1002") == 7
        unchanged = await office.harness.commission("1001")
        assert unchanged is not None
        assert unchanged["hold_ms"] == 2 * 86_400_000
        shown = await office.do("campaign", "show", campaign)
        assert shown == {name: changed[name] for name in shown}
        assert await office.do("campaign", "list", "--merchant", "Shop") == [shown]
        assert "7d" in (await asyncio.to_thread(office.operator.run, "campaign", "show", campaign)).stdout
        assert (await office.do("campaign", "update", campaign, "--hold", "default"))["holdMs"] is None
        assert await held_days("1003") == 2
        assert "20s, 15m, 12h or 90d" in await office.refused("campaign", "update", campaign, "--hold", "soon")


async def sealed_secret(url: str, key_id: str) -> str:
    async with await Store.open(url) as store, store.read() as tx:
        row = await tx.one("key_with_merchant", key_id=key_id)
        assert row is not None
        return str(row["sealed_secret"])
