"""Every field of every input: what it takes, what it refuses, and that its OpenAPI schema says the same."""

from __future__ import annotations

import math
from typing import Any

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st
from openapi_schema_validator import OAS30Validator

from hub.validation import inputs
from hub.validation.cross_field_rules import RULES
from hub.validation.field_types import ProductName
from hub.validation.input_reader import InputField, fields_of, reader_of
from hub.validation.inputs import MerchantTerms
from hub.validation.validate import Invalid, Valid, faults_of, validate
from tests.openapi_documents import document_of

MERCHANT = MerchantTerms("USD", ("shop.example",))
GIVEN: dict[type, dict[str, Any]] = {
    inputs.ProductInput: {
        "externalProductId": "SKU-1", "name": "Shoe", "productUrl": "https://shop.example/1", "price": "49.90",
        "description": "d", "imageUrl": "http://cdn.example/1.jpg", "category": "c", "brand": "b",
        "discountPrice": "39.90", "currency": "EUR", "stockStatus": "IN_STOCK", "commissionType": "PERCENTAGE",
        "commissionValue": "8.2500", "campaignId": "cmp_1",
    },
    inputs.ProductPatch: {
        "name": "Shoe", "price": "1", "discountPrice": "0.5", "stockStatus": "", "commissionType": "FIXED",
        "commissionValue": "2.50", "status": "INACTIVE", "campaignId": "cmp_1",
    },
    inputs.ProductChange: {
        "externalProductId": "SKU-1", "name": "Shoe", "productUrl": "https://shop.example/1", "price": "1",
        "description": "d", "imageUrl": "http://cdn.example/1.jpg", "category": "c", "brand": "b",
        "discountPrice": "0.5", "currency": "JPY", "stockStatus": "x", "commissionType": "FIXED",
        "commissionValue": "2.50", "campaignId": "cmp_1",
    } | {"discountPrice": "3"},
    inputs.ArchivePayload: {"productIds": ["SKU-1", "prd_1"]},
    inputs.CampaignInput: {
        "title": "Spring", "description": "d", "startDate": "2026-03-01T00:00:00+01:00",
        "endDate": "2026-06-01T00:00:00.123456789Z", "defaultCommissionType": "FIXED", "defaultCommissionValue": "5",
        "cookieDurationDays": 0, "allowedTrafficSources": ["blog"], "termsAndConditions": "t", "approvalRequired": True,
    },
    inputs.CampaignPatch: {
        "title": "Spring", "description": "d", "startDate": "2026-03-01T00:00:00Z", "endDate": "2026-06-01T00:00:00Z",
        "defaultCommissionType": "PERCENTAGE", "defaultCommissionValue": "100", "cookieDurationDays": 365,
        "allowedTrafficSources": [], "termsAndConditions": "t", "approvalRequired": False, "status": "ARCHIVED",
    },
    inputs.ConversionInput: {
        "externalOrderId": "A-1", "orderAmount": "49.90", "clickId": "anything at all", "externalProductId": "SKU-1",
        "currency": "USD", "orderStatus": "confirmed", "orderedAt": "2026-11-20T10:00:00Z", "couponCode": "ANNA10",
        "metadata": {"channel": "web", "n": [1, 2.5, None, True]},
    },
    inputs.OrderStatusInput: {
        "externalOrderId": "A-1", "status": "commission_approved", "clickId": "c",
        "statusUpdatedAt": "2026-11-20T10:00:00Z", "reason": "r", "metadata": {},
    },
}  # fmt: skip


def examples_of(cls: type) -> dict[str, Any]:
    """The examples of the fields of an input class that have one."""
    described = {field.wire: field.constraint.schema() for field in fields_of(cls)}
    return {wire: schema["example"] for wire, schema in described.items() if "example" in schema}


BODIES = {cls: {**examples_of(cls), **body} for cls, body in GIVEN.items()}
"""A good body of each input class: what stands here, and the example of every field that does not."""
EVERY_FIELD = [
    pytest.param(cls, field, id=f"{cls.__name__}.{field.wire}")
    for cls in BODIES
    for field in fields_of(cls)
    if field.wire in BODIES[cls]
]
WRONG_TYPES: list[Any] = [
    1,
    1.5,
    True,
    "",
    "\t ",
    [],
    {},
    [1],
    {"a": 1},
    "x" * 25_000,
    -1,
    10**30,
    math.nan,
    "\uff11\uff12",
]


def refused(cls: type, body: dict[str, Any]) -> list[str]:
    with pytest.raises(Invalid) as caught:
        validate(cls, body, MERCHANT)
    return caught.value.faults


def described(schema: dict[str, Any]) -> OAS30Validator:
    """Return the validator of a field's schema, with the parts of the document that it may name."""
    return OAS30Validator({**schema, "components": document_of("merchant")["components"]})


class TestEveryField:
    @pytest.mark.parametrize("cls", BODIES)
    def test_good(self, cls: type) -> None:
        """A body with every field is read, and nothing of it is unknown."""
        missing = [field.wire for field in fields_of(cls) if field.wire not in BODIES[cls]]
        assert missing == [], (
            f"{cls.__name__} has {', '.join(missing)} without a good value: give its field type an example "
            "(hub/validation/field_types.py), or a value in GIVEN here."
        )
        valid: Valid[Any] = validate(cls, BODIES[cls], MERCHANT)
        assert set(BODIES[cls]) == {f.wire for f in fields_of(cls)}
        assert valid.unknown_fields == ()
        assert all(getattr(valid.value, f.name) is not None for f in fields_of(cls))

    def test_a_rule_outside_of_the_annotations_is_refused(self) -> None:
        """The OpenAPI document is made from the annotations, so it would not know of it."""

        @attrs.frozen
        class Ruled:
            name: ProductName = attrs.field(validator=attrs.validators.min_len(2))

        with pytest.raises(TypeError, match="in its annotations"):
            reader_of(Ruled)

    @pytest.mark.parametrize(("cls", "field"), EVERY_FIELD)
    def test_missing(self, cls: type, field: InputField) -> None:
        """A required field is asked for by name; of a commission pair the other half complains."""
        body = {wire: value for wire, value in BODIES[cls].items() if wire != field.wire}
        if field.required:
            assert refused(cls, body) == [f"`{field.wire}` must be given"]
        elif "ommissionType" in field.wire or "ommissionValue" in field.wire:
            assert "must come together with" in refused(cls, body)[0]
        else:
            assert getattr(validate(cls, body, MERCHANT).value, field.name) is None

    @pytest.mark.parametrize(("cls", "field"), EVERY_FIELD)
    def test_null(self, cls: type, field: InputField) -> None:
        """Null counts as absent, or clears; where a field cannot be empty it is a fault."""
        body = {**BODIES[cls], field.wire: None}
        if not field.nullable:
            assert refused(cls, body) == [f"`{field.wire}` must not be null"]
        elif "ommissionType" in field.wire or "ommissionValue" in field.wire:
            assert "must come together with" in refused(cls, body)[0]
        else:
            value: Any = validate(cls, body, MERCHANT).value
            assert getattr(value, field.name) is None
            if reader_of(cls).clears:
                assert field.name in value.present

    @pytest.mark.parametrize(("cls", "field"), EVERY_FIELD)
    def test_wrong_types(self, cls: type, field: InputField) -> None:
        """Types are strict, and whatever is taken fits the schema that the document shows."""
        for wrong in WRONG_TYPES:
            body = {**BODIES[cls], field.wire: wrong}
            try:
                value = getattr(validate(cls, body, MERCHANT).value, field.name)
            except Invalid as invalid:
                found = invalid.faults
                assert len(found) == 1
                named = (f"`{field.wire}` must ", f"`{field.wire}[0]` must ", f"`{field.wire}.")
                assert found[0].startswith(named), "the field is named, or a member of it"
            else:
                described(field.constraint.schema()).validate(wrong)
                assert type(wrong) is not bool or type(value) is bool

    @pytest.mark.parametrize(("cls", "field"), EVERY_FIELD)
    def test_schema(self, cls: type, field: InputField) -> None:
        """Every field is described with an example that it takes itself, and that its schema takes."""
        schema = field.constraint.schema()
        assert schema["description"]
        assert schema["type"] in {"string", "integer", "boolean", "array", "object"}
        for good in (BODIES[cls][field.wire], *([schema["example"]] if "example" in schema else [])):
            field.constraint.read(good)
            described(schema).validate(good)


class TestTexts:
    @pytest.mark.parametrize(
        ("cls", "wire", "longest"),
        [
            (inputs.ProductInput, "externalProductId", 120),
            (inputs.ProductInput, "name", 255),
            (inputs.ProductInput, "description", 20_000),
            (inputs.ProductInput, "stockStatus", 40),
            (inputs.CampaignInput, "title", 160),
            (inputs.ConversionInput, "externalOrderId", 160),
            (inputs.ConversionInput, "clickId", 255),
            (inputs.ConversionInput, "couponCode", 120),
            (inputs.OrderStatusInput, "reason", 1_000),
        ],
    )
    def test_lengths(self, cls: type, wire: str, longest: int) -> None:
        """Lengths count characters, not bytes."""
        validate(cls, {**BODIES[cls], wire: "ü" * longest}, MERCHANT)
        said = [f"`{wire}` must be at most {longest:,} characters long"]
        assert refused(cls, {**BODIES[cls], wire: "ü" * (longest + 1)}) == said

    def test_blank_click(self) -> None:
        """Shops send an empty click id or coupon where they have none."""
        body = {**BODIES[inputs.ConversionInput], "clickId": "", "couponCode": ""}
        order = validate(inputs.ConversionInput, body, MERCHANT).value
        assert order.click_id is order.coupon_code is None

    def test_hostile_unicode(self) -> None:
        """Text is kept as it came: no trimming, folding or normal form."""
        name = "\u202eA\u0301 \U0001f469\u200d\U0001f680\ufeff"
        body = {**BODIES[inputs.ConversionInput], "externalOrderId": name}
        assert validate(inputs.ConversionInput, body, MERCHANT).value.external_order_id == name


class TestInstants:
    @pytest.mark.parametrize(
        ("text", "milliseconds"),
        [
            ("1970-01-01T00:00:00Z", 0),
            ("2026-11-20T10:00:00Z", 1_795_168_800_000),
            ("2026-11-20T12:00:00.5+02:00", 1_795_168_800_500),
            ("2026-11-20T10:00:00-00:00", 1_795_168_800_000),
            ("2024-02-29T23:59:59.999Z", 1_709_251_199_999),
            ("9999-12-31T23:59:59Z", 253_402_300_799_000),
        ],
    )
    def test_good(self, text: str, milliseconds: int) -> None:
        """Milliseconds UTC, whatever the offset."""
        body = {**BODIES[inputs.ConversionInput], "orderedAt": text}
        assert validate(inputs.ConversionInput, body, MERCHANT).value.ordered_at == milliseconds

    @pytest.mark.parametrize(
        "text",
        [
            "2026-11-20T10:00:00", "2026-11-20", "2026-11-20 10:00:00Z", "2026-11-20T10:00Z", "20261120T100000Z",
            "2026-11-20T10:00:00+0200", "2026-11-20T10:00:00+2:00", "2026-11-20T24:00:00Z", "2026-11-20T10:60:00Z",
            "2026-11-20T10:00:60Z", "2026-02-29T10:00:00Z", "2026-13-01T10:00:00Z", "0000-01-01T00:00:00Z",
            "0001-01-01T00:00:00Z", "1969-12-31T23:59:59Z", "2026-11-20T10:00:00.Z", "2026-11-20T10:00:00+25:00",
            "2026-11-20T10:00:00Z\n", "2026-W47-5T10:00:00Z", "1795168800", "٢٠٢٦-11-20T10:00:00Z", "now",
        ],
    )  # fmt: skip
    def test_bad(self, text: str) -> None:
        """A naive time, or one that does not exist, could be any of several."""
        (fault,) = refused(inputs.ConversionInput, {**BODIES[inputs.ConversionInput], "orderedAt": text})
        assert fault.startswith("`orderedAt` must ")


class TestMetadata:
    def test_size(self) -> None:
        """At most 64 kB, however it was written."""
        body = {**BODIES[inputs.ConversionInput], "metadata": {"a": "x" * 65_528}}
        validate(inputs.ConversionInput, body, MERCHANT)
        body["metadata"]["a"] += "x"
        assert refused(inputs.ConversionInput, body) == ["`metadata` must be at most 65,536 bytes of JSON"]

    def test_phps_empty_array_is_refused_with_what_to_write(self) -> None:
        """The PHP client writes it as an object by itself (its tests report such an order)."""
        order = BODIES[inputs.ConversionInput]
        told = "`metadata` must be a JSON object, {} if it is empty: in PHP (object) []"
        assert refused(inputs.ConversionInput, {**order, "metadata": []}) == [told]
        assert refused(inputs.ConversionInput, {**order, "metadata": [1]}) == ["`metadata` must be a JSON object"]

    @pytest.mark.parametrize("number", [2**63, -(2**63), 1e30, 10**25])
    def test_numbers_beyond_64_bits(self, number: Any) -> None:
        """They would come back as other numbers, so they are refused rather than changed in silence."""
        body = {**BODIES[inputs.ConversionInput], "metadata": {"a": [{"b": number}]}}
        assert refused(inputs.ConversionInput, body)[0].startswith("`metadata` must ")


class TestLists:
    def test_every_bad_item_is_named(self) -> None:
        """An item is named by its place."""
        assert refused(inputs.ArchivePayload, {"productIds": ["a", 1, "", "x" * 121]}) == [
            "`productIds[1]` must be a string",
            "`productIds[2]` must not be empty",
            "`productIds[3]` must be at most 120 characters long",
        ]

    def test_bounds(self) -> None:
        """Nothing to archive is fine, more than a payload's worth is not."""
        assert validate(inputs.ArchivePayload, {"productIds": []}, MERCHANT).value.product_ids == ()
        assert refused(inputs.ArchivePayload, {"productIds": ["a"] * 5_001}) == [
            "`productIds` must hold at most 5,000 items"
        ]
        assert len(refused(inputs.ArchivePayload, {"productIds": [1] * 5_000})) == 101


values = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=5), st.just([]), st.just({}),
    st.sampled_from(["1", "1.5", "1.555", "USD", "JPY", "PERCENTAGE", "FIXED", "2026-11-20T10:00:00Z", "paid"]),
)  # fmt: skip


@pytest.mark.parametrize("cls", BODIES)
@given(data=st.data())
def test_a_body_is_taken_exactly_if_nothing_is_wrong_with_it(cls: type, data: st.DataObject) -> None:
    """The faults are the same wherever they are asked for, and each value is what its constraint reads."""
    changed = data.draw(st.dictionaries(st.sampled_from([*BODIES[cls], "other", "present"]), values, max_size=3))
    dropped = data.draw(st.sets(st.sampled_from(list(BODIES[cls])), max_size=2))
    body = {wire: value for wire, value in {**BODIES[cls], **changed}.items() if wire not in dropped}
    expected = faults_of(cls, body, MERCHANT, RULES.get(cls))
    try:
        value: Any = validate(cls, body, MERCHANT).value
    except Invalid as invalid:
        found = invalid.faults
        assert found == expected or "U+0000" in found[0] or "surrogate" in found[0]
        return
    assert expected == []
    for field in fields_of(cls):
        given = body.get(field.wire)
        assert getattr(value, field.name) == (None if given is None else field.constraint.read(given))
    if reader_of(cls).clears:
        assert value.present == {field.name for field in fields_of(cls) if field.wire in body}
