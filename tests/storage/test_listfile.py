"""Lists in query files: the queries that a block becomes, and which faults are found when it is loaded."""

from __future__ import annotations

import pytest

from hub.storage import QueryFault
from hub.storage.named_queries.compiler import compile_query
from hub.storage.named_queries.list_blocks import read_list
from hub.storage.named_queries.lists import ListQuery

HEAD = "-- Return links.\n"
BODY = "SELECT l.code FROM @listed(links AS l) WHERE @filters ORDER BY @order LIMIT :limit"
KEY = "-- list: by created_at bigint, code text; indexed (), (account_id)\n"
FILTERS = "-- filter account_id text: l.account_id = :account_id\n-- filter mode text: l.mode = :mode\n"


def queries(text: str) -> dict[str, str]:
    found = read_list("links", text)
    assert isinstance(found, ListQuery)
    return {name: sql.partition("\n")[2] for name, sql in found.queries()}


def test_each_order_set_and_start_is_a_query() -> None:
    made = queries(HEAD + KEY + FILTERS + BODY)
    assert len(made) == 2 * 2 * 2 * 3
    assert made["links/created_at/newest/all/page/first"] == (
        "SELECT l.code FROM links AS l WHERE true ORDER BY l.created_at DESC, l.code DESC LIMIT :limit"
    )
    assert made["links/created_at/oldest/account_id/page/on"] == (
        "SELECT l.code FROM links AS l WHERE (l.account_id = CAST(:account_id AS TEXT)) AND (l.created_at, l.code) > "
        "(CAST(:behind_created_at AS BIGINT), CAST(:behind_code AS TEXT)) ORDER BY l.created_at, l.code LIMIT :limit"
    )
    assert made["links/created_at/newest/account_id/search/first"] == (
        "SELECT l.code FROM (SELECT l.* FROM links AS l WHERE (l.account_id = CAST(:account_id AS TEXT)) "
        "ORDER BY l.created_at DESC, l.code DESC LIMIT :depth) AS l "
        "WHERE (CAST(:mode AS TEXT) IS NULL OR (l.mode = CAST(:mode AS TEXT))) "
        "ORDER BY l.created_at DESC, l.code DESC LIMIT :limit"
    )
    assert made["links/created_at/newest/all/edge/first"] == (
        "SELECT l.created_at, l.code FROM links AS l WHERE true "
        "ORDER BY l.created_at DESC, l.code DESC LIMIT 1 OFFSET :depth"
    )


def test_a_statement_that_ends_with_its_joins_gets_the_tail() -> None:
    whole = HEAD + KEY + FILTERS + BODY
    short = whole.replace(" WHERE @filters ORDER BY @order LIMIT :limit", "")
    assert {name: " ".join(sql.split()) for name, sql in queries(short).items()} == queries(whole)


def test_a_set_may_name_the_index_that_sqlite_must_take() -> None:
    """Only that set, in each of its queries; PostgreSQL is told nothing."""
    made = queries(HEAD + KEY.replace("(account_id)", "(account_id) in links_by_account") + FILTERS + BODY)
    told = {name for name, text in made.items() if "FROM links AS l @by(links_by_account) " in text}
    assert told == {name for name in made if "/account_id/" in name}
    text = made["links/created_at/newest/account_id/page/first"]
    assert "links AS l INDEXED BY links_by_account WHERE" in compile_query("a", f"-- Return.\n{text}", "sqlite").sql
    assert "INDEXED" not in compile_query("a", f"-- Return.\n{text}", "postgresql").sql


def test_a_small_table_has_one_query_for_every_filter() -> None:
    made = queries(HEAD + "-- list: by code text; small\n" + FILTERS + BODY)
    assert sorted(made) == [
        f"links/code/{order}/all/page/{end}" for order in ("newest", "oldest") for end in ("first", "on")
    ]
    assert "CAST(:account_id AS TEXT) IS NULL OR" in made["links/code/newest/all/page/first"]


def test_a_block_without_a_key_is_a_plain_query() -> None:
    assert read_list("links", "-- Return links.\nSELECT code FROM links") is None


@pytest.mark.parametrize(
    "text",
    [
        HEAD + "-- list: by created_at; small\n" + BODY,
        HEAD + "-- list: by code text\n" + BODY,
        HEAD + "-- list: by code text; indexed (colour)\n" + BODY,
        HEAD + KEY + "-- filter account_id: l.account_id = :account_id\n" + BODY,
        HEAD + KEY + "-- filter account_id text: l.account_id = :account\n" + BODY,
        HEAD + FILTERS + BODY,
        HEAD + KEY + FILTERS + BODY.replace("@filters", "true"),
        HEAD + KEY + FILTERS + BODY.replace("@order", "l.code"),
        HEAD + KEY + FILTERS + BODY.replace("@listed(links AS l)", "links AS l"),
    ],
)
def test_a_fault_in_a_list_is_found_when_it_is_loaded(text: str) -> None:
    with pytest.raises(QueryFault, match="The list `links`"):
        read_list("links", text)


@pytest.mark.parametrize(
    ("given", "led", "rest"),
    [
        ((), (), ()),
        (("account_id",), ("account_id",), ()),
        (("mode",), (), ("mode",)),
        (("account_id", "mode"), ("account_id",), ("mode",)),
    ],
)
def test_the_largest_indexed_set_leads(given: tuple[str, ...], led: tuple[str, ...], rest: tuple[str, ...]) -> None:
    found = read_list("links", HEAD + KEY + FILTERS + BODY)
    assert found is not None
    assert found.key(None).parted(frozenset(given)) == (frozenset(led), frozenset(rest))
