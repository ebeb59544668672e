"""Both names and both forms of the idempotency header mean one key."""

from __future__ import annotations

import pytest
from multidict import CIMultiDict, CIMultiDictProxy

from hub.http.errors import ApiError
from hub.merchant_api.writes import idempotency_use


def key_of(*headers: tuple[str, str], query: str = "", raw: bytes = b"") -> tuple[str, str] | None:
    use = idempotency_use(CIMultiDictProxy(CIMultiDict(headers)), "POST /x", query, raw)
    return None if use is None else (use.key, use.fingerprint)


class TestIdempotencyKeys:
    @pytest.mark.parametrize(
        ("sent", "key"),
        [
            ("a", "a"),
            ('"a"', "a"),
            (r'"a\"b"', 'a"b'),
            (r'"a\\b"', r"a\b"),
            ('"a', '"a'),
            ('a"', 'a"'),
            ("x" * 255, "x" * 255),
        ],
    )
    def test_bare_and_quoted_forms_are_one_key(self, sent: str, key: str) -> None:
        use = key_of(("Idempotency-Key", sent))
        assert use is not None
        assert use[0] == key

    @pytest.mark.parametrize("sent", ['"a b"', '""', "x" * 256, '"é"'])
    def test_a_malformed_key_is_a_400(self, sent: str) -> None:
        with pytest.raises(ApiError) as fault:
            key_of(("Idempotency-Key", sent))
        assert fault.value.status == 400

    def test_both_names_and_repeats_must_agree(self) -> None:
        assert key_of(("Idempotency-Key", '"a"'), ("X-Idempotency-Key", "a"), ("Idempotency-Key", "a")) is not None
        with pytest.raises(ApiError):
            key_of(("Idempotency-Key", "a"), ("Idempotency-Key", "b"))

    def test_the_fingerprint_of_a_query_differs_from_that_of_a_body(self) -> None:
        prints = {
            key_of(("Idempotency-Key", "a"), query=q, raw=r)
            for q, r in (("a", b"b"), ("ab", b""), ("", b"ab"), ("", b"1:a"))
        }
        assert len(prints) == 4
