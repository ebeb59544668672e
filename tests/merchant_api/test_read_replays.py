"""A signature reads each address once, for as long as it is valid."""

from __future__ import annotations

import pytest

from hub.merchant_api.read_replays import MOST_USES, ReadReplayGuard


class TestReadReplayGuard:
    def test_a_signature_reads_a_target_once(self) -> None:
        guard = ReadReplayGuard()
        assert guard.first_use(1_000, ("s", "/a"), 1_000)
        assert not guard.first_use(1_000, ("s", "/a"), 1_001)
        assert guard.first_use(1_000, ("s", "/b"), 1_001)
        assert guard.first_use(1_000, ("t", "/a"), 1_001)

    @pytest.mark.parametrize("signed_at", [700, 1_000, 1_300])
    def test_a_use_is_remembered_while_its_signature_is_valid(self, signed_at: int) -> None:
        guard = ReadReplayGuard()
        assert guard.first_use(signed_at, ("s", "/a"), 1_000)
        for now in range(1_000, signed_at + 301):
            guard.first_use(now, (str(now), "/other"), now)
            assert not guard.first_use(signed_at, ("s", "/a"), now)

    def test_a_use_is_forgotten_once_its_signature_has_expired(self) -> None:
        guard = ReadReplayGuard()
        for second in range(1_000, 3_000):
            guard.first_use(second, ("s", "/a"), second)
        assert len(guard) <= 302

    def test_the_number_of_uses_is_bounded(self) -> None:
        guard = ReadReplayGuard()
        for number in range(MOST_USES):
            guard.first_use(1_000, ("s", str(number)), 1_000)
        guard.first_use(1_001, ("s", "/a"), 1_000)
        assert len(guard) == 1
