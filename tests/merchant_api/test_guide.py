"""The guide to the API, docs/api.md: its values, its JSON, and what it names."""

from __future__ import annotations

import ast
import hashlib
import json
import re
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import get_args

import attrs
import pytest

import hub
from hub.catalog.inventory_items import UNKNOWN_ITEM
from hub.domain.orders.attribution import Reason
from hub.domain.orders.facts import FACTS_OF_KIND, ORDER_STATUSES
from hub.domain.orders.lifecycle import SKIP_REASONS
from hub.domain.orders.terms import LevelOutcome
from hub.domain.signing import sign, sign_v2, string_to_sign, string_to_sign_v2
from hub.domain.words import EventStatus
from hub.merchant_api.openapi.texts import WEBHOOK_FIELDS
from hub.merchant_api.v1 import ENDPOINTS
from hub.processing.identity import OTHER_ORDER
from hub.processing.snapshots import CURRENCY_CHANGED
from hub.records.explanations import AttributionExplained, CommissionExplained
from hub.validation.input_reader import fields_of
from hub.validation.inputs import (
    CampaignInput,
    ConversionInput,
    MerchantTerms,
    OrderStatusInput,
    ProductInput,
    ProductQuery,
    wire_name,
)
from hub.validation.validate import validate
from tests.merchant_api.test_openapi import assert_fits

PACKAGE = Path(hub.__file__).parent

GUIDE = (Path(__file__).parents[2] / "docs" / "api.md").read_text("utf-8")
BLOCKS = re.findall(r"^```(\w+)(?: (\w+))?\n(.*?)^```$", GUIDE, re.DOTALL | re.MULTILINE)
SECRET = "sec_test_an-example-that-signs-nothing"
TIMESTAMP = "1795176000"
BODY = '{"externalOrderId":"ORDER-1042","orderAmount":"49.90"}'
TERMS = MerchantTerms("USD", ("shop.example",))


class TestGuide:
    def test_vectors_are_what_the_code_computes(self) -> None:
        cells = {
            name: [cell.strip().strip("`") for cell in row]
            for name, *row in (line.strip("|").split("|") for line in GUIDE.splitlines() if line.startswith("| s"))
        }
        (timestamps,) = re.findall(r"^\| timestamp \| `(\d+)` \| `(\d+)` \|$", GUIDE, re.MULTILINE)
        (body,) = re.findall(r"^\| body \| `(.*)` \| \|$", GUIDE, re.MULTILINE)
        secrets, signed, signatures = cells[" secret "], cells[" signed "], cells[" signature "]
        for column, raw in enumerate((body, "")):
            assert signed[column] == f"{timestamps[column]}.{raw}"
            assert (secrets[column], timestamps[column]) == (SECRET, TIMESTAMP)
            assert signatures[column] == sign(secrets[column].encode(), timestamps[column], raw.encode())

    def test_the_vectors_with_a_nonce_are_what_the_code_computes(self) -> None:
        (texts,) = re.findall(r"^\| text \| `(.*)` \| `(.*)` \|$", GUIDE, re.MULTILINE)
        (macs,) = re.findall(r"^\| its HMAC \| `(.*)` \| `(.*)` \|$", GUIDE, re.MULTILINE)
        secret, stamp, body = SECRET.encode(), TIMESTAMP, BODY.encode()
        digest, target = hashlib.sha256(body).hexdigest(), "/api/v1/conversions"
        assert texts[0].encode() == string_to_sign(stamp, body, "n-1")
        assert texts[1].encode() == string_to_sign_v2(stamp, "n-1", "POST", target, digest)
        assert macs == (sign(secret, stamp, body, "n-1"), sign_v2(secret, stamp, "n-1", "POST", target, body))

    @pytest.mark.parametrize(("name", "text"), [(name, text) for language, name, text in BLOCKS if language == "json"])
    def test_json_is_what_the_hub_takes_and_gives(self, name: str, text: str) -> None:
        value = json.loads(text)
        assert_fits(value, name)
        if name in {cls.__name__ for cls in (CampaignInput, ConversionInput, OrderStatusInput)}:
            (cls,) = (cls for cls in (CampaignInput, ConversionInput, OrderStatusInput) if cls.__name__ == name)
            assert validate(cls, value, TERMS).unknown_fields == ()

    def test_every_field_is_named(self) -> None:
        told = set(re.findall(r"`([A-Za-z_]+)`", GUIDE))
        for cls in (ProductInput, CampaignInput, ConversionInput, ProductQuery):
            assert {field.wire for field in fields_of(cls)} <= told, cls
        assert {name for names in WEBHOOK_FIELDS.values() for name in names} <= told
        assert set(FACTS_OF_KIND) <= set(re.findall(r"`([a-z-]+)`", GUIDE))
        assert {*ORDER_STATUSES, *get_args(Reason), *get_args(EventStatus), *get_args(LevelOutcome)} <= told
        for part in (AttributionExplained, CommissionExplained):
            assert {wire_name(field.name) for field in attrs.fields(part)} <= told, part

    def test_every_reason_why_something_did_not_count_is_named(self) -> None:
        told = set(re.findall(r"^\| `([a-z_]+)(?:: \.\.\.)?`", GUIDE, re.MULTILINE))
        closed = {reason for reason in SKIP_REASONS if not reason.startswith("not_allowed_from_")}
        assert closed | {CURRENCY_CHANGED, OTHER_ORDER, UNKNOWN_ITEM, "uninteresting", "unmappable", "internal"} <= told

    def test_every_status_and_error_code_is_named(self) -> None:
        rows = "\n".join(line for line in GUIDE.splitlines() if line.startswith("|"))
        assert {str(status) for endpoint in ENDPOINTS for status in endpoint.errors} <= set(re.findall(r"\d{3}", rows))
        codes = error_codes()
        assert {"bad_signature", "validation_failed", "rate_limited", "not_found", "key_expired"} <= codes
        assert codes <= set(re.findall(r"`([a-z_]+)`", rows))

    def test_every_link_has_a_target(self) -> None:
        headings = {
            re.sub(r"[^\w -]", "", title).strip().lower().replace(" ", "-")
            for title in re.findall(r"^#+ (.*)$", GUIDE, re.MULTILINE)
        }
        links = re.findall(r"\]\(#([^)]+)\)", GUIDE)
        assert links
        assert set(links) <= headings


REFUSING = re.compile(r"\b(?:ApiError|unauthorized|invalid)\(|def _?fault\(")
"""What a file has that names an error code, so that no other is parsed."""


@cache
def error_codes() -> set[str]:
    """Every errorCode in the source: what refusals are raised with, and what the checks of a key return."""
    codes: set[str] = set()
    sources = (file.read_text("utf-8") for file in PACKAGE.rglob("*.py"))
    for source in (each for each in sources if REFUSING.search(each)):
        for node in ast.walk(ast.parse(source)):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                if node.func.id in {"ApiError", "unauthorized", "invalid"}:
                    codes |= _words(node.args[-1:])
            elif isinstance(node, ast.FunctionDef) and node.name in {"fault", "_fault"}:
                codes |= _words([each.value for each in ast.walk(node) if isinstance(each, ast.Return) and each.value])
    return codes


def _words(nodes: Iterable[ast.expr]) -> set[str]:
    constants = (each for node in nodes for each in ast.walk(node) if isinstance(each, ast.Constant))
    return {str(each.value) for each in constants if re.fullmatch(r"[a-z]+(_[a-z]+)+", str(each.value))}
