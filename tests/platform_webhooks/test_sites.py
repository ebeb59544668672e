"""A connection belongs to the first site that its deliveries name; a copy of the shop changes nothing."""

from __future__ import annotations

import pytest

from hub.domain.connectors.deliveries import site_of
from hub.operations.connections.connections import change_site
from hub.operations.errors import OperatorFault
from tests.platform_webhooks.test_endpoint import Store


async def status(store: Store, site: str | None, body: bytes) -> int:
    return (await store.send(body, {"X-Acme-Site": site})).status


async def test_another_site_is_refused_until_the_shop_has_moved(one: Store) -> None:
    """The scheme and www. may change; a delivery that names no site counts, and a forged body never gets that far."""
    assert await status(one, "https://shop.example/", b'{"number":"1","total":"1"}') == 200
    assert await status(one, "http://WWW.shop.example", b'{"number":"2","total":"1"}') == 200
    assert await status(one, None, b'{"number":"3","total":"1"}') == 200
    assert await status(one, "https://staging.shop.example/", b'{"number":"4","total":"1"}') == 403
    moved = await change_site(one.admin, one.connection_id, "https://new.example/shop/")
    assert moved.site == "new.example/shop"
    one.clock.advance(3_000)
    assert await status(one, "https://shop.example/", b'{"number":"5","total":"1"}') == 403
    assert await status(one, "https://new.example/shop", b'{"number":"6","total":"1"}') == 200


async def test_what_is_no_site_cannot_be_kept(one: Store) -> None:
    with pytest.raises(OperatorFault, match="is not a site"):
        await change_site(one.admin, one.connection_id, "a shop")


@pytest.mark.parametrize(
    ("address", "site"),
    [
        ("https://www.Shop.example/", "shop.example"),
        ("shop.myshopify.com", "shop.myshopify.com"),
        ("http://shop.example:8080/de/?x=1", "shop.example:8080/de"),
        ("https://", None),
        (" ", None),
    ],
)
def test_what_tells_sites_apart(address: str, site: str | None) -> None:
    assert site_of(address) == site
