"""`make shots` has a picture of every page, or says why not; the pages come from the routes."""

from __future__ import annotations

from pathlib import Path

from hub.pages.routes import all_pages
from tests.pages.files import FILES
from tests.pages.shots import PICTURES, STARTS, UNSHOT, route_of, routes_of


def test_every_route_is_shot_or_has_a_reason_not_to_be() -> None:
    """A page that no role is shot for would be missed here; what it takes to find it is in the demo."""
    shown = {page.path for page in all_pages() if page.method == "GET" and not FILES.search(page.path)}
    shot = {path for role in ("Nobody", *STARTS) for path in routes_of(role)}
    assert shot | UNSHOT.keys() == shown
    assert shot & UNSHOT.keys() == set()


def test_an_address_is_that_of_its_nearest_route() -> None:
    assert route_of("/merchant/campaigns/new?mode=test") == "/merchant/campaigns/new"
    assert route_of("/merchant/campaigns/cmp_1#members") == "/merchant/campaigns/{campaign}"
    assert route_of("/merchant/no/such/page") is None


def test_the_readme_shows_the_pictures_that_are_made() -> None:
    root = Path(__file__).parents[2]
    made = {f"docs/pictures/{name}.webp" for name in PICTURES}
    assert {str(each.relative_to(root)) for each in (root / "docs/pictures").iterdir()} == made
    assert [each for each in sorted(made) if each not in (root / "README.md").read_text()] == []
