"""What a campaign is at a moment, and which changes are refused."""

from __future__ import annotations

import pytest

from hub.domain.orders.campaigns import (
    CampaignLife,
    campaign_code,
    effective_status,
    live_at,
    refuse_activation,
    refuse_pause,
    refuse_status,
)

START, END = 1_000, 9_000
LIFE = CampaignLife(
    "cmp_1",
    start_at=START,
    end_at=END,
    cookie_duration_days=None,
    changes=((0, "DRAFT"), (500, "ACTIVE"), (3_000, "PAUSED"), (5_000, "ACTIVE"), (5_000, "PAUSED"), (7_000, "ACTIVE")),
)


@pytest.mark.parametrize(
    ("at", "live"),
    [
        (-1, False),  # before it existed
        (499, False),  # a draft
        (999, False),  # active, but not begun
        (1_000, True),  # the first millisecond
        (2_999, True),
        (3_000, False),  # paused
        (5_000, False),  # activated and paused again in one millisecond: the later change counts
        (6_999, False),
        (7_000, True),
        (8_999, True),  # the last millisecond
        (9_000, False),  # over
    ],
)
def test_liveness_is_asked_for_a_moment(at: int, live: bool) -> None:
    assert live_at(LIFE, at) is live


def test_a_campaign_without_dates_lives_by_its_status_alone() -> None:
    life = CampaignLife("cmp_1", None, None, None, ((10, "ACTIVE"), (20, "ARCHIVED")))
    assert [live_at(life, at) for at in (9, 10, 19, 20)] == [False, True, True, False]


@pytest.mark.parametrize("status", ["DRAFT", "ACTIVE", "PAUSED"])
def test_any_stored_status_shows_as_expired_once_the_end_has_come(status: str) -> None:
    assert effective_status(status, END, END - 1) == status
    assert effective_status(status, END, END) == "EXPIRED"
    assert effective_status(status, None, END) == status


def test_archived_outlasts_the_end() -> None:
    assert effective_status("ARCHIVED", END, END + 1) == "ARCHIVED"


@pytest.mark.parametrize("approval", ["NOT_REQUIRED", "APPROVED"])
@pytest.mark.parametrize("status", ["DRAFT", "ACTIVE", "PAUSED"])
def test_an_approved_campaign_can_be_activated_from_any_open_status(status: str, approval: str) -> None:
    assert refuse_activation(status, approval, END, END - 1) is None


@pytest.mark.parametrize(
    ("status", "approval", "now", "reason"),
    [
        ("DRAFT", "PENDING", 0, "needs an admin's approval before it can be activated; its approval is PENDING"),
        ("PAUSED", "REJECTED", 0, "needs an admin's approval before it can be activated; its approval is REJECTED"),
        ("DRAFT", "APPROVED", END, "endDate has passed"),
        ("ACTIVE", "APPROVED", END, "endDate has passed"),
        ("ARCHIVED", "APPROVED", 0, "archived campaign stays archived"),
        ("ARCHIVED", "APPROVED", END, "archived campaign stays archived"),
    ],
)
def test_activation_is_refused_with_the_reason(status: str, approval: str, now: int, reason: str) -> None:
    assert reason in str(refuse_activation(status, approval, END, now))
    assert reason in str(refuse_status(status, "ACTIVE", approval, END, now))


def test_an_active_campaign_stays_active_even_where_approval_was_asked_for_later() -> None:
    assert refuse_activation("ACTIVE", "PENDING", None, 0) is None


@pytest.mark.parametrize(
    ("status", "now", "reason"),
    [
        ("ACTIVE", 0, None),
        ("PAUSED", 0, None),
        ("DRAFT", 0, "Only an ACTIVE campaign can be paused; this one is DRAFT."),
        ("ACTIVE", END, "Only an ACTIVE campaign can be paused; this one is EXPIRED."),
        ("ARCHIVED", 0, "Only an ACTIVE campaign can be paused; this one is ARCHIVED."),
    ],
)
def test_only_what_is_active_can_be_paused(status: str, now: int, reason: str | None) -> None:
    assert refuse_pause(status, END, now) == reason


@pytest.mark.parametrize("status", ["DRAFT", "ACTIVE", "PAUSED", "ARCHIVED"])
def test_everything_can_be_archived_even_after_its_end(status: str) -> None:
    assert refuse_status(status, "ARCHIVED", "PENDING", END, END) is None


@pytest.mark.parametrize("wanted", ["DRAFT", "ACTIVE", "PAUSED", "EXPIRED"])
def test_archived_is_final(wanted: str) -> None:
    assert "archived campaign stays archived" in str(refuse_status("ARCHIVED", wanted, "APPROVED", None, 0))


@pytest.mark.parametrize("status", ["DRAFT", "ACTIVE", "PAUSED"])
def test_expired_cannot_be_set(status: str) -> None:
    assert "EXPIRED cannot be set" in str(refuse_status(status, "EXPIRED", "APPROVED", END, END))


@pytest.mark.parametrize(
    ("status", "wanted", "allowed"),
    [
        ("DRAFT", "DRAFT", True),
        ("ACTIVE", "ACTIVE", True),
        ("PAUSED", "PAUSED", True),
        ("ACTIVE", "PAUSED", True),
        ("PAUSED", "ACTIVE", True),
        ("DRAFT", "PAUSED", False),
        ("ACTIVE", "DRAFT", False),
        ("PAUSED", "DRAFT", False),
    ],
)
def test_a_patch_takes_the_transitions_of_activate_and_pause(status: str, wanted: str, allowed: bool) -> None:
    assert (refuse_status(status, wanted, "NOT_REQUIRED", None, 0) is None) is allowed


def test_a_code_is_made_of_five_random_bytes() -> None:
    assert campaign_code(b"\x00\x44\x32\x14\xc7") == "CMP-ABCDEFGH"
    with pytest.raises(ValueError, match="5 random bytes, not of 4"):
        campaign_code(b"1234")
