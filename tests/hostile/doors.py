"""Where texts of strangers are read: each door takes bytes, and refuses what it does not take in its own way only."""

from __future__ import annotations

import io
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

import orjson
from attrs import frozen
from multidict import CIMultiDict, CIMultiDictProxy

from hub.csv_import.header import Refused, survey
from hub.csv_import.kinds import KINDS
from hub.csv_import.reader import RowReader
from hub.domain.connectors.connector import TimestampHmac
from hub.domain.connectors.request_calls import AnswerErrors
from hub.domain.connectors.request_pages import AnswerFault, Place, answer_error, items_of, next_place
from hub.domain.connectors.requests import BodyCursor, LinkHeader
from hub.domain.connectors.scrubbing import scrub, scrub_text
from hub.domain.connectors.timestamp_hmac import is_stamped
from hub.domain.redaction import redact
from hub.http.errors import ApiError
from hub.merchant_api.authentication import credentials
from hub.merchant_api.writes import idempotency_use
from hub.operations.errors import OperatorFault
from hub.operations.lists import CursorFault, List, Wanted
from hub.operations.money.payouts.bank_reports import read_report
from hub.operations.money.receipts.bank_statements import statement_in
from hub.operations.pictures.process import NoPicture, written_anew
from hub.tracking.crawlers import is_crawler
from hub.validation.inputs import ConversionInput, MerchantTerms, OrderStatusInput, ProductInput
from hub.validation.json_body import Invalid
from hub.validation.product_urls import picture_url_fault, product_url_fault
from hub.validation.validate import validate

CORPUS: Final = Path(__file__).parent / "corpus"

SHOP: Final = MerchantTerms("USD", ("shop.example",))
STRIPE: Final = TimestampHmac("Stripe-Signature")
ERRORS: Final = AnswerErrors(again=("THROTTLED",), denied=("ACCESS_DENIED",), spared=("customerJourneySummary",))
ORDERS_OF: Final = BodyCursor("data.orders.pageInfo.endCursor", more="data.orders.pageInfo.hasNextPage")
NOW: Final = 1_795_176_000_000


@frozen
class Door:
    """What reads a text, the refusals that it may raise, and the most bytes that it is ever given."""

    read: Callable[[bytes], object]
    refusals: tuple[type[Exception], ...]
    most: int = 1_048_576


def _file(raw: bytes) -> None:
    """Read a CSV file as an upload is read."""
    with tempfile.NamedTemporaryFile() as file:
        file.write(raw)
        file.flush()
        layout = survey(Path(file.name), KINDS["orders"]).layout
        reader = RowReader(io.BytesIO(raw), layout)
        while reader.read(500).rows:
            pass


def _headers(name: str, raw: bytes) -> CIMultiDictProxy[str]:
    """Return a header as the HTTP parser hands it on."""
    return CIMultiDictProxy(CIMultiDict({name: raw.decode("utf-8", "surrogateescape")}))


def _signed(raw: bytes) -> None:
    text = raw.decode("utf-8", "surrogateescape")
    names = ("X-API-Key", "X-Timestamp", "X-Signature", "X-Nonce", "X-Signature-Version")
    credentials(CIMultiDictProxy(CIMultiDict(zip(names, text.split("\n"), strict=False))), "/api/v1/products")


def _answer(raw: bytes) -> None:
    """Read what a platform says in GraphQL."""
    answer: Any = orjson.loads(raw)
    answer_error(ERRORS, answer)
    items_of(answer, "data.orders.nodes")
    next_place(ORDERS_OF, 50, Place(), "https://shop.example/graphql", {}, answer, 50)


def _link(raw: bytes) -> None:
    """Read a platform's Link header."""
    header = {"link": raw.decode("utf-8", "surrogateescape")}
    next_place(LinkHeader(), 50, Place(), "https://shop.example/orders?page=1", header, [], 50)


def _text(read: Callable[[str], object]) -> Callable[[bytes], object]:
    return lambda raw: read(raw.decode("utf-8", "replace"))


DOORS: Final[Mapping[str, Door]] = {
    "order": Door(lambda raw: validate(ConversionInput, raw, SHOP), (Invalid,)),
    "status": Door(lambda raw: validate(OrderStatusInput, raw, SHOP), (Invalid,)),
    "product": Door(lambda raw: validate(ProductInput, raw, SHOP), (Invalid,)),
    "csv": Door(_file, (Refused,)),
    "statement": Door(lambda raw: statement_in(raw, "file"), (OperatorFault,)),
    "report": Door(lambda raw: read_report(raw, "file"), (OperatorFault,)),
    "graphql": Door(_answer, (orjson.JSONDecodeError, AnswerFault)),
    "link": Door(_link, (AnswerFault,), 8_190),
    "stamp": Door(lambda raw: is_stamped(STRIPE, [b"k"], raw.decode("utf-8", "surrogateescape"), b"{}", {}, NOW), (),
                  8_190),
    "credentials": Door(_signed, (ApiError,), 8_190),
    "idempotency": Door(lambda raw: idempotency_use(_headers("Idempotency-Key", raw), "", "", b""), (ApiError,), 8_190),
    "cursor": Door(_text(lambda text: List("list_orders").start(Wanted(cursor=text))), (CursorFault,), 8_190),
    "url": Door(_text(lambda text: product_url_fault(text, ("shop.example",))), ()),
    "picture_url": Door(_text(picture_url_fault), ()),
    "agent": Door(_text(is_crawler), (), 8_190),
    "log": Door(_text(redact), (), 65_536),
    "recording": Door(scrub, (ValueError,), 65_536),
    "recorded_header": Door(_text(scrub_text), (), 8_190),
    "picture": Door(written_anew, (NoPicture,)),
}  # fmt: skip


def corpus() -> list[tuple[str, Path]]:
    """Return every file of the corpus with its door."""
    return [(door, file) for door in DOORS for file in sorted((CORPUS / door).glob("*")) if (CORPUS / door).is_dir()]
