"""The names in the documents are types of generated clients, so none is a word of a language or of nothing."""

from __future__ import annotations

import pytest

from hub.merchant_api.openapi.document import with_scalars
from tests.openapi_documents import KINDS, document_of

LISTED = """
    abstract any array as async await awaited base bool boolean break byte case catch char class const continue data
    date decimal default delegate delete do double dynamic else empty enum error eval event exception export extends
    false final finally float fn for foreach from function global goto if implements import in int integer interface
    internal is iterable lambda list lock long map match mixed module namespace native never new nil none null number
    object operator out override package params parent partial pick print private protected public raise readonly
    record ref require resource return self set short static string struct super switch symbol synchronized template
    this throw trait true try type typeof undefined union unknown use var virtual void where while with yield
"""
WORDS = frozenset(LISTED.split())
"""Of TypeScript, Python, PHP, Java, C#, Go, Kotlin and Ruby, and their types that every program knows."""


@pytest.mark.parametrize("kind", KINDS)
def test_no_type_is_called_like_a_word_of_a_language(kind: str) -> None:
    """`Switch` and `Awaited` were: generators give such a type another name, each its own."""
    names = document_of(kind)["components"]["schemas"]
    assert [name for name in names if name.lower() in WORDS] == []
    assert len(names) > 90, "the control: there is something to look through"
    assert {"switch", "awaited", "from", "type", "string"} <= WORDS, "those that were"


def test_a_name_that_nothing_describes_is_named() -> None:
    """It was looked for without an end."""
    described = {"paths": {"$ref": "#/components/schemas/NothingSuch"}, "components": {"schemas": {}}}
    with pytest.raises(LookupError, match="NothingSuch"):
        with_scalars(described)
