"""Errors keep the bytes that they always had, and say more behind them; a 401 says nothing more."""

from __future__ import annotations

import pytest
from aiohttp.test_utils import make_mocked_request

from hub.app import Hub
from hub.http.errors import UNAUTHORIZED_BODY, error_body
from hub.http.response import Reply as HubReply
from hub.merchant_api.endpoint import Endpoint
from hub.merchant_api.error_references import docs_address, first_param, with_reference
from hub.merchant_api.v1 import ENDPOINTS
from tests.served_hub import Api, Reply


async def test_an_error_names_code_field_documentation_and_request(hub: Hub, api: Api) -> None:
    reply = await api("POST", "/v1/conversions", {"externalOrderId": "A-1"}, headers={"X-Request-ID": "checkout-1"})
    before = error_body(400, ["`orderAmount` must be given"])
    assert reply.raw.startswith(before[:-1] + b",")
    more = {key: reply.json[key] for key in list(reply.json)[3:]}
    assert more == {
        "code": "validation_failed",
        "param": "orderAmount",
        "docUrl": f"{hub.url}/docs/errors#validation_failed",
        "requestId": "checkout-1",
    }


@pytest.mark.parametrize(
    ("method", "path", "code"),
    [
        ("GET", "/v1/products/none", "not_found"),
        ("GET", "/v1/nothing", "not_found"),
        ("DELETE", "/v1/products", "method_not_allowed"),
    ],
)
async def test_every_refusal_has_a_code_and_its_request(api: Api, method: str, path: str, code: str) -> None:
    reply = await api(method, path)
    assert (reply.json["code"], reply.json["requestId"]) == (code, reply.headers["X-Request-ID"])
    assert "param" not in reply.json


@pytest.mark.parametrize("endpoint", ENDPOINTS, ids=lambda endpoint: endpoint.operation)
async def test_a_401_is_the_same_bytes_on_every_route(api: Api, endpoint: Endpoint) -> None:
    path = endpoint.path.replace("{id}", "x").replace("{eventId}", "x")
    unsigned: Reply = await api(endpoint.method, path, headers={"X-Signature": "0" * 64})
    assert (unsigned.status, unsigned.raw) == (401, UNAUTHORIZED_BODY)


def test_a_success_and_a_401_keep_their_bytes() -> None:
    for reply in (HubReply(200, b"{}"), HubReply(401, UNAUTHORIZED_BODY, code="bad_signature")):
        assert with_reference(reply, "req_1", "/docs", make_mocked_request("GET", "/")) is reply


@pytest.mark.parametrize(
    ("configured", "host", "address"),
    [
        ("https://hub.example/docs/errors", "other.example", "https://hub.example/docs/errors"),
        ("/docs/errors", "hub.example:8080", "http://hub.example:8080/docs/errors"),
        ("/docs/errors", "[::1]:8080", "http://[::1]:8080/docs/errors"),
        ("/docs/errors", 'hub.example/"', "/docs/errors"), ("/docs/errors", "", "/docs/errors"),
    ],
)  # fmt: skip
def test_the_explanation_has_an_absolute_address(configured: str, host: str, address: str) -> None:
    """Without a public address it is the one that was asked, if it is one."""
    assert docs_address(configured, make_mocked_request("GET", "/", headers={"Host": host})) == address


@pytest.mark.parametrize(
    ("message", "param"),
    [("`a` is no list", None), ([], None), (["no field"], None), (["`a.b[2]` must be given", "`c` too"], "a.b[2]")],
)
def test_the_first_field_is_named(message: str | list[str], param: str | None) -> None:
    assert first_param(message) == param


async def test_another_method_is_answered_with_those_that_there_are(api: Api) -> None:
    one, two = await api("DELETE", "/v1/products"), await api("DELETE", "/v1/products/none")
    assert (one.json["message"], one.headers["Allow"]) == ("DELETE is not possible here; GET is.", "GET")
    said = "DELETE is not possible here; GET and PATCH are."
    assert (two.json["message"], two.headers["Allow"]) == (said, "GET, PATCH")
