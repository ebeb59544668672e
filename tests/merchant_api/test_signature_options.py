"""The optional headers of a signature: a nonce makes two equal requests two, version 2 covers method and target."""

from __future__ import annotations

import hashlib
import hmac

import pytest
from multidict import CIMultiDict

from hub.app import Hub
from hub.http.errors import UNAUTHORIZED_BODY
from hub.testing.clock import FakeClock
from tests.served_hub import Api, Reply, log_of, new_key

ORDER = b'{"externalOrderId":"A-1","orderAmount":"10.00"}'
ROWS = b"externalOrderId,orderAmount\nA-1,10.00\n"
CONVERSIONS = "/v1/conversions"
UPLOADS = "/v1/uploads/orders"


def mac(api: Api, text: bytes) -> str:
    return hmac.new(api.key.secret.encode(), text, hashlib.sha256).hexdigest()


def headers(api: Api, signature: str, kind: str = "application/json", **more: str) -> dict[str, str]:
    named = {name.replace("_", "-"): value for name, value in more.items()}
    signed = {"X-API-Key": api.key.key_id, "X-Timestamp": stamp(api), "X-Signature": signature}
    return {**signed, **named, "Content-Type": kind}


def stamp(api: Api) -> str:
    return str(api.clock() // 1000)


def with_nonce(api: Api, nonce: str, body: bytes = ORDER, kind: str = "application/json") -> dict[str, str]:
    signature = mac(api, f"{stamp(api)}.{nonce}.".encode() + body)
    return headers(api, signature, kind, X_Nonce=nonce)


def version_2(
    api: Api, method: str, target: str, body: bytes, nonce: str = "", kind: str = "application/json"
) -> dict[str, str]:
    text = f"v2.{stamp(api)}.{nonce}.{method}.{target}.{hashlib.sha256(body).hexdigest()}"
    nonces = {"X_Nonce": nonce} if nonce else {}
    return headers(api, mac(api, text.encode()), kind, X_Signature_Version="2", **nonces)


async def errors(hub: Hub, api: Api) -> list[str]:
    return [entry["errorCode"] for entry in await log_of(hub, api.key)]


def refused(reply: Reply) -> None:
    assert (reply.status, reply.raw) == (401, UNAUTHORIZED_BODY)


class TestNonce:
    async def test_two_equal_bodies_in_one_second_are_two_requests(self, api: Api) -> None:
        replies = [await api.send("POST", CONVERSIONS, ORDER, with_nonce(api, nonce)) for nonce in ("a", "b")]
        assert [reply.status for reply in replies] == [202, 202]
        assert [reply.json["duplicate"] for reply in replies] == [False, True]

    async def test_without_nonces_the_second_is_a_replay(self, api: Api) -> None:
        """The control."""
        sent = headers(api, mac(api, f"{stamp(api)}.".encode() + ORDER))
        replies = [await api.send("POST", CONVERSIONS, ORDER, sent) for _ in range(2)]
        assert [reply.status for reply in replies] == [202, 401]

    async def test_the_same_nonce_again_is_a_replay(self, hub: Hub, api: Api) -> None:
        sent = with_nonce(api, "a")
        assert (await api.send("POST", CONVERSIONS, ORDER, sent)).status == 202
        refused(await api.send("POST", CONVERSIONS, ORDER, sent))
        assert (await errors(hub, api))[-1] == "signature_replayed"

    async def test_equal_reads_in_one_second_are_all_answered(self, api: Api) -> None:
        replies = [await api.send("GET", "/v1/products", b"", with_nonce(api, str(n), b"")) for n in range(8)]
        assert {reply.status for reply in replies} == {200}

    async def test_another_nonce_than_the_signed_one_is_refused(self, hub: Hub, api: Api) -> None:
        refused(await api.send("POST", CONVERSIONS, ORDER, {**with_nonce(api, "a"), "X-Nonce": "b"}))
        assert (await errors(hub, api))[-1] == "bad_signature"

    async def test_a_signed_nonce_cannot_be_left_out(self, api: Api) -> None:
        sent = with_nonce(api, "a")
        del sent["X-Nonce"]
        refused(await api.send("POST", CONVERSIONS, ORDER, sent))

    @pytest.mark.parametrize("nonce", ["x" * 64, "!~", "01J.Z-9"])
    async def test_up_to_64_visible_characters_are_a_nonce(self, api: Api, nonce: str) -> None:
        assert (await api.send("POST", CONVERSIONS, ORDER, with_nonce(api, nonce))).status == 202

    @pytest.mark.parametrize("nonce", ["", "x" * 65, "a b", "\N{SNOWMAN}"])
    async def test_anything_else_is_not_a_nonce(self, hub: Hub, api: Api, nonce: str) -> None:
        refused(await api.send("POST", CONVERSIONS, ORDER, with_nonce(api, nonce)))
        assert (await errors(hub, api))[-1] == "bad_nonce"

    async def test_two_nonces_are_refused(self, hub: Hub, api: Api) -> None:
        sent = CIMultiDict(with_nonce(api, "a"))
        sent.add("X-Nonce", "a")
        refused(await api.send("POST", CONVERSIONS, ORDER, sent))
        assert (await errors(hub, api))[-1] == "duplicate_header"

    async def test_an_upload_may_have_one(self, api: Api) -> None:
        reply = await api.send("POST", UPLOADS, ROWS, with_nonce(api, "a", ROWS, kind="text/csv"))
        assert reply.status == 202


class TestVersion2:
    @pytest.mark.parametrize("nonce", ["", "n-1"])
    async def test_covers_method_target_and_body(self, api: Api, nonce: str) -> None:
        sent = version_2(api, "POST", "/api/v1/conversions?x=%41", ORDER, nonce)
        assert (await api.send("POST", f"{CONVERSIONS}?x=%41", ORDER, sent)).status == 202

    async def test_the_signature_of_a_read_is_not_one_of_a_write(self, hub: Hub, api: Api) -> None:
        campaign = (await api("POST", "/v1/campaigns", {"title": "Autumn"})).json["id"]
        sent = version_2(api, "GET", "/api/v1/products", b"")
        refused(await api.send("POST", f"/v1/campaigns/{campaign}/activate", b"", sent))
        assert (await errors(hub, api))[-1] == "bad_signature"
        assert (await api.send("GET", "/v1/products", b"", sent)).status == 200

    async def test_in_version_1_it_would_be_one(self, api: Api) -> None:
        """The control: the specification's signature covers the body alone."""
        campaign = (await api("POST", "/v1/campaigns", {"title": "Autumn"})).json["id"]
        sent = headers(api, mac(api, f"{stamp(api)}.".encode()))
        assert (await api.send("GET", "/v1/products", b"", sent)).status == 200
        assert (await api.send("POST", f"/v1/campaigns/{campaign}/activate", b"", sent)).status == 200

    async def test_another_body_is_refused(self, api: Api) -> None:
        sent = version_2(api, "POST", "/api/v1/conversions", ORDER)
        refused(await api.send("POST", CONVERSIONS, ORDER.replace(b"10.00", b"99.00"), sent))

    async def test_an_upload_is_signed_by_its_digest(self, api: Api) -> None:
        sent = version_2(api, "POST", "/api/v1/uploads/orders", ROWS, kind="text/csv")
        assert (await api.send("POST", UPLOADS, ROWS, sent)).status == 202
        again = version_2(api, "POST", "/api/v1/uploads/orders", ROWS, "n", kind="text/csv")
        refused(await api.send("POST", UPLOADS, ROWS + b"\n", again))

    async def test_version_1_may_be_named(self, api: Api) -> None:
        sent = headers(api, mac(api, f"{stamp(api)}.".encode() + ORDER), X_Signature_Version="1")
        assert (await api.send("POST", CONVERSIONS, ORDER, sent)).status == 202

    @pytest.mark.parametrize("version", ["", "3", "v2", "02"])
    async def test_no_other_version_is_known(self, hub: Hub, api: Api, version: str) -> None:
        sent = {**version_2(api, "POST", "/api/v1/conversions", ORDER), "X-Signature-Version": version}
        refused(await api.send("POST", CONVERSIONS, ORDER, sent))
        assert (await errors(hub, api))[-1] == "bad_signature_version"


class TestKeysThatRequireVersion2:
    @pytest.fixture
    async def strict(self, hub: Hub, api: Api, clock: FakeClock) -> Api:
        return api.with_key(await new_key(hub, clock, api.key.merchant_id, signature_version=2))

    async def test_they_refuse_version_1(self, hub: Hub, strict: Api) -> None:
        refused(await strict.send("POST", CONVERSIONS, ORDER, with_nonce(strict, "a")))
        assert (await errors(hub, strict))[-1] == "signature_version_required"

    async def test_they_take_version_2(self, strict: Api) -> None:
        sent = version_2(strict, "POST", "/api/v1/conversions", ORDER)
        assert (await strict.send("POST", CONVERSIONS, ORDER, sent)).status == 202
