"""Stock words, and the addresses a product may carry."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hub.domain.orders.catalog import ascii_host, image_url_fault, in_ascii, status_after_stock, url_fault

DOMAINS = ("shop.example", "xn--bcher-kva.example", "strasse.example")


@pytest.mark.parametrize("word", ["OUT_OF_STOCK", "outofstock", "out_of_stock", "OutOfStock"])
def test_out_of_stock_takes_an_active_product_off(word: str) -> None:
    assert status_after_stock("ACTIVE", word) == "OUT_OF_STOCK"


@pytest.mark.parametrize("word", ["IN_STOCK", "instock", "onbackorder", "in_stock", "OnBackOrder"])
def test_in_stock_brings_it_back(word: str) -> None:
    assert status_after_stock("OUT_OF_STOCK", word) == "ACTIVE"


@pytest.mark.parametrize("word", [None, "", "plenty", "IN STOCK", "out of stock", "instock "])
@pytest.mark.parametrize("status", ["ACTIVE", "OUT_OF_STOCK"])
def test_other_stock_words_change_no_status(status: str, word: str | None) -> None:
    assert status_after_stock(status, word) == status


@pytest.mark.parametrize("word", ["IN_STOCK", "OUT_OF_STOCK"])
@pytest.mark.parametrize("status", ["INACTIVE", "ARCHIVED"])
def test_stock_touches_no_other_status(status: str, word: str) -> None:
    assert status_after_stock(status, word) == status


@pytest.mark.parametrize(
    "url",
    [
        "https://shop.example",
        "https://shop.example/p/1?a=b#c",
        "http://shop.example:80/",
        "http://shop.example:443/",
        "https://shop.example:443/p",
        "HTTPS://SHOP.Example/p",
        "https://www.eu.shop.example/p",
        "https://shop.example./p",
        "https://shop.example?@evil.example",
        "https://shop.example/@evil.example",
        "https://shop.example#@evil.example",
        "https://b\u00fccher.example/p",
        "https://B\u00dcCHER.example/p",
        "https://bu\u0308cher.example/p",
        "https://www.xn--bcher-kva.example/p",
        "https://shop.example/b\u00fccher/\u4e66",
    ],
)
def test_an_address_on_an_approved_domain_or_a_subdomain_is_fine(url: str) -> None:
    assert url_fault(url, DOMAINS) is None


@pytest.mark.parametrize(
    "url",
    [
        "https://evil.example",
        "https://evilshop.example",
        "https://shop.example.evil.example",
        "https://shop.exampleevil",
        "https://example",
        "https://evil.example/shop.example",
        "https://evil.example#.shop.example",
        "https://evil.example?.shop.example",
        "https://evil.example;.shop.example",
        "https://shop.example..",
        "https://.shop.example",
        "https://a..shop.example",
        "https://shop%2eexample/",
        "https://shop.example%2eevil.example/",
        "https://[::1]/",
        "https://[shop.example]/",
        "https://127.0.0.1/",
        "https://shop\u3002example/",  # an ideographic full stop is a dot to browsers only
        "https://sho\uff50.example/",  # a full-width letter
        "https://shop\u00ad.example/",  # a soft hyphen vanishes
        "https://stra\u00dfe.example/",  # becomes strasse in the old rules, another domain in the new ones
        "https://stra\u1e9ee.example/",
        "https://-.shop.example/",
        f"https://{'a' * 64}.shop.example/",
        f"https://{'a.' * 130}shop.example/",
    ],
)
def test_any_other_host_is_refused(url: str) -> None:
    assert url_fault(url, DOMAINS) is not None


@pytest.mark.parametrize(
    ("url", "fault"),
    [
        ("https://evil.example/", "must be on an approved domain of the merchant (shop.example)"),
        ("https://me@shop.example/", "must not carry a user name or password before the host"),
        ("https://shop.example:443@evil.example/", "must not carry a user name or password before the host"),
        ("https://@shop.example/", "must not carry a user name or password before the host"),
        ("https://shop.example:8443/", "must not name a port other than 80 or 443"),
        ("https://shop.example:/", "must not name a port other than 80 or 443"),
        ("https://shop.example:x/", "must not name a port other than 80 or 443"),
        ("https://shop.example:99999/", "must not name a port other than 80 or 443"),
    ],
)
def test_the_fault_completes_a_sentence(url: str, fault: str) -> None:
    assert url_fault(url, ("shop.example",)) == fault


@pytest.mark.parametrize(
    "url",
    [
        "",
        "shop.example/p",
        "//shop.example/p",
        "/p",
        "ftp://shop.example/",
        "javascript:alert(1)//shop.example",
        "data:text/html,shop.example",
        "https:shop.example",
        "https:/shop.example",
        "https:///shop.example",
        "https:\\\\shop.example",
        "https://shop.example\\@evil.example",
        "https://shop.example/\\evil",
        " https://shop.example",
        "https://shop.example ",
        "https://shop.example/a b",
        "ht\ntps://shop.example",
        "https://shop\t.example",
        "https://shop.example/\r\nX: y",
        "https://shop.example/\x00",
        "https://shop.example/\x7f",
        "https://shop.example/\u0085",
        "https://shop.example/\u2028",
        "https://shop.example/\u00a0",
        "https://[shop.example/",
        "https://shop\u2100.example/",
    ],
)
def test_what_is_no_plain_web_address_is_refused(url: str) -> None:
    fault = "must be an http or https address without spaces, backslashes or control characters"
    assert url_fault(url, DOMAINS) == fault
    assert str(image_url_fault(url)).startswith("must be an http or https address")


def test_a_domain_that_is_approved_with_a_port_allows_just_that() -> None:
    domains = ("127.0.0.1:8080",)
    assert url_fault("http://127.0.0.1:8080/p", domains) is None
    assert url_fault("http://127.0.0.1/p", domains) is not None
    assert url_fault("http://127.0.0.1:8081/p", domains) is not None
    assert url_fault("http://evil.127.0.0.1:8080/p", domains) is not None


def test_without_approved_domains_the_fault_says_so() -> None:
    assert str(url_fault("https://shop.example", ())).endswith("(none is approved yet)")


@pytest.mark.parametrize(
    "url", ["https://cdn.example:8443/a.png", "http://127.0.0.1/a.png", "https://b\u00fccher.example"]
)
def test_an_image_may_be_anywhere(url: str) -> None:
    assert image_url_fault(url) is None


@pytest.mark.parametrize("url", ["https://cdn.example:x/a.png", "https://a b.example/", "https://.example/"])
def test_an_image_still_needs_a_host(url: str) -> None:
    assert image_url_fault(url) is not None


@pytest.mark.parametrize(
    ("host", "name"),
    [
        ("Shop.Example", "shop.example"),
        ("shop.example.", "shop.example"),
        ("b\u00fccher.example", "xn--bcher-kva.example"),
        ("under_score.example", "under_score.example"),
        ("", None),
        (".", None),
        ("a b", None),
        ("a/b", None),
        ("stra\u00dfe.example", None),
        ("-a.example", None),
        ("a-.example", None),
    ],
)
def test_a_host_is_compared_in_its_ascii_form(host: str, name: str | None) -> None:
    assert ascii_host(host) == name


@given(st.text())
def test_no_text_at_all_makes_the_checks_fail_themselves(text: str) -> None:
    for url in (text, f"https://{text}", f"https://{text}.shop.example", f"https://shop.example{text}"):
        assert image_url_fault(url) is None or url_fault(url, DOMAINS) is not None


def test_a_host_of_other_letters_is_writtenin_ascii_once() -> None:
    """Encoding takes long, so what a shop's products share is kept; a label that can be none is refused before it."""
    in_ascii.cache_clear()
    assert [ascii_host("bücher.example") for _ in range(3)] == ["xn--bcher-kva.example"] * 3
    assert (in_ascii.cache_info().misses, in_ascii.cache_info().hits) == (1, 2)
    assert ascii_host("ü" * 64 + ".example") is None
    assert ascii_host("straße.example") is None
