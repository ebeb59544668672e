"""The rules between fields, the PATCH bodies, the unknown fields, and the queries."""

from __future__ import annotations

from typing import Any

import pytest

from hub.validation.inputs import (
    CampaignInput,
    CampaignPatch,
    CampaignQuery,
    ConversionInput,
    MerchantTerms,
    OrderStatusInput,
    ProductChange,
    ProductInput,
    ProductPatch,
    ProductQuery,
)
from hub.validation.validate import Invalid, date_faults, price_faults, validate, validate_query

MERCHANT = MerchantTerms("USD", ("shop.example", "xn--bcher-kva.example"))
ORDER = {"externalOrderId": "A-1", "orderAmount": "49.90"}
PRODUCT = {"externalProductId": "S", "name": "Shoe", "productUrl": "https://shop.example/1", "price": "49.90"}


def refused(cls: type, body: dict[str, Any], merchant: MerchantTerms = MERCHANT) -> list[str]:
    with pytest.raises(Invalid) as caught:
        validate(cls, body, merchant)
    return caught.value.faults


def test_every_fault_at_once() -> None:
    """Fields and rules together, in the order of the fields."""
    assert refused(ConversionInput, {"clickId": 5, "orderAmount": "49.999", "orderStatus": "lost", "metadata": 1}) == [
        "`externalOrderId` must be given",
        "`clickId` must be a string",
        "`orderStatus` must be one of pending, confirmed, delivered, cancelled, returned, refunded",
        "`metadata` must be a JSON object",
        '`orderAmount` must be an amount such as "49.90": up to 12 digits and at most 2 decimals for USD',
    ]


class TestMoney:
    @pytest.mark.parametrize(
        ("amount", "currency"),
        [("0", None), ("0.00", "USD"), ("49.9", "USD"), ("500", "JPY"), ("1.250", "KWD"), ("1.2500", "CLF"),
         ("999999999999.99", None), ("000000000001", None)],
    )  # fmt: skip
    def test_good(self, amount: str, currency: str | None) -> None:
        """As many decimals as the currency has; without a currency it is the merchant's."""
        order = validate(ConversionInput, {**ORDER, "orderAmount": amount, "currency": currency}, MERCHANT).value
        assert order.order_amount == amount

    @pytest.mark.parametrize(
        ("amount", "currency"),
        [("49.999", None), ("49.999", "USD"), ("500.0", "JPY"), ("1.2500", "KWD"), ("1.00000", "CLF")],
    )
    def test_too_many_decimals(self, amount: str, currency: str | None) -> None:
        """A tenth of a yen does not exist."""
        (fault,) = refused(ConversionInput, {**ORDER, "orderAmount": amount, "currency": currency})
        assert fault.startswith("`orderAmount` must be ")

    @pytest.mark.parametrize(
        "amount",
        ["-1", "+1", "1.", ".5", "1e2", "1,000", " 1", "1 ", "1_0", "", "0x1", "1000000000000", "NaN", "1.2.3",
         "\u0661", "\u00b2", "$5", "49.90\n"],
    )  # fmt: skip
    def test_no_money(self, amount: str) -> None:
        """ASCII digits, no sign, no exponent."""
        (fault,) = refused(ConversionInput, {**ORDER, "orderAmount": amount})
        assert fault.startswith("`orderAmount` must be money as a string")

    @pytest.mark.parametrize("amount", [49.9, 49, 0, -1, 1e300])
    def test_a_number_is_no_money(self, amount: float) -> None:
        """A JSON number has been through somebody's float."""
        said = ['`orderAmount` must be money as a string such as "49.90", not a number']
        assert refused(ConversionInput, {**ORDER, "orderAmount": amount}) == said

    @pytest.mark.parametrize("currency", ["usd", "US", "XXX", "XAU", "ABC", "", "USD "])
    def test_no_currency(self, currency: str) -> None:
        """Upper case and real; the amount is not judged by a currency that is not known."""
        (fault,) = refused(ConversionInput, {**ORDER, "orderAmount": "1.2345", "currency": currency})
        assert fault.startswith("`currency` must be an ISO 4217 currency code")


class TestCommissionPair:
    @pytest.mark.parametrize("cls", [ProductInput, ProductPatch, ProductChange, CampaignInput, CampaignPatch])
    @pytest.mark.parametrize(
        ("kind", "value", "said"),
        [
            ("PERCENTAGE", "0", None),
            ("PERCENTAGE", "100.0000", None),
            ("PERCENTAGE", "12.3456", None),
            ("PERCENTAGE", "100.0001", "Value` must be a percentage"),
            ("PERCENTAGE", "1.23456", "Value` must be a decimal number"),
            ("PERCENTAGE", "-1", "Value` must be a decimal number"),
            ("PERCENTAGE", 8, "Value` must be a decimal number"),
            ("FIXED", "2.50", None),
            ("FIXED", "250", None),
            ("FIXED", "2.505", "Value` must be an amount such as"),
            ("FIXED", None, "Type` must come together with"),
            (None, "8", "Type` must come together with"),
            ("percentage", "8", "Type` must be one of PERCENTAGE, FIXED"),
        ],
    )
    def test_pair(self, cls: type, kind: Any, value: Any, said: str | None) -> None:
        """Together or not at all; FIXED is money in the merchant's currency, whatever the product's."""
        stem = "defaultCommission" if cls in {CampaignInput, CampaignPatch} else "commission"
        base: dict[str, Any] = {**PRODUCT, "title": "t", "currency": "JPY", "price": "5"}
        body = {**base, f"{stem}Type": kind, f"{stem}Value": value}
        if said is None:
            read: Any = validate(cls, body, MERCHANT).value
            assert value in {getattr(read, "commission_value", None), getattr(read, "default_commission_value", None)}
        else:
            (fault,) = refused(cls, body)
            assert fault.startswith(f"`{stem}{said}")

    @pytest.mark.parametrize("half", ["commissionType", "commissionValue"])
    def test_one_half_alone(self, half: str) -> None:
        """Also a null that would leave the other half behind."""
        (fault,) = refused(ProductPatch, {half: None})
        assert "must be cleared together with" in fault
        assert validate(ProductInput, {**PRODUCT, half: None}, MERCHANT).value.commission_type is None

    def test_cleared(self) -> None:
        """Both nulls take the rule away."""
        patch = validate(CampaignPatch, {"defaultCommissionType": None, "defaultCommissionValue": None}, MERCHANT).value
        assert patch.present == {"default_commission_type", "default_commission_value"}


class TestCampaignDates:
    @pytest.mark.parametrize("end", ["2026-03-01T00:00:00Z", "2026-03-01T01:00:00+01:00", "2025-01-01T00:00:00Z"])
    def test_the_end_is_after_the_start(self, end: str) -> None:
        """Offsets are reckoned with."""
        body = {"title": "t", "startDate": "2026-03-01T00:00:00Z", "endDate": end}
        assert refused(CampaignInput, body) == ["`endDate` must be after startDate"]
        assert refused(CampaignPatch, body) == ["`endDate` must be after startDate"]

    def test_beside_stored_ones(self) -> None:
        """A patch of one date is held against the other."""
        assert date_faults(5, 5) == ["`endDate` must be after startDate"]
        assert date_faults(5, 6) == date_faults(None, 6) == date_faults(5, None) == []


class TestAddresses:
    @pytest.mark.parametrize(
        "url",
        [
            "https://shop.example", "http://shop.example/p?a=1#b", "https://www.shop.example./p", "https://SHOP.example/p",
            "https://bücher.example/p", "https://xn--bcher-kva.example/p", "https://shop.example:443/ü",
        ],
    )  # fmt: skip
    def test_good(self, url: str) -> None:
        """On an approved domain or a subdomain of one."""
        assert validate(ProductInput, {**PRODUCT, "productUrl": url}, MERCHANT).value.product_url == url

    @pytest.mark.parametrize(
        "url",
        [
            "https://evil.example/", "https://notshop.example/", "https://shop.example.evil.example/",
            "//shop.example/p", "ftp://shop.example/", "javascript:alert(1)", "https://shop.example@evil.example/",
            "shop.example/p",
            "https://u:p@shop.example/", "https://shop.example:8443/", "https://shop.example\\@evil.example/",
            "https://evil.example\\.shop.example/", "https://shop.example/a b", "https://shop.example/\t",
            "https://shop.example/\x7f", "https://shop.example/\u00a0", "https:///p", "https://", "http:/shop.example",
            "https://[::1]/", "https://[shop.example/", "https://shop.example:/", "https://evil.example#.shop.example",
            "https://evil.example?.shop.example", "https://shop.example%2eevil.example/", " https://shop.example/",
        ],
    )  # fmt: skip
    def test_bad(self, url: str) -> None:
        """Whatever a browser would take elsewhere is refused, twice in a row too."""
        for _ in range(2):
            (fault,) = refused(ProductInput, {**PRODUCT, "productUrl": url})
            assert fault.startswith("`productUrl` must ")

    def test_the_memory_keeps_merchants_apart(self) -> None:
        """What is fine for one merchant is not for another."""
        validate(ProductInput, PRODUCT, MERCHANT)
        assert len(refused(ProductInput, PRODUCT, MerchantTerms("USD", ("other.example",)))) == 1
        assert len(refused(ProductInput, PRODUCT, MerchantTerms("USD", ()))) == 1

    def test_pictures(self) -> None:
        """A picture may be anywhere on the web."""
        validate(ProductInput, {**PRODUCT, "imageUrl": "http://cdn.example/1.jpg"}, MERCHANT)
        for url in ("data:image/png;base64,AA", "/1.jpg", "https:// cdn.example", ""):
            (fault,) = refused(ProductInput, {**PRODUCT, "imageUrl": url})
            assert fault.startswith("`imageUrl` must ")


class TestPresence:
    def test_of_an_item(self) -> None:
        """A null in an item is absent; a field named like the mark itself is just unknown."""
        valid = validate(ProductInput, {**PRODUCT, "brand": "b", "category": None, "present": ["x"]}, MERCHANT)
        assert (valid.value.brand, valid.value.category) == ("b", None)
        assert valid.unknown_fields == ("present",)

    def test_of_a_patch(self) -> None:
        """A null in a patch clears."""
        patch = validate(ProductPatch, {"name": "n", "stockStatus": None, "discountPrice": None}, MERCHANT).value
        assert patch.present == {"name", "stock_status", "discount_price"}
        assert validate(ProductPatch, {}, MERCHANT).value.present == frozenset()

    def test_prices_of_a_patch(self) -> None:
        """They wait for the product's own currency."""
        patch = validate(ProductPatch, {"price": "1.250", "discountPrice": "1.00"}, MERCHANT).value
        assert price_faults(patch, "KWD") == []
        assert [fault[:16] for fault in price_faults(patch, "JPY")] == ["`price` must be ", "`discountPrice` "]


class TestUnknownFields:
    def test_named(self) -> None:
        """Ignored, and named for the request log, at most 50 of them; what metadata holds is nobody's business."""
        body = {**ORDER, "metadata": {"x": 1}, "colour": 1, "a`b": 2, **{f"f{n}": n for n in range(100)}}
        unknown = validate(ConversionInput, body, MERCHANT).unknown_fields
        assert unknown[:3] == ("colour", r"a\x60b", "f0")
        assert len(unknown) == 50

    def test_snake_case_is_unknown(self) -> None:
        """Only webhooks speak snake_case."""
        assert refused(OrderStatusInput, {"external_order_id": "A-1", "status": "paid"}) == [
            "`externalOrderId` must be given"
        ]


class TestQueries:
    def test_defaults(self) -> None:
        """The first page of 50."""
        query = validate_query(ProductQuery, []).value
        assert (query.page, query.page_size, query.offset, query.status, query.search) == (1, 50, 0, None, None)

    def test_everything(self) -> None:
        """Numbers come as text; unknown parameters are ignored and named."""
        pairs = [
            ("page", "3"),
            ("pageSize", "200"),
            ("status", "ARCHIVED"),
            ("search", "ü"),
            ("category", ""),
            ("x", "1"),
        ]
        valid = validate_query(ProductQuery, pairs)
        assert (valid.value.page, valid.value.offset, valid.value.search) == (3, 400, "ü")
        assert valid.value.category is None
        assert valid.unknown_fields == ("x",)
        assert validate_query(CampaignQuery, [("status", "EXPIRED")]).value.status == "EXPIRED"

    @pytest.mark.parametrize(
        ("name", "text"),
        [("page", "0"), ("page", "-1"), ("page", "1.0"), ("page", ""), ("page", "x"), ("page", "1_0"), ("page", " 1"),
         ("page", "9" * 30), ("page", "1000000001"), ("page", "\u0661"), ("pageSize", "0"), ("pageSize", "201"),
         ("status", "archived"), ("status", ""), ("search", "x" * 256), ("search", "\0"), ("category", "\ud800")],
    )  # fmt: skip
    def test_bad(self, name: str, text: str) -> None:
        """Named like the faults of a body."""
        with pytest.raises(Invalid) as caught:
            validate_query(ProductQuery, [(name, text)])
        (fault,) = caught.value.faults
        assert fault.startswith(f"`{name}` must ")

    def test_twice(self) -> None:
        """Two pages at once are none; unknown parameters may come as often as they like."""
        with pytest.raises(Invalid) as caught:
            validate_query(ProductQuery, [("page", "1"), ("page", "2"), ("status", "x")])
        assert caught.value.faults[0] == "`page` must be given once"
        assert caught.value.faults[1].startswith("`status` must be one of ")
        validate_query(ProductQuery, [("x", "1"), ("x", "2")])

    def test_the_last_page_stays_a_bigint(self) -> None:
        """An offset beyond 64 bits would be an error of the database."""
        query = validate_query(ProductQuery, [("page", "1000000000"), ("pageSize", "200")]).value
        assert query.offset < 2**63
