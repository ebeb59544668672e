"""What one connection may have kept: deliveries and bytes, and when to come again."""

from __future__ import annotations

from hub.platform_webhooks.delivery_limits import DeliveryLimits
from hub.rate_limits.token_buckets import TokenBuckets

MIB = 1024 * 1024


class Time:
    """A clock in seconds that is moved by hand."""

    def __init__(self) -> None:
        self.at = 0.0

    def __call__(self) -> float:
        return self.at


def limits(time: Time) -> DeliveryLimits:
    """One delivery and ten KiB a second; three deliveries and 5 MiB at once."""
    return DeliveryLimits(TokenBuckets(1, 3, time), TokenBuckets(10, 5 * 1024, time))


def test_deliveries_refill() -> None:
    time = Time()
    bounded = limits(time)
    assert [bounded.take("a", 10) for _ in range(5)] == [0, 0, 0, 1, 1]
    time.at = 2
    assert [bounded.take("a", 10) for _ in range(3)] == [0, 0, 1]
    assert bounded.take("b", 10) == 0


def test_bytes_count_too() -> None:
    """A refused delivery takes nothing, so it is granted when the wait is over."""
    time = Time()
    bounded = limits(time)
    assert bounded.take("a", 5 * MIB) == 0
    wait = bounded.take("a", MIB)
    assert wait == 103
    time.at = wait
    assert bounded.take("a", MIB) == 0


def test_the_largest_body_is_always_granted_once() -> None:
    """However small the setting is."""
    assert DeliveryLimits.per_minute(1, 1).take("a", 5 * MIB) == 0


def test_zero_is_no_limit() -> None:
    unlimited = DeliveryLimits.per_minute(0, 0)
    assert {unlimited.take("a", 5 * MIB) for _ in range(1_000)} == {0}
