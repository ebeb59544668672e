"""Merchants, affiliates, keys and links are changed and ended from the command line."""

from __future__ import annotations

import pytest

from hub.operations.system import plugins
from tests.acme import acme_plugins
from tests.cli.conftest import Office, Operator
from tests.cli.test_orders import attributed


class TestMerchants:
    def test_only_what_is_named_changes(self, either: Operator) -> None:
        made = either.do("merchant", "show", either.merchant("--commission", "PERCENTAGE:8"))
        changed = either.do("merchant", "update", made["id"], "--name", "Fern", "--hold", "7d")
        assert changed == made | {"name": "Fern", "holdMs": 604_800_000, "updatedAt": changed["updatedAt"]}
        changed = either.do("merchant", "update", "Fern", "--email", "b@shop.example", "--commission", "fixed:2.50")
        assert (changed["email"], changed["commissionType"], changed["commissionValue"]) == (
            "b@shop.example", "FIXED", "2.50",
        )  # fmt: skip
        back = either.do("merchant", "update", "b@shop.example", "--commission", "default", "--hold", "default")
        assert (back["commissionType"], back["commissionValue"], back["holdMs"]) == (None, None, None)
        (act, *_) = either.do("trail", "--subject", made["id"])
        assert (act["act"], act["before"]["commissionValue"]) == ("merchant.updated", "2.50")

    def test_domains_are_replaced_added_and_removed(self, either: Operator) -> None:
        """At least one stays, and only one that is there can be removed."""
        merchant = either.merchant()
        added = either.do("merchant", "update", merchant, "--add-domain", "Two.example", "--add-domain", "shop.example")
        assert added["domains"] == ["shop.example", "two.example"]
        removed = either.do("merchant", "update", merchant, "--remove-domain", "shop.example")
        assert removed["domains"] == ["two.example"]
        told = either.refused("merchant", "update", merchant, "--remove-domain", "two.example")
        assert "needs at least one approved domain" in told
        told = either.refused("merchant", "update", merchant, "--remove-domain", "x.example")
        assert "x.example cannot be removed: the approved domains are two.example." in told
        replaced = either.do("merchant", "update", merchant, "--domain", "a.example", "--domain", "b.example")
        assert replaced["domains"] == ["a.example", "b.example"]

    def test_nothing_to_change_is_a_mistake(self, operator: Operator) -> None:
        for noun in ("merchant", "affiliate", "key"):
            assert "Name what to change" in operator.refused(noun, "update", "x", status=2)

    def test_a_rejection_has_its_reason(self, either: Operator) -> None:
        """Only a merchant that waits is rejected; an approval clears the reason."""
        merchant = either.merchant()
        rejected = either.do("merchant", "reject", merchant, "--reason", "No imprint")
        assert (rejected["status"], rejected["statusReason"]) == ("REJECTED", "No imprint")
        assert "No imprint" in either.run("merchant", "show", merchant).stdout
        assert either.do("merchant", "approve", merchant)["statusReason"] is None
        told = either.refused("merchant", "reject", merchant, "--reason", "R")
        assert f"Stop it with: hub merchant suspend {merchant}" in told
        suspended = either.do("merchant", "suspend", merchant, "--reason", "Asked for it")
        assert suspended["statusReason"] == "Asked for it"

    def test_a_closed_merchant_has_no_keys_left(self, either: Operator) -> None:
        """What is closed twice is closed once; an approval opens it, with its keys still revoked."""
        merchant = either.merchant("--approve")
        either.do("key", "create", "--merchant", merchant, "--mode", "test")
        closed = either.do("merchant", "close", merchant, "--reason", "Moved away")
        assert (closed["status"], closed["statusReason"]) == ("CLOSED", "Moved away")
        assert either.do("merchant", "close", merchant) == closed
        (key,) = either.do("key", "list", "--merchant", merchant)
        assert key["revokedAt"] == closed["closedAt"] or key["revokedAt"] is not None
        assert "is CLOSED already" in either.refused("merchant", "suspend", merchant)
        assert "is SUSPENDED" in either.refused("key", "create", "--merchant", merchant, "--mode", "live")
        opened = either.do("merchant", "approve", merchant)
        assert (opened["status"], opened["closedAt"]) == ("APPROVED", None)
        assert either.do("key", "list", "--merchant", merchant) == [key]

    def test_a_closed_merchants_connections_are_closed(
        self, operator: Operator, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Those of both modes; another merchant's stay open."""
        monkeypatch.setattr(plugins, "plugin_host_for", acme_plugins)
        merchant, other = operator.merchant("--approve"), operator.merchant("--name", "Other")
        for owner, mode in ((merchant, "test"), (merchant, "live"), (other, "test")):
            operator.do("connection", "create", "--merchant", owner, "--mode", mode, "--connector", "acme")
        operator.do("merchant", "close", merchant)
        found = operator.do("connection", "list")
        assert {(c["merchantName"], c["status"]) for c in found} == {("Fjord & Fern", "CLOSED"), ("Other", "ACTIVE")}
        assert [c["status"] for c in operator.do("connection", "list", "--merchant", "Fjord & Fern")] == ["CLOSED"] * 2

    async def test_closing_asks_about_what_is_not_paid(self, live_office: Office) -> None:
        await attributed(live_office)
        merchant = live_office.harness.merchant_id
        told = await live_office.refused("merchant", "close", merchant)
        assert "has 1 live commissions that are neither PAID nor REJECTED" in told
        assert (await live_office.do("merchant", "close", merchant, "--anyway"))["status"] == "CLOSED"

    async def test_test_commissions_keep_nobody_from_closing(self, office: Office) -> None:
        await attributed(office)
        assert (await office.do("merchant", "close", office.harness.merchant_id))["status"] == "CLOSED"

    def test_the_same_merchant_twice_is_asked_about(self, either: Operator) -> None:
        """The same name with another domain is another merchant."""
        create = ["merchant", "create", "--name", "Shop", "--email", "a@shop.example", "--domain"]
        first = either.do(*create, "shop.example")["id"]
        told = either.refused(*create, "shop.example")
        assert f"There is a merchant Shop with the domain shop.example already: {first}." in told
        assert "say --anyway" in told
        assert either.do(*create, "other.example")["id"] != first
        assert either.do(*create, "shop.example", "--anyway")["id"] != first


class TestAffiliates:
    def test_only_what_is_named_changes(self, either: Operator) -> None:
        """A coupon is given and taken; one of another affiliate stays where it is."""
        affiliate = either.affiliate("--coupon", "BEA5", "--coupon", "BEA10")
        changed = either.do(
            "affiliate", "update", "bea@blog.example", "--name", "Beatrix", "--add-coupon", "bea20",
            "--add-coupon", "BEA5", "--remove-coupon", "bea10",
        )  # fmt: skip
        assert (changed["id"], changed["name"], changed["email"]) == (affiliate, "Beatrix", "bea@blog.example")
        assert changed["coupons"] == ["BEA20", "BEA5"]
        other = either.affiliate("--coupon", "ADA")
        told = either.refused("affiliate", "update", other, "--add-coupon", "BEA5")
        assert "belong to another affiliate: BEA5" in told
        told = either.refused("affiliate", "update", other, "--remove-coupon", "BEA5")
        assert "Its coupons are ADA; only those can be removed." in told
        assert either.do("affiliate", "show", other)["coupons"] == ["ADA"]

    def test_the_same_address_twice_is_asked_about(self, either: Operator) -> None:
        create = ["affiliate", "create", "--name", "Bea", "--email"]
        first = either.do(*create, "bea@blog.example")["id"]
        told = either.refused(*create, "BEA@blog.example")
        assert f"already: {first} (Bea). Nothing was created. If a second one is meant, say --anyway." in told
        assert either.do(*create, "bea@blog.example", "--anyway")["id"] != first
        assert "Several affiliates are called 'Bea'" in either.refused("affiliate", "show", "Bea")


class TestKeys:
    def test_a_key_changes_without_a_new_secret(self, either: Operator) -> None:
        merchant = either.merchant()
        made = either.do("key", "create", "--merchant", merchant, "--mode", "test", "--expires", "1d")
        key = made["keyId"]
        narrowed = either.do("key", "update", key, "--allow-ip", "10.0.0.0/8", "--allow-ip", "10.0.0.0/8")
        assert (narrowed["allowedIps"], narrowed["expiresAt"]) == (["10.0.0.0/8"], made["expiresAt"])
        longer = either.do("key", "update", key, "--expires", "90d")
        assert longer["expiresAt"] > made["expiresAt"]
        assert longer["allowedIps"] == ["10.0.0.0/8"]
        opened = either.do("key", "update", key, "--any-address", "--expires", "never")
        assert (opened["allowedIps"], opened["expiresAt"]) == ([], None)
        assert [act["act"] for act in either.do("trail", "--subject", key)] == ["key.updated"] * 3 + ["key.issued"]

    def test_a_key_that_cannot_change_says_why(self, operator: Operator) -> None:
        merchant = operator.merchant()
        key = operator.do("key", "create", "--merchant", merchant, "--mode", "test")["keyId"]
        assert "203.0.113.0/24" in operator.refused("key", "update", key, "--allow-ip", "everywhere")
        both = operator.refused("key", "update", key, "--allow-ip", "10.0.0.0/8", "--any-address", status=2)
        assert "contradict each other" in both
        operator.do("key", "revoke", key)
        told = operator.refused("key", "update", key, "--expires", "1d")
        assert f"stays so. Issue another one: hub key create --merchant {merchant} --mode test" in told
        assert "There is no key 'ak_x'" in operator.refused("key", "update", "ak_x", "--expires", "1d")


class TestLinks:
    def test_a_link_is_disabled_and_enabled(self, either: Operator) -> None:
        """Names stand for ids, and the list says what is disabled."""
        either.merchant()
        affiliate = either.affiliate()
        made = either.do(
            "link", "create", "--merchant", "Fjord & Fern", "--mode", "test", "--affiliate", "bea@blog.example"
        )
        assert made["affiliateId"] == affiliate
        disabled = either.do("link", "disable", made["code"])
        assert disabled["disabledAt"] is not None
        assert either.do("link", "disable", made["code"]) == disabled
        assert either.do("link", "list", "--merchant", "Fjord & Fern") == [disabled]
        assert f"{affiliate} (Bea)" in either.run("link", "list").stdout
        assert either.do("link", "enable", made["code"])["disabledAt"] is None
        assert "There is no link 'x'" in either.refused("link", "disable", "x")


@pytest.mark.parametrize("arguments", [["link", "list"], ["campaign", "list"], ["connection", "list"], ["key", "list"]])
def test_a_list_of_an_unknown_merchant_is_refused(operator: Operator, arguments: list[str]) -> None:
    """An empty list would look as if the merchant had none."""
    operator.merchant()
    assert "There is no merchant 'x'" in operator.refused(*arguments, "--merchant", "x")
