"""Every way to fail authentication looks the same from outside and is told apart in the request log."""

from __future__ import annotations

import hashlib
import hmac

import pytest
from multidict import CIMultiDict

from hub.app import Hub
from hub.http.errors import UNAUTHORIZED_BODY
from hub.operations.merchants.keys import revoke_key
from hub.operations.merchants.merchants import set_merchant_status
from hub.testing.clock import FakeClock
from tests.served_hub import Api, ApiKey, Reply, api_of, log_of, new_key, new_merchant, served

ORDER = b'{"externalOrderId":"A-1","orderAmount":"10.00"}'
PATH = "/v1/conversions"


def refused(reply: Reply) -> None:
    """The uniform 401: same bytes, same headers but for the request's own id and time."""
    assert reply.status == 401
    assert reply.raw == UNAUTHORIZED_BODY
    assert set(reply.headers) == {
        "Content-Type", "X-Request-ID", "Cache-Control", "WWW-Authenticate", "Content-Length", "Date", "Server",
    }  # fmt: skip


async def last_code(hub: Hub, key: ApiKey | None) -> tuple[str, dict[str, object] | None]:
    entry = (await log_of(hub, key))[-1]
    assert entry["status"] == 401
    return entry["errorCode"], entry["detail"]


async def post(api: Api, **changes: str) -> Reply:
    return await api.send("POST", PATH, ORDER, {**api.headers(ORDER), **changes})


class TestSignature:
    async def test_the_signature_is_hmac_sha256_of_timestamp_point_and_raw_body(self, api: Api) -> None:
        """The specification's own words, computed without the hub's code."""
        stamp = str(api.clock() // 1000)
        signature = hmac.new(api.key.secret.encode(), stamp.encode() + b"." + ORDER, hashlib.sha256).hexdigest()
        headers = {"X-API-Key": api.key.key_id, "X-Timestamp": stamp, "X-Signature": signature}
        assert (await api.send("POST", PATH, ORDER, headers)).status == 202

    async def test_without_a_body_covers_the_timestamp_and_a_point(self, api: Api) -> None:
        stamp = str(api.clock() // 1000)
        signature = hmac.new(api.key.secret.encode(), f"{stamp}.".encode(), hashlib.sha256).hexdigest()
        headers = {"X-API-Key": api.key.key_id, "X-Timestamp": stamp, "X-Signature": signature}
        assert (await api.send("GET", "/v1/products", b"", headers)).status == 200

    async def test_covers_the_bytes_as_sent(self, api: Api) -> None:
        """The same JSON with other spaces is another body."""
        headers = api.headers(ORDER)
        refused(await api.send("POST", PATH, ORDER.replace(b":", b": "), headers))

    @pytest.mark.parametrize("place", [0, 31, 63])
    async def test_a_flipped_digit_is_refused(self, api: Api, hub: Hub, place: int) -> None:
        signature = api.headers(ORDER, str(api.clock() // 1000))["X-Signature"]
        other = "0" if signature[place] != "0" else "1"
        changed = signature[:place] + other + signature[place + 1 :]
        refused(await post(api, **{"X-Timestamp": str(api.clock() // 1000), "X-Signature": changed}))
        assert (await last_code(hub, api.key))[0] == "bad_signature"

    @pytest.mark.parametrize(
        "signature",
        ["", "0", "z" * 64, "A" * 64, "é" * 32, "\N{SNOWMAN}" * 64, "0" * 5000, "sha256=" + "0" * 64],
        ids=["empty", "short", "no hex", "upper", "latin", "unicode", "long", "prefixed"],
    )
    async def test_hostile_signatures_are_refused(self, api: Api, signature: str) -> None:
        refused(await post(api, **{"X-Signature": signature}))

    async def test_upper_case_hex_is_refused(self, api: Api) -> None:
        headers = api.headers(ORDER)
        refused(await api.send("POST", PATH, ORDER, {**headers, "X-Signature": headers["X-Signature"].upper()}))


class TestLogOfRefusals:
    @pytest.mark.parametrize("name", ["X-API-Key", "X-Timestamp", "X-Signature"])
    async def test_a_missing_header_is_refused(self, api: Api, hub: Hub, name: str) -> None:
        headers = api.headers(ORDER)
        del headers[name]
        refused(await api.send("POST", PATH, ORDER, headers))
        owner = None if name == "X-API-Key" else api.key
        assert await last_code(hub, owner) == ("missing_header", {"headers": [name]})

    @pytest.mark.parametrize("name", ["X-API-Key", "X-Timestamp", "X-Signature"])
    async def test_a_duplicate_header_is_refused(self, api: Api, hub: Hub, name: str) -> None:
        """Even a second header of the same value: which one would have counted elsewhere is anybody's guess."""
        headers = CIMultiDict(api.headers(ORDER))
        headers.add(name, headers[name])
        refused(await api.send("POST", PATH, ORDER, headers))
        owner = None if name == "X-API-Key" else api.key
        assert await last_code(hub, owner) == ("duplicate_header", {"headers": [name]})

    @pytest.mark.parametrize(
        "key_id", ["ak_test_" + "0" * 32, "nonsense", "ak_test_'; DROP TABLE api_keys", "\N{SNOWMAN}"]
    )
    async def test_an_unknown_key_is_refused(self, api: Api, hub: Hub, key_id: str) -> None:
        refused(await post(api, **{"X-API-Key": key_id}))
        assert (await last_code(hub, None))[0] == "unknown_key"

    @pytest.mark.parametrize(
        "stamp", ["0", "abc", "1795176000.5", " 1795176000", "+795176000", "١٧٩٥١٧٦٠٠٠", "17951760000", "-795176000"]
    )
    async def test_a_malformed_timestamp_is_refused(self, api: Api, hub: Hub, stamp: str) -> None:
        headers = api.headers(ORDER, stamp.strip()) | {"X-Timestamp": stamp}
        reply = await api.send("POST", PATH, ORDER, headers)
        if stamp == " 1795176000":
            assert reply.status == 202  # white space around a header's value is no part of it
            return
        refused(reply)
        assert (await last_code(hub, api.key))[0] == "bad_timestamp"

    @pytest.mark.parametrize(("skew", "status"), [(-301, 401), (-300, 202), (300, 202), (301, 401)])
    async def test_a_timestamp_may_be_off_by_the_tolerance(self, api: Api, hub: Hub, skew: int, status: int) -> None:
        stamp = str(api.clock() // 1000 + skew)
        reply = await api.send("POST", PATH, ORDER, api.headers(ORDER, stamp))
        assert reply.status == status
        if status == 401:
            code, detail = await last_code(hub, api.key)
            assert code == "timestamp_out_of_range"
            assert detail == {"signedString": f"{stamp}.{ORDER.decode()}", "clockSkewSeconds": skew}

    async def test_bad_signature_tells_what_was_signed(self, api: Api, hub: Hub) -> None:
        """The first 200 bytes, escaped where they are no text; never the signature or the secret."""
        body = b'{"externalOrderId":"\xff\x00' + b"x" * 500
        refused(await api.send("POST", PATH, body, api.headers(b"another body")))
        code, detail = await last_code(hub, api.key)
        assert code == "bad_signature"
        assert detail is not None
        assert str(detail["signedString"]).partition(".")[2].startswith('{"externalOrderId":"\\xff\x00xxx')
        assert len(str(detail["signedString"])) <= 203

    async def test_a_secret_in_the_wrong_header_is_not_logged_whole(self, api: Api, hub: Hub) -> None:
        refused(await post(api, **{"X-Timestamp": api.key.secret}))
        refused(await post(api, **{"X-API-Key": api.key.secret}))
        assert api.key.secret not in str(await log_of(hub, api.key)) + str(await log_of(hub))


class TestKeys:
    async def test_a_revoked_key_is_refused(self, api: Api, hub: Hub, clock: FakeClock) -> None:
        assert (await post(api)).status == 202
        await revoke_key(hub.parts.store, clock, api.key.key_id)
        clock.advance(2_000)
        refused(await post(api))
        assert (await last_code(hub, api.key))[0] == "key_revoked"

    async def test_an_expired_key_is_refused(self, api: Api, hub: Hub, clock: FakeClock) -> None:
        brief = api.with_key(await new_key(hub, clock, api.key.merchant_id, expires_in="10s"))
        assert (await post(brief)).status == 202
        clock.advance(10_000)
        refused(await post(brief))
        assert (await last_code(hub, api.key))[0] == "key_expired"

    async def test_several_keys_of_one_account_share_its_data(self, api: Api, hub: Hub, clock: FakeClock) -> None:
        other = api.with_key(await new_key(hub, clock, api.key.merchant_id))
        assert (await post(api)).json["status"] == "RECEIVED"
        assert (await post(other)).json["status"] == "DUPLICATE"

    async def test_modes_have_separate_data(self, api: Api, hub: Hub, clock: FakeClock) -> None:
        """A test order never shadows a live one."""
        live = api.with_key(await new_key(hub, clock, api.key.merchant_id, "live"))
        assert (await post(api)).json["status"] == "RECEIVED"
        assert (await post(live)).json["status"] == "RECEIVED"

    @pytest.mark.parametrize(
        ("status", "code"), [("SUSPENDED", "merchant_suspended"), ("PENDING", "merchant_not_approved")]
    )
    async def test_live_keys_need_an_approved_merchant(
        self, api: Api, hub: Hub, clock: FakeClock, status: str, code: str
    ) -> None:
        live = api.with_key(await new_key(hub, clock, api.key.merchant_id, "live"))
        assert (await post(live)).status == 202
        await set_merchant_status(hub.parts.store, clock, api.key.merchant_id, status)
        clock.advance(2_000)
        refused(await post(live))
        assert (await last_code(hub, api.key))[0] == code
        assert (await post(api)).status == 202, "test keys go on"

    async def test_a_new_key_works_although_it_was_asked_for_before(self, api: Api, hub: Hub, clock: FakeClock) -> None:
        """That a key is unknown is remembered for two seconds at most."""
        key_id = "ak_test_" + "7" * 32
        refused(await post(api, **{"X-API-Key": key_id}))
        async with hub.parts.store.write() as tx:
            row = await tx.one("key_with_merchant", key_id=api.key.key_id)
            assert row is not None
            sealed = hub.parts.sealer.seal(b"hush", key_id)
            await tx.run("insert_key", key_id=key_id, name=None, account_id=row["account_id"], sealed_secret=sealed,
                         allowed_cidrs="[]", expires_at=None, now=clock(), signature_version=1)  # fmt: skip
        clock.advance(2_000)
        assert (await post(api.with_key(ApiKey(key_id, "hush", api.key.merchant_id)))).status == 202


class TestAddresses:
    async def test_a_key_may_be_bound_to_ranges(self, api: Api, hub: Hub, clock: FakeClock) -> None:
        here = api.with_key(await new_key(hub, clock, api.key.merchant_id, allowed=["127.0.0.0/8"]))
        away = api.with_key(await new_key(hub, clock, api.key.merchant_id, allowed=["203.0.113.0/24", "2001:db8::/32"]))
        assert (await post(here)).status == 202
        refused(await post(away))
        assert (await last_code(hub, api.key))[0] == "ip_not_allowed"

    async def test_forwarded_addresses_of_strangers_count_for_nothing(
        self, api: Api, hub: Hub, clock: FakeClock
    ) -> None:
        away = api.with_key(await new_key(hub, clock, api.key.merchant_id, allowed=["203.0.113.0/24"]))
        refused(await post(away, **{"X-Forwarded-For": "203.0.113.9"}))

    @pytest.mark.parametrize(
        ("forwarded", "status"),
        [
            ("203.0.113.9", 202),
            ("198.51.100.1, 203.0.113.9", 202),
            ("203.0.113.9, 198.51.100.1", 401),
            ("203.0.113.9, 10.0.0.1, 127.0.0.2", 202),
            ("::ffff:203.0.113.9", 202),
            ("203.0.113.9, nonsense", 401),
            ("", 401),
        ],
    )
    async def test_addresses_come_from_trusted_proxies_only(
        self, sqlite_url: str, clock: FakeClock, forwarded: str, status: int
    ) -> None:
        """The right-most address that is no trusted proxy is the client."""
        async with (
            served(sqlite_url, clock, HUB_TRUSTED_PROXIES="127.0.0.0/8,10.0.0.0/8") as hub,
            api_of(hub, clock) as api,
        ):
            bound = api.with_key(await new_key(hub, clock, api.key.merchant_id, allowed=["203.0.113.0/24"]))
            reply = await post(bound, **{"X-Forwarded-For": forwarded})
            assert reply.status == status
            if status == 202:
                assert (await log_of(hub, api.key))[-1]["client"] == "203.0.113.9"


class TestUniformity:
    async def test_another_keys_secret_is_refused(self, api: Api, hub: Hub, clock: FakeClock) -> None:
        """The key of one merchant with the secret of another is a bad signature."""
        stranger = await new_key(hub, clock, await new_merchant(hub, clock, "Other", approve=True))
        mixed = api.with_key(ApiKey(api.key.key_id, stranger.secret, api.key.merchant_id))
        refused(await post(mixed))

    async def test_a_refused_request_stores_nothing(self, api: Api) -> None:
        refused(await post(api, **{"X-Signature": "0" * 64}))
        assert (await api("GET", "/v1/events")).json["data"] == []
        assert (await post(api)).json["duplicate"] is False
