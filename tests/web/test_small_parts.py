"""The small parts by themselves: caches, addresses, idempotency keys, replay memory, answers on the wire."""

from __future__ import annotations

import asyncio
from ipaddress import ip_network

import pytest
from multidict import CIMultiDict, CIMultiDictProxy

from hub.domain.instants import format_instant
from hub.http.client_address import client_address, within
from hub.http.errors import ApiError, error_body
from hub.intake.submission import Accepted
from hub.merchant_api.idempotency_key import idempotency_use
from hub.merchant_api.read_replays import KEPT, SafeReplays
from hub.merchant_api.responses import AcceptedEvent, ImportFault, ImportSummary, WebhookAccepted, encode
from hub.storage import StoreUnavailable
from hub.testing.clock import NOON, FakeClock
from hub.ttl_cache import ENTRIES, FreshCache
from hub.validation.validate import Invalid


class Source:
    """Counts how often it is asked."""

    def __init__(self) -> None:
        self.asked = 0
        self.fault: Exception | None = None

    async def load(self, key: str) -> str | None:
        self.asked += 1
        answer, fault = f"{key}:{self.asked}", self.fault
        await asyncio.sleep(0)
        if fault is not None:
            raise fault
        return None if key == "nothing" else answer


@pytest.fixture
def source() -> Source:
    return Source()


class TestFreshCache:
    async def test_remembers_what_there_is_and_what_there_is_not(self, source: Source, clock: FakeClock) -> None:
        cache = FreshCache(source.load, clock)
        assert [await cache.get("a", NOON) for _ in range(3)] == ["a:1"] * 3
        assert cache.at_hand("a", NOON) == "a:1"
        assert [await cache.get("nothing", NOON) for _ in range(3)] == [None] * 3
        assert source.asked == 2

    async def test_is_never_older_than_two_seconds(self, source: Source, clock: FakeClock) -> None:
        cache = FreshCache(source.load, clock)
        await cache.get("a", clock())
        clock.advance(2_000)
        assert cache.at_hand("a", clock()) is None
        assert await cache.get("a", clock()) == "a:2"

    async def test_is_read_again_in_the_background_from_half_that_age(self, source: Source, clock: FakeClock) -> None:
        cache = FreshCache(source.load, clock)
        await cache.get("a", clock())
        clock.advance(1_000)
        assert await cache.get("a", clock()) == "a:1"
        assert await cache.get("a", clock()) == "a:1"
        await asyncio.sleep(0.01)
        assert await cache.get("a", clock()) == "a:2"
        assert source.asked == 2

    async def test_many_who_ask_at_once_share_one_read(self, source: Source, clock: FakeClock) -> None:
        cache = FreshCache(source.load, clock)
        assert set(await asyncio.gather(*(cache.get("a", NOON) for _ in range(50)))) == {"a:1"}

    async def test_one_who_gives_up_does_not_take_it_from_the_others(self, source: Source, clock: FakeClock) -> None:
        cache = FreshCache(source.load, clock)
        hasty = asyncio.ensure_future(cache.get("a", NOON))
        patient = asyncio.ensure_future(cache.get("a", NOON))
        await asyncio.sleep(0)
        hasty.cancel()
        assert await patient == "a:1"

    async def test_a_fault_reaches_everybody_and_is_not_remembered(self, source: Source, clock: FakeClock) -> None:
        cache = FreshCache(source.load, clock)
        source.fault = StoreUnavailable("gone")
        results = await asyncio.gather(*(cache.get("a", NOON) for _ in range(3)), return_exceptions=True)
        assert {type(result) for result in results} == {StoreUnavailable}
        source.fault = None
        assert await cache.get("a", NOON) == "a:2"

    async def test_a_clock_that_runs_backwards_makes_nothing_older(self, source: Source, clock: FakeClock) -> None:
        cache = FreshCache(source.load, clock)
        await cache.get("a", clock())
        clock.advance(-60_000)
        assert await cache.get("a", clock()) == "a:2"

    async def test_is_bounded(self, source: Source, clock: FakeClock) -> None:
        cache = FreshCache(source.load, clock)
        for number in range(ENTRIES + 10):
            await cache.get(str(number), NOON)
        assert len(cache._entries) == ENTRIES
        assert cache.at_hand("0", NOON) is None


class TestAddresses:
    TRUSTED = (ip_network("10.0.0.0/8"), ip_network("2001:db8::/32"))

    @pytest.mark.parametrize(
        ("peer", "forwarded", "client"),
        [
            ("10.0.0.1", ["203.0.113.9"], "203.0.113.9"),
            ("10.0.0.1", ["198.51.100.1, 203.0.113.9"], "203.0.113.9"),
            ("10.0.0.1", ["198.51.100.1", "203.0.113.9, 10.0.0.2"], "203.0.113.9"),
            ("::ffff:10.0.0.1", ["::ffff:203.0.113.9"], "203.0.113.9"),
            ("2001:db8::1", ["2001:DB8:0::2, 2001:0db9::1"], "2001:db9::1"),
            ("10.0.0.1", ["203.0.113.9, unknown"], "10.0.0.1"),
            ("10.0.0.1", ["203.0.113.9,"], "10.0.0.1"),
            ("10.0.0.1", [], "10.0.0.1"),
            ("10.0.0.1", ["10.0.0.3, 10.0.0.2"], "10.0.0.1"),
            ("203.0.113.1", ["198.51.100.1"], "203.0.113.1"),
            ("", ["198.51.100.1"], ""),
        ],
    )
    def test_client(self, peer: str, forwarded: list[str], client: str) -> None:
        assert client_address(peer, forwarded, self.TRUSTED) == client

    def test_without_trusted_proxies_the_header_is_not_read(self) -> None:
        assert client_address("::ffff:10.0.0.1", ["203.0.113.9"], ()) == "10.0.0.1"

    def test_mapped_addresses_are_within_v4_ranges(self) -> None:
        assert within("::ffff:10.1.2.3", self.TRUSTED)
        assert not within("::ffff:11.1.2.3", self.TRUSTED)
        assert not within("nonsense", self.TRUSTED)


def key_of(*headers: tuple[str, str], query: str = "", raw: bytes = b"") -> tuple[str, str] | None:
    use = idempotency_use(CIMultiDictProxy(CIMultiDict(headers)), "POST /x", query, raw)
    return None if use is None else (use.key, use.fingerprint)


class TestIdempotencyKeys:
    @pytest.mark.parametrize(
        ("sent", "key"),
        [
            ("a", "a"),
            ('"a"', "a"),
            (r'"a\"b"', 'a"b'),
            (r'"a\\b"', r"a\b"),
            ('"a', '"a'),
            ('a"', 'a"'),
            ("x" * 255, "x" * 255),
        ],
    )
    def test_bare_and_quoted_forms_are_one_key(self, sent: str, key: str) -> None:
        use = key_of(("Idempotency-Key", sent))
        assert use is not None
        assert use[0] == key

    @pytest.mark.parametrize("sent", ['"a b"', '""', "x" * 256, '"é"'])
    def test_malformed(self, sent: str) -> None:
        with pytest.raises(ApiError) as fault:
            key_of(("Idempotency-Key", sent))
        assert fault.value.status == 400

    def test_both_names_and_repeats_must_agree(self) -> None:
        assert key_of(("Idempotency-Key", '"a"'), ("X-Idempotency-Key", "a"), ("Idempotency-Key", "a")) is not None
        with pytest.raises(ApiError):
            key_of(("Idempotency-Key", "a"), ("Idempotency-Key", "b"))

    def test_a_fingerprint_tells_query_and_body_apart(self) -> None:
        prints = {
            key_of(("Idempotency-Key", "a"), query=q, raw=r)
            for q, r in (("a", b"b"), ("ab", b""), ("", b"ab"), ("", b"1:a"))
        }
        assert len(prints) == 4


class TestSafeReplays:
    def test_a_signature_reads_a_target_once(self) -> None:
        memory = SafeReplays()
        assert memory.first_use(1_000, ("s", "/a"), 1_000)
        assert not memory.first_use(1_000, ("s", "/a"), 1_001)
        assert memory.first_use(1_000, ("s", "/b"), 1_001)
        assert memory.first_use(1_000, ("t", "/a"), 1_001)

    @pytest.mark.parametrize("signed_at", [700, 1_000, 1_300])
    def test_it_is_remembered_while_it_is_valid(self, signed_at: int) -> None:
        memory = SafeReplays()
        assert memory.first_use(signed_at, ("s", "/a"), 1_000)
        for now in range(1_000, signed_at + 301):
            memory.first_use(now, (str(now), "/other"), now)
            assert not memory.first_use(signed_at, ("s", "/a"), now)

    def test_it_is_forgotten_after(self) -> None:
        memory = SafeReplays()
        for second in range(1_000, 3_000):
            memory.first_use(second, ("s", "/a"), second)
        assert len(memory._seconds) <= 302
        assert memory._kept == sum(map(len, memory._seconds.values()))

    def test_it_is_bounded(self) -> None:
        memory = SafeReplays()
        for number in range(KEPT):
            memory.first_use(1_000, ("s", str(number)), 1_000)
        memory.first_use(1_001, ("s", "/a"), 1_000)
        assert memory._kept == 1


class TestAnswers:
    def test_wire_names_and_absent_members(self) -> None:
        summary = ImportSummary(1, 0, 0, 1, [ImportFault(0, None, "why")])
        assert encode(summary) == (
            b'{"received":1,"created":0,"updated":0,"failed":1,"errors":[{"index":0,"externalProductId":null,"message":"why"}]}'
        )
        assert (
            encode(AcceptedEvent("evt_1", "RECEIVED", False))
            == b'{"eventId":"evt_1","status":"RECEIVED","duplicate":false}'
        )

    @pytest.mark.parametrize("duplicate", [False, True])
    def test_what_the_desk_writes_is_what_is_described(self, duplicate: bool) -> None:
        """The desk writes its answers by hand, for speed."""
        status = "DUPLICATE" if duplicate else "RECEIVED"
        by_hand = Accepted("evt_1", status, duplicate, "cnv_1", webhook=False).body
        assert by_hand == encode(AcceptedEvent("evt_1", status, duplicate, "cnv_1" if duplicate else None))  # type: ignore[arg-type]
        status = "DUPLICATE" if duplicate else "QUEUED"
        by_hand = Accepted("evt_1", status, duplicate, None, webhook=True).body
        assert by_hand == encode(WebhookAccepted("evt_1", status, duplicate))  # type: ignore[arg-type]

    def test_errors_name_the_reason_phrase(self) -> None:
        assert error_body(400, ["a", "b"]) == b'{"statusCode":400,"message":["a","b"],"error":"Bad Request"}'

    def test_times(self) -> None:
        assert format_instant(NOON) == "2026-11-20T12:00:00.000Z"

    def test_invalid_is_raised_with_every_fault(self) -> None:
        assert Invalid(["a", "b"]).faults == ["a", "b"]
