"""What owners type and paste as the address of their shop, and what is taken of it."""

from __future__ import annotations

import pytest
from attrs import evolve
from hub_shopify.requests import REQUESTS as SHOPIFY
from hub_woocommerce.requests import REQUESTS as WOOCOMMERCE

from hub.domain.connectors.request_logins import Credential
from hub.domain.connectors.requests import Requests
from hub.operations.connections.credentials import checked_typed
from hub.operations.errors import InvalidFields


def taken(requests: Requests, name: str, typed: str) -> str | None:
    """What is taken of what was typed; None if it is refused."""
    try:
        return checked_typed(requests, [name], {name: typed})[name]
    except InvalidFields:
        return None


@pytest.mark.parametrize(
    ("requests", "name", "typed", "address"),
    [
        (WOOCOMMERCE, "site", " shop.example ", "https://shop.example"),
        (WOOCOMMERCE, "site", "shop.example/store/", "https://shop.example/store"),
        (WOOCOMMERCE, "site", "shop.example:8443", "https://shop.example:8443"),
        (WOOCOMMERCE, "site", "http://shop.example", "http://shop.example"),
        (WOOCOMMERCE, "site", "https://shop.example/?utm=x#top", "https://shop.example"),
        (WOOCOMMERCE, "site", "My shop", None),
        (WOOCOMMERCE, "site", "shop", None),
        (WOOCOMMERCE, "site", "javascript:alert(1)", None),
        (WOOCOMMERCE, "site", "ftp://shop.example", None),
        (WOOCOMMERCE, "site", "ann@shop.example", None),
        (SHOPIFY, "shop", "My-Shop.myshopify.com", "my-shop.myshopify.com"),
        (SHOPIFY, "shop", "https://my-shop.myshopify.com/admin?a=b", "my-shop.myshopify.com"),
        (SHOPIFY, "shop", "https://shop.example", None),
        (SHOPIFY, "shop", "https://myshopify.com.evil.example/my-shop.myshopify.com", None),
    ],
)
def test_an_address_is_taken_as_it_was_meant(requests: Requests, name: str, typed: str, address: str | None) -> None:
    assert taken(requests, name, typed) == address


def test_a_secret_is_taken_as_it_was_typed() -> None:
    """The control: only what is shown again may be read in more than one way."""
    secret = Credential("secret", "Secret", pattern=r"https://\S+")
    assert taken(evolve(SHOPIFY, credentials=(secret,)), "secret", "a.example") is None
