"""The remembered address rules say what the rules themselves say."""

from __future__ import annotations

from hypothesis import example, given
from hypothesis import strategies as st

from hub.domain.orders.catalog import image_url_fault, url_fault
from hub.validation.product_urls import picture_url_fault, product_url_fault

DOMAINS = ("shop.example", "127.0.0.1:8080")
parts = st.sampled_from([
    "http", "https", "HTTPS", "://", ":", "/", "\\", "?", "#", "@", "[", "]", "%", "%2e", ".", "..", "-", "_", " ",
    "\t", "\n", "\x7f", "\u00a0", "\u3002", "shop.example", "127.0.0.1", "8080", "443", "evil", "ü", "a", "\ud800",
])  # fmt: skip


@given(st.lists(parts, max_size=9).map("".join) | st.lists(parts, max_size=6).map(lambda p: "https://" + "".join(p)))
@example("http://127.0.0.1:8080/p")
@example("https://shop.example./p?x#y")
@example("https://shop.example:/")
def test_same_verdict(url: str) -> None:
    """The memory changes the speed, never the answer; asked twice, since the second answer is the remembered one."""
    for _ in range(2):
        assert product_url_fault(url, DOMAINS) == url_fault(url, DOMAINS)
        assert picture_url_fault(url) == image_url_fault(url)
