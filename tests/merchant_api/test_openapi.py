"""The OpenAPI document says what the hub does: no more, no less, and in examples that the hub itself takes."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import attrs
import pytest
from hub_generic import payloads
from hub_generic.translate import PRODUCT_FIELDS
from openapi_schema_validator import OAS30Validator
from openapi_spec_validator import validate as validate_document

from hub.app import Hub
from hub.catalog.validate_items import ItemValidation, RejectedProduct
from hub.domain.orders.facts import FACTS_OF_KIND
from hub.merchant_api.endpoint import CsvFile, Endpoint
from hub.merchant_api.openapi import texts as openapi_texts
from hub.merchant_api.openapi.document import WITHOUT_SCHEMA, document, readable_document
from hub.merchant_api.openapi.errors import HEADERS
from hub.merchant_api.openapi.examples import ANSWERS, CHANGES
from hub.merchant_api.v1 import ENDPOINTS
from hub.records.record import name_of
from hub.validation.input_reader import fields_of
from hub.validation.inputs import MerchantTerms, ProductInput, ProductsPayload
from hub.validation.validate import validate, validate_query
from tests.csv_import.test_upload_endpoints import ended
from tests.merchant_api.endpoint_table import EXTENSIONS, SPECIFIED
from tests.openapi_documents import document_of
from tests.polling import until
from tests.served_hub import Api, Reply

SNAPSHOT = Path(__file__).parents[2] / "docs" / "openapi.json"
TERMS = MerchantTerms("USD", ("shop.example",))

DOCUMENT = document_of("merchant")
BY_OPERATION = {endpoint.operation: endpoint for endpoint in ENDPOINTS}


def operation_of(endpoint: Endpoint) -> dict[str, Any]:
    described: dict[str, Any] = DOCUMENT["paths"][endpoint.path][endpoint.method.lower()]
    return described


def resolved(node: Mapping[str, Any]) -> dict[str, Any]:
    """What a node refers to, or the node."""
    while "$ref" in node:
        _, *steps = node["$ref"].split("/")
        node = DOCUMENT
        for step in steps:
            node = node[step]
    return dict(node)


def flat(node: Mapping[str, Any]) -> dict[str, Any]:
    """A member with what it refers to put in its place; null beside a reference as `nullable`."""
    beside = {key: value for key, value in node.items() if key not in ("allOf", "anyOf")}
    parts = [resolved(part) for part in (*node.get("allOf", ()), *node.get("anyOf", ()))]
    for part in parts:
        if part.get("enum") == [None]:
            beside["nullable"] = True
        else:
            beside = {**part, **beside}
    return resolved(beside)


@cache
def strict_schema(name: str) -> dict[str, Any]:
    """A component's schema with its references put in place, and no member allowed beyond those it names."""
    strict: dict[str, Any] = _strict(DOCUMENT["components"]["schemas"][name])
    return strict


def _strict(node: Any) -> Any:
    if isinstance(node, list):
        return [_strict(each) for each in node]
    if not isinstance(node, dict):
        return node
    node = {key: _strict(value) for key, value in resolved(node).items()}
    return {**node, "additionalProperties": False} if _is_record(node) else node


def assert_fits(value: object, name: str) -> None:
    faults = OAS30Validator(strict_schema(name)).iter_errors(value)
    assert [f"{fault.json_path}: {fault.message}" for fault in faults] == []


def assert_documented(endpoint: Endpoint, reply: Reply) -> None:
    """The status is one that the document names, with that body and those headers."""
    response = resolved(operation_of(endpoint)["responses"][str(reply.status)])
    ((media, content),) = response["content"].items()
    assert reply.headers["Content-Type"] == f"{media}; charset=utf-8"
    if media == "text/csv":
        assert reply.raw.splitlines()[0] == content["example"].encode().splitlines()[0]
    else:
        assert_fits(reply.json, content["schema"]["$ref"].rpartition("/")[2])
    sent = {name for name in HEADERS if name in reply.headers}
    assert sent <= response["headers"].keys()
    assert {name for name, header in response["headers"].items() if resolved(header).get("required")} <= sent


def body_examples(endpoint: Endpoint) -> Iterator[Any]:
    ((media, content),) = operation_of(endpoint)["requestBody"]["content"].items()
    if endpoint.body is CsvFile:
        assert media == "application/octet-stream"
        yield content["example"].encode()
    else:
        yield from (example["value"] for example in content["examples"].values())


class TestDocument:
    def test_the_document_is_valid_openapi(self) -> None:
        validate_document(DOCUMENT)
        assert DOCUMENT["openapi"] == "3.0.3"
        assert DOCUMENT["info"]["version"] == "v1"
        assert [server["url"] for server in DOCUMENT["servers"]] == ["/api"]
        public = json.loads(document("https://hub.example"))
        assert [server["url"] for server in public["servers"]] == ["https://hub.example/api"]
        assert DOCUMENT["info"]["license"]["name"] == "Apache 2.0"
        assert public["info"]["contact"]["url"] == "https://hub.example/docs"

    def test_null_stands_outside_of_every_closed_set(self) -> None:
        """A generated client has one type for each set, whether null is taken beside it or not."""
        sets = [node["enum"] for node in _walk(DOCUMENT) if "enum" in node]
        assert [words for words in sets if None in words and words != [None]] == []
        components = DOCUMENT["components"]["schemas"]
        named = [tuple(schema["enum"]) for schema in components.values() if "enum" in schema]
        assert len(set(named)) == len(named)
        written_out = [words for words in sets if len(words) > 1 and tuple(words) not in named]
        assert written_out == []

    def test_every_webhook_has_a_typed_body(self) -> None:
        for kind in FACTS_OF_KIND:
            operation = DOCUMENT["paths"][f"/v1/webhooks/{kind}"]["post"]
            (content,) = operation["requestBody"]["content"].values()
            body = resolved(content["schema"])
            assert body["additionalProperties"] is True
            assert set(body["required"]) <= body["properties"].keys()
            assert body["properties"].keys() == set(openapi_texts.WEBHOOK_FIELDS[kind])
            (example,) = content["examples"].values()
            assert [fault.message for fault in OAS30Validator(_put_in(body)).iter_errors(example["value"])] == []

    def test_the_document_is_the_same_every_time(self) -> None:
        """Another process, with other hash seeds, makes the same bytes."""
        command = [sys.executable, "-m", "hub.merchant_api.openapi.document"]
        assert subprocess.run(command, capture_output=True, check=True).stdout == readable_document()
        assert json.loads(document()) == DOCUMENT

    def test_the_document_is_sorted(self) -> None:
        assert list(DOCUMENT["paths"]) == sorted(DOCUMENT["paths"])
        for kind, components in DOCUMENT["components"].items():
            assert list(components) == sorted(components), kind

    def test_the_document_is_kept_in_docs(self) -> None:
        """A change of the API has to show in review."""
        kept = SNAPSHOT.read_bytes() if SNAPSHOT.exists() else b""
        command = ".venv/bin/python -m hub.merchant_api.openapi.document > docs/openapi.json"
        mend = f"The API has changed. If it was meant to: {command}"
        assert kept == readable_document(), mend

    def test_asks_for_all_three_headers_at_once(self) -> None:
        alternative, by_token = DOCUMENT["security"]
        assert by_token == {"Token": []}
        schemes = [DOCUMENT["components"]["securitySchemes"][name] for name in alternative]
        assert {scheme["name"] for scheme in schemes} == {"X-API-Key", "X-Timestamp", "X-Signature"}
        assert {(scheme["type"], scheme["in"]) for scheme in schemes} == {("apiKey", "header")}

    def test_answers_and_filters_that_operations_have_alike_are_written_once(self) -> None:
        """The control: the parts that are named would be there more than once."""
        operations = [each for methods in DOCUMENT["paths"].values() for each in methods.values()]
        answers = [json.dumps(each) for operation in operations for each in operation["responses"].values()]
        filters = [json.dumps(each) for operation in operations for each in operation["parameters"]]
        for parts in (answers, [each for each in filters if '"in": "path"' not in each]):
            written = [each for each in parts if "$ref" not in each[:8]]
            assert sorted(written) == sorted(set(written))
            assert len(parts) - len(written) > len(set(parts) - set(written)), "what is referred to is shared"
        assert len(document()) < 275_000, "300,000 and more before"

    def test_names_nothing_that_is_not_there(self) -> None:
        """Words about operations, fields or parts that are gone would mislead."""
        operations = {endpoint.operation for endpoint in ENDPOINTS}
        assert openapi_texts.OPERATIONS.keys() == operations
        assert list(openapi_texts.TAGS) == list(dict.fromkeys(endpoint.tag for endpoint in ENDPOINTS))
        assert ANSWERS.keys() == {endpoint.response for endpoint in ENDPOINTS} - {CsvFile}
        assert CHANGES.keys() <= {endpoint.body for endpoint in ENDPOINTS}


def _put_in(node: Any) -> Any:
    """A part of the document with its references put in place."""
    if isinstance(node, dict):
        return {key: _put_in(value) for key, value in resolved(node).items()}
    return [_put_in(each) for each in node] if isinstance(node, list) else node


def _is_record(node: Mapping[str, Any]) -> bool:
    return isinstance(node.get("properties"), dict)


def _walk(node: Any) -> Iterator[dict[str, Any]]:
    if isinstance(node, dict):
        yield node
    for each in node.values() if isinstance(node, dict) else node if isinstance(node, list) else ():
        yield from _walk(each)


class TestCompleteness:
    def test_every_endpoint_is_an_operation(self) -> None:
        described = {(m.upper(), path) for path, methods in DOCUMENT["paths"].items() for m in methods}
        assert described == {(endpoint.method, endpoint.path) for endpoint in ENDPOINTS}

    @pytest.mark.parametrize("row", SPECIFIED.strip().splitlines(), ids=lambda row: " ".join(row.split()[:2]))
    def test_every_row_of_the_specification(self, row: str) -> None:
        method, path, *statuses = row.split()
        assert DOCUMENT["paths"][path][method.lower()]["responses"].keys() >= set(statuses)

    def test_the_specification_has_no_other_rows(self) -> None:
        rows = {tuple(row.split()[:2]) for row in (SPECIFIED.strip() + EXTENSIONS).splitlines()}
        assert rows == {(endpoint.method, endpoint.path) for endpoint in ENDPOINTS}

    @pytest.mark.parametrize("endpoint", ENDPOINTS, ids=lambda endpoint: endpoint.operation)
    def test_every_answer_of_an_endpoint(self, endpoint: Endpoint) -> None:
        """All statuses that its record names, and no other; each with a schema, an example that fits, its headers."""
        responses = operation_of(endpoint)["responses"]
        unchanged = [304] if endpoint.conditional else []
        assert [int(status) for status in responses] == [endpoint.success, *unchanged, *endpoint.errors]
        for status, response in responses.items():
            answer = resolved(response)
            assert ("ETag" in answer["headers"]) == (endpoint.conditional and int(status) < 400)
            if status == "304":
                assert "content" not in answer
                continue
            ((media, content),) = answer["content"].items()
            if media == "text/csv":
                assert (endpoint.response, int(status)) == (CsvFile, endpoint.success)
                continue
            name = content["schema"]["$ref"].rpartition("/")[2]
            assert name == (name_of(endpoint.response) if int(status) == endpoint.success else "ErrorBody")
            values = [each["value"] for each in content.get("examples", {}).values()] or [content["example"]]
            for value in values:
                assert_fits(value, name)
            if name == "ErrorBody":
                assert values[0]["statusCode"] == int(status)
            assert "X-Request-ID" in answer["headers"]
            replayed = endpoint.idempotent and int(status) == endpoint.success
            assert ("Idempotency-Replayed" in answer["headers"]) == replayed

    @pytest.mark.parametrize("endpoint", ENDPOINTS, ids=lambda endpoint: endpoint.operation)
    def test_every_parameter_of_an_endpoint(self, endpoint: Endpoint) -> None:
        parameters = [resolved(each) for each in operation_of(endpoint)["parameters"]]
        named = {(each["in"], each["name"]) for each in parameters}
        always = {("header", name) for name in ("X-Request-ID", "X-Nonce", "X-Signature-Version")}
        if endpoint.conditional:
            always |= {("header", "If-None-Match")}
        wanted = always | {("header", field.name) for field in endpoint.headers}
        wanted |= {("path", part[1:-1]) for part in endpoint.path.split("/") if part.startswith("{")}
        if endpoint.query is not None:
            wanted |= {("query", field.wire) for field in fields_of(endpoint.query)}
        if endpoint.idempotent:
            wanted |= {("header", "X-Idempotency-Key"), ("header", "Idempotency-Key")}
        assert named == wanted
        assert all(each["description"] and each["schema"] for each in parameters)
        assert (endpoint.body is not None) == ("requestBody" in operation_of(endpoint))

    def test_every_field_of_every_input(self) -> None:
        """Each with all that its constraint states, and null where null is taken."""
        bodies = {e.body for e in ENDPOINTS if e.body is not None} - WITHOUT_SCHEMA | {ProductInput}
        for cls in bodies:
            schema = DOCUMENT["components"]["schemas"][cls.__name__]
            fields = fields_of(cls)
            assert list(schema["properties"]) == [field.wire for field in fields], cls
            assert schema.get("required", []) == [field.wire for field in fields if field.required], cls
            for field in fields:
                described = flat(schema["properties"][field.wire])
                assert described["description"], field
                assert described.get("nullable", False) == field.nullable, field
                stated = field.constraint.schema()
                if "items" in stated:
                    stated["items"] = {**stated["items"], **described["items"]}  # more may be said of items, not less
                assert {name: described.get(name) for name in stated} == stated

    def test_every_member_of_every_answer_is_explained(self) -> None:
        inputs = {e.body.__name__ for e in ENDPOINTS if e.body is not None}
        for name, schema in DOCUMENT["components"]["schemas"].items():
            for wire, member in schema.get("properties", {}).items():
                assert name in inputs or "$ref" in member or member.get("description"), f"{name}.{wire}"

    def test_webhook_fields_are_the_generic_connectors(self) -> None:
        """The document tells of the plugin's bodies without importing it; here the two are held side by side."""
        news, refund = _names(payloads.NewsPayload), _names(payloads.RefundPayload)
        product = _names(payloads.ProductPayload) | PRODUCT_FIELDS.keys()
        kinds = {kind: news for kind in FACTS_OF_KIND if kind.startswith("order-")} | {
            "order-created": _names(payloads.OrderPayload),
            "order-refunded": refund,
            "product-updated": product,
            "product-stock-updated": _names(payloads.StockPayload),
        }
        assert {kind: set(names) for kind, names in openapi_texts.WEBHOOK_FIELDS.items()} == kinds


def _names(cls: type) -> set[str]:
    return {field.name for field in attrs.fields(cls)}


class TestExamples:
    @pytest.mark.parametrize(
        "endpoint",
        [e for e in ENDPOINTS if e.body not in {None, *WITHOUT_SCHEMA}],
        ids=lambda endpoint: endpoint.operation,
    )
    def test_example_bodies_pass_the_validation(self, endpoint: Endpoint) -> None:
        for example in body_examples(endpoint):
            assert endpoint.body is not None
            assert_fits(example, endpoint.body.__name__)
            if endpoint.body is ProductsPayload:
                items = ItemValidation.open(example, TERMS, keeps_omitted=False)
                verdicts = items.validate(0, len(example["products"]))
                assert not [each for each in verdicts if isinstance(each, RejectedProduct)]
            else:
                assert validate(endpoint.body, example, TERMS).unknown_fields == ()

    @pytest.mark.parametrize("endpoint", [e for e in ENDPOINTS if e.query], ids=lambda endpoint: endpoint.operation)
    def test_example_queries_pass_the_validation(self, endpoint: Endpoint) -> None:
        assert endpoint.query is not None
        pairs = query_example(endpoint)
        assert validate_query(endpoint.query, pairs).unknown_fields == ()
        assert len(pairs) == len(fields_of(endpoint.query))

    async def test_the_hub_takes_every_one(self, hub: Hub, api: Api) -> None:
        """Each example of each operation, sent as it stands, is answered with the documented success."""
        seen = set()
        others = (e.operation for e in ENDPOINTS if e.operation not in {*EARLY, *LATE, *OF_ENTRIES})
        for operation in (*EARLY, *others, *LATE):
            endpoint = BY_OPERATION[operation]
            bodies = list(body_examples(endpoint)) if endpoint.body is not None else [None]
            for number, body in enumerate(bodies):
                path = endpoint.path.format_map(await path_values(endpoint, api))
                if endpoint.query is not None:
                    path += "?" + "&".join(f"{name}={value}" for name, value in query_example(endpoint))
                headers = {field.name: f"{operation}-{number}" for field in endpoint.headers}
                headers |= {"Content-Type": "text/csv"} if endpoint.body is CsvFile else {}
                reply = await api(endpoint.method, path, body, headers=headers)
                assert reply.status == endpoint.success, (operation, body, reply.raw)
                assert_documented(endpoint, reply)
                if endpoint.body is CsvFile:
                    await assert_all_rows_pass(api, reply)
                if endpoint.tag == "webhooks":
                    await assert_understood(api, reply.json["webhookEventId"])
            seen.add(operation)
        assert seen | OF_ENTRIES == BY_OPERATION.keys()

    async def test_example_headers_are_accepted(self, api: Api) -> None:
        """The keys' and the request id's examples are taken, and a repeat says that it is one."""
        parameters = [resolved(each) for each in operation_of(BY_OPERATION["reportConversion"])["parameters"]]
        unsigned = [each for each in parameters if each["name"] not in ("X-Nonce", "X-Signature-Version")]
        headers = {each["name"]: each["schema"]["example"] for each in unsigned}
        order = next(body_examples(BY_OPERATION["reportConversion"]))
        for replayed in (None, "true"):
            reply = await api("POST", "/v1/conversions", order, headers=headers)
            assert_documented(BY_OPERATION["reportConversion"], reply)
            assert reply.headers["X-Request-ID"] == headers["X-Request-ID"]
            assert reply.headers.get("Idempotency-Replayed") == replayed


EARLY = ("importProducts", "createCampaign", "reportConversion")
LATE = ("archiveProducts", "getEvent")
OF_ENTRIES = {
    "attributeConversion", "createLink", "disableLink", "dismissConversion", "getCommission", "getConversion",
    "replayDeliveries", "retryDeliveries",
}  # fmt: skip
"""Operations that need an affiliate with an order; test_lists.py holds their answers against the document."""


def query_example(endpoint: Endpoint) -> list[tuple[str, str]]:
    parameters = [resolved(each) for each in operation_of(endpoint)["parameters"]]
    return [(each["name"], str(each["schema"]["example"])) for each in parameters if each["in"] == "query"]


async def path_values(endpoint: Endpoint, api: Api) -> dict[str, str]:
    """Ids of things that are there: the document's examples name none of this account."""
    if "{eventId}" in endpoint.path:
        order = {"externalOrderId": "ORDER-1042", "orderAmount": "49.90"}
        return {"eventId": (await api("POST", "/v1/conversions", order)).json["eventId"]}
    if endpoint.tag == "campaigns" and "{id}" in endpoint.path:
        campaign = (await api("POST", "/v1/campaigns", {"title": "Spring sale"})).json["id"]
        if endpoint.operation == "pauseCampaign":
            await api("POST", f"/v1/campaigns/{campaign}/activate")
        return {"id": campaign}
    if endpoint.tag == "subscriptions" and "{id}" in endpoint.path:
        made = await api("POST", "/v1/subscriptions", {"url": "https://shop.example/hook", "events": ["*"]})
        return {"id": made.json["id"]}
    if endpoint.tag == "uploads" and "{id}" in endpoint.path:
        headers = {"Content-Type": "text/csv"}
        return {"id": (await api("POST", "/v1/uploads/orders", b"externalOrderId\n", headers=headers)).json["uploadId"]}
    return {"id": "SKU-1"}


async def assert_all_rows_pass(api: Api, reply: Reply) -> None:
    upload = await ended(api, reply)
    assert_fits(upload, "UploadRecord")
    assert (upload["rows"], upload["failed"], upload["ignoredColumns"]) == (1, 0, []), upload


async def assert_understood(api: Api, event_id: str) -> None:
    """The event of a webhook's example is decided, and not as unreadable."""

    async def decided() -> Any:
        event = (await api("GET", f"/v1/events/{event_id}")).json
        assert_fits(event, "EventRecord")
        return None if event["status"] == "QUEUED" else event

    event = await until(decided)
    assert event["status"] in {"PROCESSED", "SKIPPED"}, event
