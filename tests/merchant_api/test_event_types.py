"""The catalogue of messages says what is sent, in a schema that stands alone, and the document has a twin in 3.1."""

from __future__ import annotations

import json
from typing import Any

import pytest
from openapi_schema_validator import OAS31Validator
from openapi_spec_validator import validate

from hub.app import Hub
from hub.docs_site.documents import docs_folder
from hub.domain.messages.notifications import EVENT_TYPES
from hub.merchant_api.openapi.document import document_in_31
from hub.merchant_api.openapi.message_bodies import catalogue
from hub.records.messages import MESSAGE_KINDS, example_message
from tests.merchant_api.test_openapi import BY_OPERATION, assert_documented
from tests.openapi_documents import document_of
from tests.served_hub import Api

TWIN: dict[str, Any] = json.loads(document_in_31())


async def test_it_is_read_by_key(api: Api) -> None:
    reply = await api("GET", "/v1/event-types")
    assert_documented(BY_OPERATION["listEventTypes"], reply)
    assert [each["type"] for each in reply.json["data"]] == list(EVENT_TYPES)
    assert reply.headers["ETag"]


@pytest.mark.parametrize("event_type", EVENT_TYPES)
def test_a_schema_takes_its_example_and_nothing_that_lacks_a_member(event_type: str) -> None:
    """The control takes away one member of the data, and names another type."""
    kind = next(each for each in catalogue() if each.type == event_type)
    OAS31Validator.check_schema(kind.schema)
    judge = OAS31Validator(kind.schema)
    judge.validate(kind.example)
    assert "$ref" not in json.dumps(kind.schema)
    for member in kind.example["data"]:
        broken = {**kind.example, "data": {**kind.example["data"]}}
        del broken["data"][member]
        optional = member not in kind.schema["properties"]["data"]["required"]
        assert judge.is_valid(broken) == optional, member
    assert not judge.is_valid({**kind.example, "type": "commission.none"})


def test_the_kinds_are_those_that_can_be_subscribed_to_and_the_guide_says_when() -> None:
    assert tuple(MESSAGE_KINDS) == EVENT_TYPES
    guide = (docs_folder() / "webhooks.md").read_text("utf-8")
    for event_type, kind in MESSAGE_KINDS.items():
        assert f"| `{event_type}` | {kind.about} |" in guide


def test_the_twin_is_valid_and_has_every_message_as_a_webhook() -> None:
    validate(TWIN)
    assert TWIN["openapi"] == "3.1.0"
    assert TWIN["paths"].keys() == document_of("merchant")["paths"].keys()
    assert list(TWIN["webhooks"]) == list(EVENT_TYPES)
    for event_type, item in TWIN["webhooks"].items():
        assert item["post"]["requestBody"]["content"]["application/json"]["example"] == example_message(event_type)


def test_the_twin_has_nothing_of_3_0_left() -> None:
    """The document of 3.0 is the control: it has what is looked for."""
    left = json.dumps({**TWIN, "paths": {}})
    assert ('"nullable"' in left, '"nullable"' in json.dumps(document_of("merchant")["components"])) == (False, True)
    assert '"enum": [null]' not in left


async def test_it_is_served_to_everybody(hub: Hub, api: Api) -> None:
    async with api.session.get("/api/v1/openapi-3.1.json") as reply:
        assert (reply.status, reply.headers["Access-Control-Allow-Origin"]) == (200, "*")
        assert (await reply.json())["webhooks"].keys() == set(EVENT_TYPES)
