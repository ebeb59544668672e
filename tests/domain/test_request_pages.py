"""Declared requests: places filled in, pages that follow, and what an answer must have."""

from __future__ import annotations

from typing import Any

import pytest

from hub.domain.connectors.request_calls import Call
from hub.domain.connectors.request_logins import BasicLogin, TokenHeader
from hub.domain.connectors.request_pages import (
    AnswerFault,
    Place,
    items_of,
    listed_page,
    login_headers,
    next_place,
    prepared,
    since_values,
    text_in,
)
from hub.domain.connectors.requests import BodyCursor, BodyLink, LinkHeader, Listing, PageNumbers

URL = "https://shop.example/api/orders?page=1&limit=2"


def test_places_are_encoded_in_a_path_and_escaped_in_a_body() -> None:
    """So no credential and no id can add a parameter, a path or a field."""
    call = Call("/orders/{id}?x={key}", "POST", '{"query": "{ orders { id } }", "name": "{id}"}')
    made = prepared(call, "{site}/v1", {"site": "https://shop.example/", "id": 'a/"b', "key": "k&y=1"}, {"A": "b"})
    assert made.url == "https://shop.example/v1/orders/a%2F%22b?x=k%26y%3D1"
    assert made.body == '{"query": "{ orders { id } }", "name": "a/\\"b"}'
    assert (made.method, dict(made.headers)) == ("POST", {"A": "b"})


def test_a_whole_url_needs_no_root() -> None:
    values = {"shop": "you.acme.example"}
    assert prepared(Call("https://{shop}/token"), "{site}", values, {}).url == "https://you.acme.example/token"


def test_a_place_without_a_value_is_named() -> None:
    with pytest.raises(KeyError, match="token"):
        prepared(Call("/{token}"), "https://shop.example", {}, {})


def test_logins() -> None:
    assert login_headers(BasicLogin("{key}", "{secret}"), {"key": "ck_1", "secret": "cs_1"}) == {
        "Authorization": "Basic Y2tfMTpjc18x"
    }
    assert login_headers(TokenHeader("Authorization", "Bearer {token}"), {"token": "t"}) == {
        "Authorization": "Bearer t"
    }


def test_moments_and_pages_are_filled_in() -> None:
    listing = Listing(Call("/o?s={since}&z={since_z}&p={page}&n={size}&c={cursor}"), "order", page_size=7)
    made = listed_page(listing, "https://s.example", since_values(1_772_359_200_000), {}, Place(page=3))
    assert made.url == "https://s.example/o?s=2026-03-01T10%3A00%3A00&z=2026-03-01T10%3A00%3A00Z&p=3&n=7&c="


@pytest.mark.parametrize(
    ("pages", "headers", "answer", "count", "following"),
    [
        (PageNumbers(), {}, None, 2, Place(page=2)),
        (PageNumbers(), {}, None, 1, None),
        (LinkHeader(), {"link": '<https://shop.example/api/orders?c=9>; rel="next"'}, None, 2,
         Place(url="https://shop.example/api/orders?c=9")),
        (LinkHeader(), {"link": '<https://shop.example/a>; rel="previous", </b?c=1>; rel="next"'}, None, 2,
         Place(url="https://shop.example/b?c=1")),
        (LinkHeader(), {"link": '<https://shop.example/a>; rel="previous"'}, None, 2, None),
        (LinkHeader(), {}, None, 2, None),
        (BodyLink("meta.next"), {}, {"meta": {"next": "?page=2"}}, 2,
         Place(url="https://shop.example/api/orders?page=2&limit=2")),
        (BodyLink("meta.next"), {}, {"meta": {}}, 2, None),
        (BodyCursor("page.end", "page.more"), {}, {"page": {"end": "c1", "more": True}}, 2, Place(cursor="c1")),
        (BodyCursor("page.end", "page.more"), {}, {"page": {"end": "c1", "more": False}}, 2, None),
        (BodyCursor("end"), {}, {"end": None}, 2, None),
    ],
)  # fmt: skip
def test_how_the_next_page_is_found(
    pages: Any, headers: dict[str, str], answer: Any, count: int, following: Place | None
) -> None:
    assert next_place(pages, 2, Place(), URL, headers, answer, count) == following


@pytest.mark.parametrize("link", ["https://other.example/api", "http://shop.example/api", "//other.example/x"])
def test_a_next_page_of_another_host_is_refused(link: str) -> None:
    """It would be given the credentials."""
    with pytest.raises(AnswerFault, match="another host"):
        next_place(LinkHeader(), 2, Place(), URL, {"link": f'<{link}>; rel="next"'}, None, 2)


def test_a_cursor_that_does_not_move_ends_the_reading() -> None:
    with pytest.raises(AnswerFault, match="same cursor"):
        next_place(BodyCursor("end"), 2, Place(cursor="c"), URL, {}, {"end": "c"}, 2)


def test_an_answer_must_have_its_list() -> None:
    assert items_of(None, "orders") == []
    assert items_of({"data": {"orders": [{"id": 1}]}}, "data.orders") == [{"id": 1}]
    answers: tuple[Any, ...] = ({"orders": {}}, [], {"orders": [1]})
    for wrong in answers:
        with pytest.raises(AnswerFault, match="no list"):
            items_of(wrong, "orders")


@pytest.mark.parametrize(("value", "text"), [(5, "5"), ("a", "a"), (True, "true"), (None, ""), ([], ""), (1.5, "")])
def test_texts_in_an_answer(value: Any, text: str) -> None:
    assert text_in({"a": {"b": value}}, "a.b") == text
