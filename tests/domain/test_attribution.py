"""Whose click led to an order: one case for each reason, and every edge to the millisecond."""

from __future__ import annotations

from typing import Any
from uuid import UUID

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from hub.domain.orders.attribution import Attribution, CampaignLife, Click, attribute, well_formed_click
from hub.ids import new_id

SECOND, MINUTE, HOUR, DAY = 1_000, 60_000, 3_600_000, 86_400_000
CLICKED = 1_700_000_000_000
CLICK_ID = "clk_01890a5d8c7e7b3a9f0c1d2e3f405162"
CLICK = Click(CLICK_ID, "aff_1", "cmp_1", CLICKED)
CAMPAIGN = CampaignLife("cmp_1", None, None, 7, ((CLICKED - DAY, "DRAFT"), (CLICKED - HOUR, "ACTIVE")))


def decide(**changes: Any) -> Attribution:
    """Attribute an order of two hours after a good click, with changes."""
    case: dict[str, Any] = {
        "click_id": CLICK_ID,
        "ordered_at": CLICKED + 2 * HOUR,
        "click": CLICK,
        "campaign": CAMPAIGN,
        "affiliate_active": True,
        "default_window_ms": 30 * DAY,
    }
    return attribute(**{**case, **changes})


def test_a_live_click_inside_the_window_attributes() -> None:
    assert decide() == Attribution("HIGH", "matched", CLICK_ID, "aff_1", "cmp_1", 7_200, 7 * 86_400)


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"click_id": None, "click": None}, "click_missing"),
        ({"click_id": "", "click": None}, "click_missing"),
        ({"click_id": "not-a-click", "click": None}, "click_malformed"),
        ({"click": None}, "click_unknown"),
        ({"ordered_at": CLICKED - 5 * MINUTE - 1}, "click_after_order"),
        ({"ordered_at": CLICKED + 7 * DAY + 1}, "click_outside_window"),
        ({"campaign": evolve(CAMPAIGN, changes=((0, "ACTIVE"), (CLICKED, "PAUSED")))}, "campaign_not_live"),
        ({"campaign": None}, "campaign_not_live"),
        ({"affiliate_active": False}, "affiliate_inactive"),
    ],
)
def test_each_missing_condition_makes_it_low_with_its_reason(changes: dict[str, Any], reason: str) -> None:
    verdict = decide(**changes)
    assert (verdict.confidence, verdict.reason) == ("LOW", reason)


def test_of_several_reasons_the_first_of_the_list_is_named() -> None:
    dead = evolve(CAMPAIGN, changes=())
    late = {"campaign": dead, "affiliate_active": False}
    assert decide(ordered_at=CLICKED - DAY, **late).reason == "click_after_order"
    assert decide(ordered_at=CLICKED + 8 * DAY, **late).reason == "click_outside_window"
    assert decide(**late).reason == "campaign_not_live"


def test_without_a_click_nobody_is_named() -> None:
    assert decide(click=None) == Attribution("LOW", "click_unknown", CLICK_ID, None, None, None, None)


def test_a_low_attribution_still_tells_the_click_it_knows() -> None:
    verdict = decide(ordered_at=CLICKED + 8 * DAY)
    assert verdict == Attribution("LOW", "click_outside_window", CLICK_ID, "aff_1", "cmp_1", 8 * 86_400, 7 * 86_400)


@pytest.mark.parametrize(
    ("days", "window"),
    [(1, DAY), (7, 7 * DAY), (365, 365 * DAY), (0, DAY), (None, 30 * DAY)],
    ids=["one day", "a week", "a year", "0 is a session of 24 hours", "the default"],
)
def test_the_window_is_inclusive_to_the_millisecond(days: int | None, window: int) -> None:
    campaign = evolve(CAMPAIGN, cookie_duration_days=days)
    assert decide(campaign=campaign, ordered_at=CLICKED + window).reason == "matched"
    assert decide(campaign=campaign, ordered_at=CLICKED + window + 1).reason == "click_outside_window"
    assert decide(campaign=campaign).window_seconds == window // SECOND


def test_a_click_may_lie_five_minutes_after_its_order_and_counts_as_new() -> None:
    verdict = decide(ordered_at=CLICKED - 5 * MINUTE)
    assert (verdict.reason, verdict.click_age_seconds) == ("matched", 0)
    assert decide(ordered_at=CLICKED - 5 * MINUTE - 1).reason == "click_after_order"


def test_a_link_without_a_campaign_uses_the_default_window() -> None:
    click = CLICK._replace(campaign_id=None)
    verdict = decide(click=click, campaign=None, ordered_at=CLICKED + 30 * DAY)
    assert (verdict.confidence, verdict.campaign_id, verdict.window_seconds) == ("HIGH", None, 30 * 86_400)
    assert decide(click=click, campaign=None, ordered_at=CLICKED + 30 * DAY + 1).confidence == "LOW"


def test_a_campaign_is_asked_for_the_moment_of_the_order() -> None:
    ordered = CLICKED + 2 * HOUR
    paused_later = evolve(CAMPAIGN, changes=(*CAMPAIGN.changes, (ordered + 1, "PAUSED")))
    paused_then = evolve(CAMPAIGN, changes=(*CAMPAIGN.changes, (ordered, "PAUSED"), (ordered + 1, "ACTIVE")))
    assert decide(campaign=paused_later).reason == "matched"
    assert decide(campaign=paused_then).reason == "campaign_not_live"


@pytest.mark.parametrize(
    ("bounds", "reason"),
    [
        ({"end_at": CLICKED + 2 * HOUR + 1}, "matched"),
        ({"end_at": CLICKED + 2 * HOUR}, "campaign_not_live"),
        ({"start_at": CLICKED + 2 * HOUR}, "matched"),
        ({"start_at": CLICKED + 2 * HOUR + 1}, "campaign_not_live"),
    ],
)
def test_a_campaign_lives_from_its_first_millisecond_to_before_its_end(bounds: dict[str, Any], reason: str) -> None:
    assert decide(campaign=evolve(CAMPAIGN, **bounds)).reason == reason


@given(st.uuids())
def test_any_uuid_after_the_prefix_is_well_formed(uuid: UUID) -> None:
    for text in (uuid.hex, str(uuid), uuid.hex.upper(), str(uuid).upper()):
        assert well_formed_click("clk_" + text)


def test_our_own_click_ids_are_well_formed() -> None:
    assert well_formed_click(new_id("clk"))


@pytest.mark.parametrize(
    "text",
    [
        "clk_",
        "01890a5d8c7e7b3a9f0c1d2e3f405162",
        "CLK_01890a5d8c7e7b3a9f0c1d2e3f405162",
        "evt_01890a5d8c7e7b3a9f0c1d2e3f405162",
        "clk_01890a5d8c7e7b3a9f0c1d2e3f40516",
        "clk_01890a5d8c7e7b3a9f0c1d2e3f4051620",
        "clk_01890a5d8c7e7b3a9f0c1d2e3f40516g",
        "clk_01890a5d-8c7e7b3a9f0c1d2e3f405162",
        "clk_01890a5-d8c7e-7b3a-9f0c-1d2e3f405162",
        "clk_{01890a5d-8c7e-7b3a-9f0c-1d2e3f405162}",
        " clk_01890a5d8c7e7b3a9f0c1d2e3f405162",
        "clk_01890a5d8c7e7b3a9f0c1d2e3f405162\n",
        "clk_\u0661\u06618 90a5d8c7e7b3a9f0c1d2e3f405162",
    ],
)
def test_anything_else_is_malformed(text: str) -> None:
    assert not well_formed_click(text)
    assert decide(click_id=text, click=None).reason == "click_malformed"


@given(st.integers(-10 * DAY, 40 * DAY), st.integers(0, 30), st.booleans())
def test_high_and_matched_are_the_same_thing(offset: int, days: int, active: bool) -> None:
    campaign = evolve(CAMPAIGN, cookie_duration_days=days, changes=((0, "ACTIVE"),))
    verdict = decide(ordered_at=CLICKED + offset, campaign=campaign, affiliate_active=active)
    inside = -5 * MINUTE <= offset <= (days or 1) * DAY
    assert (verdict.confidence == "HIGH") is (verdict.reason == "matched") is (inside and active)
