"""Declared requests are checked when the plugin is loaded: what could never be sent is named."""

from __future__ import annotations

from typing import Any

import pytest
from attrs import evolve

from hub.api import Call, Credential, Listing, RateLimit, Requests, Single
from hub.plugin_host.flaws import connector_flaws
from tests.acme import ACME
from tests.acme_requests import ACME_REQUESTS

HOOKS: Any = ACME_REQUESTS.webhooks
PUT: Any = "BREW"
LIST: Any = ["a"]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"root": "{nowhere}/api"}, "root with {nowhere}, which is not known there"),
        ({"order": Single(Call("/orders/{page}"), "order")}, "order with {page}, which is not known there"),
        ({"order": Single(Call("/orders/{id}"), "nothing")}, "order whose topic 'nothing' it does not have"),
        ({"orders": Listing(Call("/o"), "order", is_whole=False), "order": None, "several": None},
         "orders that are not whole, but no order to ask for each"),
        ({"rate": RateLimit(per_second=0)}, "a rate that is not above 0 with a burst of at least 1"),
        ({"credentials": (*ACME_REQUESTS.credentials, Credential("A B", "x"))}, "a credential 'A B': a name is up to"),
        ({"credentials": (*ACME_REQUESTS.credentials, Credential("a", "x", pattern="("))},
         "a credential 'a' whose pattern is no regular expression"),
        ({"signs_with": "nothing"}, "signs_with 'nothing', which is not one of its credentials"),
        ({"orders": Listing(Call("/o", PUT), "order")}, "orders with the method 'BREW'"),
        ({"headers": LIST}, "requests.headers as list"),
        ({"order": None}, "several orders at once that are not whole, or no order to ask for those that are missing"),
        ({"several": Listing(Call("/o?{since}&{id}"), "order")}, "several with {id}, which is not known there"),
        ({"webhooks": evolve(HOOKS, secret="secret")},
         "webhooks whose secret the platform makes, but that are signed with another one, too"),
        ({"webhooks": evolve(HOOKS, secret="secret", create=Call("/hooks", "POST"), topics=tuple("abcde"))},
         "more than 4 webhooks with a secret of their own, which a connection has no room for"),
        ({"webhooks": evolve(HOOKS, is_of_consent=True), "consent": None},
         "webhooks that only a consent may make, but no consent"),
    ],
)  # fmt: skip
def test_each_flaw_is_a_sentence(change: dict[str, Any], said: str) -> None:
    flawed: Requests = evolve(ACME_REQUESTS, **change)
    (sentence,) = connector_flaws(evolve(ACME, requests=flawed))
    assert sentence.startswith("gives its connector 'acme' ")
    assert said in sentence


def test_what_is_no_record_is_refused() -> None:
    wrong: Any = "https://api.acme.example"
    assert [*connector_flaws(evolve(ACME, requests=wrong))] == [
        "gives its connector 'acme' requests that are no Requests"
    ]
