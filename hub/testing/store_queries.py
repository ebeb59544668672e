"""What every store must do alike, part one: macros, parameters and values."""

from __future__ import annotations

import asyncio
from typing import Any, NamedTuple

import pytest

from hub.storage import BadValue, Conflict, QueryFault, Store, Tx
from hub.testing.store_steps import names, number_of, put

HIGHEST = 2**63 - 1
LOWEST = -(2**63)
TEXTS = [
    "",
    "plain",
    "naïve",
    "Zażółć",
    "日本語",
    "🧾👩‍👩‍👧",
    "e\u0301",
    "\ufeff",
    "'; DROP TABLE leases; --",
    "\\u0000",
    "a\tb\r\n",
]
UNSTORABLE = ["a\x00b", "\ud800", "\udfff tail"]


class Echo(NamedTuple):
    """A row of `suite_echo`."""

    word: str | None
    number: int | None


class Swapped(NamedTuple):
    """A record whose fields have changed places."""

    number: int | None
    word: str | None


class QuerySuite:
    """Macros, parameters and values."""

    async def test_a_batch_goes_in_and_comes_back(self, store: Store) -> None:
        """`@rows` keeps order, types and nulls."""
        batch = [("a", 1), (None, 2), ("c", None), (None, None)]
        async with store.read() as tx:
            rows = await tx.all("suite_echo", batch=batch)
        assert [(row["word"], row["number"]) for row in rows] == batch
        assert list(rows[0].keys()) == ["word", "number"]
        assert dict(rows[0]) == {"word": "a", "number": 1}

    async def test_five_thousand_rows_are_one_statement(self, store: Store) -> None:
        """The largest catalogue call fits into one batch."""
        leases = [(f"lease-{index:05}", "ö" * 50, index) for index in range(5000)]
        async with store.write() as tx:
            assert len(await tx.all("suite_put_leases", leases=leases)) == 5000
            assert await tx.all("suite_put_leases", leases=leases) == []
        async with store.read() as tx:
            found = await tx.all("suite_leases", names=[name for name, _, _ in leases])
        assert [(row["name"], row["owner"], row["expires_at"]) for row in found] == leases

    async def test_an_empty_batch_does_nothing(self, store: Store) -> None:
        """Empty batches and lists need no care of the caller."""
        async with store.write() as tx:
            assert await tx.all("suite_put_leases", leases=[]) == []
            assert await tx.all("suite_leases", names=[]) == []
            assert await tx.all("suite_leases_at", times=[]) == []
            assert await tx.run("suite_copy_leases", leases=[]) == 0

    async def test_lists_hold_texts_or_numbers(self, store: Store) -> None:
        """`@list` stands behind IN."""
        async with store.write() as tx:
            await tx.run("suite_put_leases", leases=[("a", "x", 1), ("b", "x", HIGHEST), ("c", "x", LOWEST)])
            assert [row["name"] for row in await tx.all("suite_leases_at", times=[HIGHEST, LOWEST])] == ["b", "c"]
            assert [row["name"] for row in await tx.all("suite_leases", names=["a", "nobody"])] == ["a"]

    async def test_a_missing_filter_is_null(self, store: Store) -> None:
        """None is NULL, never a text."""
        async with store.write() as tx:
            await tx.run("suite_put_leases", leases=[("a", "x", 1), ("b", "y", 2)])
            assert len(await tx.all("suite_leases_of", owner=None)) == 2
            assert [row["name"] for row in await tx.all("suite_leases_of", owner="y")] == ["b"]
            row = await tx.one("suite_echo_one", word=None, number=None)
            assert row is not None
            assert dict(row) == {"word": None, "number": None}

    async def test_texts_are_no_code(self, store: Store) -> None:
        """Literals keep what looks like a parameter, a comment or a macro."""
        async with store.read() as tx:
            row = await tx.one("suite_literals", word="!")
        assert row is not None
        assert row["text"] == "it's :word -- @rows(:x; y text)!"

    async def test_numbers_keep_64_bits(self, store: Store) -> None:
        """No number passes through a float."""
        numbers = [0, -1, 2**53 + 1, HIGHEST, LOWEST]
        async with store.read() as tx:
            rows = await tx.all("suite_echo", batch=[(None, number) for number in numbers])
            assert [row["number"] for row in rows] == numbers
            for number in numbers:
                row = await tx.one("suite_echo_one", word=None, number=number)
                assert row is not None
                assert row["number"] == number

    async def test_every_text_survives(self, store: Store) -> None:
        """Texts come back character for character, from values and from batches."""
        async with store.read() as tx:
            rows = await tx.all("suite_echo", batch=[(text, index) for index, text in enumerate(TEXTS)])
            assert [row["word"] for row in rows] == TEXTS
            for text in TEXTS:
                row = await tx.one("suite_echo_one", word=text, number=1)
                assert row is not None
                assert row["word"] == text

    async def test_rows_come_as_records(self, store: Store) -> None:
        """Tied to the query's columns by their names, however the transaction runs."""
        batch = [Echo(text, index) for index, text in enumerate(TEXTS)] + [Echo(None, None)]

        async def work(tx: Tx) -> list[Echo]:
            return await tx.records(Echo, "suite_echo", batch=batch)

        async with store.write() as tx:
            assert await work(tx) == batch
        async with store.read() as tx:
            assert await work(tx) == batch
        assert await store.transact(work) == batch

    async def test_a_record_must_name_the_columns(self, store: Store) -> None:
        """Two columns that change places would otherwise change their values, without an error."""
        async with store.read() as tx:
            with pytest.raises(QueryFault, match="its record has"):
                await tx.records(Swapped, "suite_echo", batch=[("a", 1)])
            with pytest.raises(QueryFault, match="columns"):
                await tx.all("suite_echo", batch=[Swapped(1, "a")])

    async def test_what_cannot_be_stored_is_refused_before_the_database(self, store: Store) -> None:
        """One poisoned text harms neither the transaction nor its neighbours."""
        async with store.write() as tx:
            await put(tx, "first")
            for text in UNSTORABLE:
                with pytest.raises(ValueError, match="`leases`|`name`"):
                    await put(tx, text)
                with pytest.raises(BadValue):
                    await tx.run("suite_put_lease", name=text, owner="x", expires_at=0)
                with pytest.raises(BadValue):
                    await tx.all("suite_leases", names=["fine", text])
            with pytest.raises(BadValue):
                await tx.run("suite_put_lease", name="big", owner="x", expires_at=HIGHEST + 1)
            with pytest.raises(BadValue):
                await tx.run("suite_put_lease", name=b"bytes", owner="x", expires_at=1)
            with pytest.raises(BadValue):
                await tx.all("suite_put_leases", leases=[("short", "x")])
            await put(tx, "last")
        assert await names(store) == ["first", "last"]

    async def test_a_number_over_64_bits_in_a_batch_is_a_bad_value(self, store: Store) -> None:
        """Whichever side notices it: the fault is the value's, not the store's."""
        for number in (HIGHEST + 1, 2**70):
            with pytest.raises(BadValue):
                async with store.write() as tx:
                    await put(tx, "big", number=number)
            with pytest.raises(BadValue):
                async with store.write() as tx:
                    await tx.run("suite_copy_leases", leases=[("big", "x", number)])
        assert await names(store) == []

    async def test_wrong_calls_are_named(self, store: Store) -> None:
        """A misspelt query or parameter is the program's fault, and says so."""
        async with store.read() as tx:
            with pytest.raises(QueryFault, match="no query named `nothing`"):
                await tx.all("nothing")
            with pytest.raises(QueryFault, match="owner"):
                await tx.all("suite_leases_of")
            with pytest.raises(QueryFault, match="extra"):
                await tx.all("suite_leases_of", owner=None, extra=1)
            assert await tx.all("suite_leases_of", owner=None) == []

    async def test_statements_run_one_by_one(self, store: Store) -> None:
        """Two at once in one transaction are the program's fault, on either database, and harm nothing."""
        async with store.write() as tx:
            with pytest.raises(QueryFault, match="one statement at a time"):
                await asyncio.gather(tx.all("suite_count"), tx.all("suite_count"))
            await asyncio.sleep(0.05)
            await put(tx, "a")
        assert await names(store) == ["a"]

    async def test_statements_together_count_each_their_rows(self, store: Store) -> None:
        """Batches and single values keep to their statement; what one of them refuses, none of them keeps."""
        rows = [(f"lease {number:02}", "x", number) for number in range(37)]
        async with store.write() as tx:
            await put(tx, "here", number=1)
            claims = [("acc", "order", "1", "e1", "c1"), ("acc", "order", "2", "e2", None)]
            counts = await tx.run_together(
                ("suite_copy_leases", {"leases": rows}),
                ("suite_count_up", {"name": "here", "step": 41}),
                ("claim_keys", {"claims": claims}),
                ("claim_keys", {"claims": []}),
            )
            assert counts == [37, 1, 2, 0]
        assert await number_of(store, "here") == 42
        with pytest.raises(Conflict):
            async with store.write() as tx:
                await tx.run_together(
                    ("suite_count_up", {"name": "here", "step": 1}), ("suite_copy_leases", {"leases": rows[:1]})
                )
        assert await number_of(store, "here") == 42
        with pytest.raises(QueryFault, match="step"):
            async with store.write() as tx:
                await tx.run_together(("suite_count_up", {"name": "here"}))

    async def test_queries_together_answer_as_each_alone(self, store: Store) -> None:
        """Texts, numbers, nulls and their order come back the same, and each query keeps to its own values."""
        texts: dict[str, Any] = {
            "batch": [(text, number) for number, text in enumerate(TEXTS, LOWEST)] + [(None, HIGHEST)]
        }
        async with store.write() as tx:
            await put(tx, "a", number=1)
            await put(tx, "b", number=HIGHEST)
            asked = {
                "suite_leases_at": {"times": [HIGHEST, 1]},
                "suite_echo": texts,
                "suite_leases_of": {"owner": None},
                "suite_leases": {"names": ["b", "nobody"]},
            }
            found = await tx.all_together(asked)
            for query, values in asked.items():
                assert list(map(dict, found[query])) == list(map(dict, await tx.all(query, **values)))
            assert [dict(row) for row in found["suite_leases"]] == [
                dict(row) for row in await tx.all("suite_leases", names=["b"])
            ]
            assert list(await tx.all_together({"suite_count": {}})) == ["suite_count"]
            assert await tx.all_together({}) == {}
        with pytest.raises(QueryFault, match="owner"):
            async with store.write() as tx:
                await tx.all_together({"suite_leases_of": {}})

    async def test_run_counts_rows(self, store: Store) -> None:
        """Inserted, changed, returned: `run` says how many."""
        rows = [(name, "x", 0) for name in "abc"]
        async with store.write() as tx:
            assert await tx.run("suite_copy_leases", leases=rows) == 3
            assert await tx.run("suite_put_leases", leases=[*rows, ("d", "x", 0)]) == 1
            assert await tx.run("suite_move_leases", owners=[("a", "y"), ("b", "y"), ("nobody", "y")]) == 2
            assert await tx.run("suite_count_up", name="nobody", step=1) == 0
            assert await tx.run("suite_leases_of", owner="y") == 2
