"""Connect in one step: who agreed on the platform's page is connected, and nobody else can end what was begun."""

from __future__ import annotations

import hmac
import json
from base64 import urlsafe_b64encode
from contextlib import nullcontext
from hashlib import sha256
from typing import Any
from urllib.parse import parse_qs, parse_qsl, urlencode, urlsplit

import pytest
from aiohttp import encode_basic_auth, web
from attrs import evolve

from hub.api import BasicLogin, Call, OAuthConsent
from hub.domain.connectors.request_pages import Prepared
from hub.operations.connections.consents import begin_consent, return_from_platform, take_keys
from hub.operations.connections.platform_apps import delete_app, list_apps, set_app
from hub.operations.connections.platform_view import show_platform
from hub.operations.errors import InvalidFields, OperatorFault
from hub.outbound.platform_client import PlatformAnswer
from hub.outbound.platform_session import PlatformSession
from hub.plugin_host.registry import Registry
from hub.testing.in_process_plugins import InProcessPlugins
from tests.acme import ACME
from tests.acme_requests import ACME_REQUESTS
from tests.platform_sync.acme_shop import Asked, asked
from tests.processing.harness import Harness

SECRET = "client-s3cret"
OAUTH = evolve(
    ACME_REQUESTS,
    consent=OAuthConsent(
        "{site}/install?client_id={client_id}&scope={scopes}&redirect_uri={callback}&state={state}",
        Call(
            "{site}/token", "POST", '{"client_id": "{client_id}", "client_secret": "{client_secret}", "code": "{code}"}'
        ),
        grants=(("key", "key"), ("secret", "secret")),
        scopes=("orders", "products"),
        query_hmac="hmac",
        same=("site",),
        signs=True,
    ),
)


def with_oauth(one: Asked) -> None:
    """Have the connector declare an app that is installed, and the stand-in give it a token."""
    plugins = InProcessPlugins(Registry((evolve(ACME, requests=OAUTH),), {}))
    one.platforms = evolve(one.platforms, plugins=plugins)

    def token(request: web.Request) -> web.StreamResponse | None:
        return web.json_response({"key": "key", "secret": one.acme.secret}) if request.path == "/token" else None

    one.acme.fault = token


def answer_of(url: str, address: str, **changed: str) -> list[tuple[str, str]]:
    """Return the signed parameters with which the platform sends the browser back."""
    state = parse_qs(urlsplit(url).query)["state"][0]
    given = {"code": "c0de", "site": address, "state": state, "timestamp": "1772359200", **changed}
    signed = urlencode(sorted(given.items()), safe=":/")
    return [*given.items(), ("hmac", hmac.digest(SECRET.encode(), signed.encode(), "sha256").hex())]


class TestKeys:
    async def test_the_keys_that_a_shop_posts_connect_it(self, harness: Harness) -> None:
        async with asked(harness) as one:
            url = await begin_consent(one.platforms, one.shop.connection_id, "usr_1", {"site": one.address})
            query = parse_qs(urlsplit(url).query)
            assert url.startswith(f"{one.address}/consent?")
            assert query["callback"] == ["https://hub.example/consent/keys"]
            assert query["returns"] == [f"https://hub.example/merchant/connections/{one.shop.connection_id}"]
            posted = {"key_id": 1, "user_id": query["state"][0], "consumer_key": "key", "consumer_secret": "s3cret"}
            given = await take_keys(one.platforms, posted)
            assert (given["id"], given["webhooksMade"]) == (one.shop.connection_id, ["order", "product"])
            with pytest.raises(OperatorFault, match="has expired"):
                await take_keys(one.platforms, posted)

    async def test_keys_that_do_not_work_are_told_where_the_owner_looks(self, harness: Harness) -> None:
        """The shop shows its owner no reason. Keys that work end the sentence."""
        async with asked(harness) as one:
            for secret, is_told in (("another", True), ("s3cret", False)):
                url = await begin_consent(one.platforms, one.shop.connection_id, "usr_1", {"site": one.address})
                state = parse_qs(urlsplit(url).query)["state"][0]
                posted = {"key_id": 1, "user_id": state, "consumer_key": "key", "consumer_secret": secret}
                with pytest.raises(OperatorFault, match="refuses the credentials") if is_told else nullcontext():
                    await take_keys(one.platforms, posted)
                shown = await show_platform(one.platforms, one.shop.connection_id)
                assert (shown["consentFault"] is not None, shown["consentFaultSince"] is not None) == (is_told, is_told)
                assert not is_told or "refuses the credentials (401)" in (shown["consentFault"] or "")

    @pytest.mark.parametrize("posted", [None, [], {}, {"user_id": "guess", "consumer_key": "key"}, {"user_id": 5}])
    async def test_nobody_else_can_post_any(self, sqlite_harness: Harness, posted: Any) -> None:
        async with asked(sqlite_harness) as one:
            await begin_consent(one.platforms, one.shop.connection_id, "usr_1", {"site": one.address})
            with pytest.raises(OperatorFault, match="has expired"):
                await take_keys(one.platforms, posted)
            assert (await show_platform(one.platforms, one.shop.connection_id))["hasCredentials"] is False

    async def test_it_ends_after_half_an_hour(self, sqlite_harness: Harness) -> None:
        async with asked(sqlite_harness) as one:
            url = await begin_consent(one.platforms, one.shop.connection_id, "usr_1", {"site": one.address})
            sqlite_harness.clock.now += 31 * 60_000
            with pytest.raises(OperatorFault, match="has expired"):
                await take_keys(one.platforms, {"user_id": parse_qs(urlsplit(url).query)["state"][0]})

    async def test_what_is_typed_first_is_checked_and_https_is_needed(self, sqlite_harness: Harness) -> None:
        async def plain() -> str:
            return "http://hub.example"

        async with asked(sqlite_harness) as one:
            with pytest.raises(InvalidFields, match="does not look right"):
                await begin_consent(one.platforms, one.shop.connection_id, "usr_1", {"site": "nowhere"})
            local = evolve(one.platforms, root=plain)
            with pytest.raises(OperatorFault, match="https addresses only"):
                await begin_consent(local, one.shop.connection_id, "usr_1", {"site": one.address})


class TestApps:
    async def test_an_installed_app_connects_the_store(self, harness: Harness) -> None:
        """The code is exchanged, and deliveries are believed that are signed with the client secret."""
        async with asked(harness) as one:
            with_oauth(one)
            await set_app(one.platforms, "acme", "client-1", SECRET)
            url = await begin_consent(one.platforms, one.shop.connection_id, "usr_1", {"site": one.address})
            assert dict(parse_qsl(urlsplit(url).query))["scope"] == "orders,products"
            connection = await return_from_platform(one.platforms, answer_of(url, one.address), "usr_1")
            assert connection == one.shop.connection_id
            assert (await one.access())["fault"] is None
            async with harness.store.read() as tx:
                row = await tx.one("connection_anywhere", connection_id=connection)
            assert row is not None
            assert len(json.loads(row["secrets"])) == 2
            assert SECRET not in str(dict(row))

    async def test_a_code_is_of_use_to_nobody_but_this_hub(self, sqlite_harness: Harness) -> None:
        """PKCE: the page is given the digest of what only this hub can say when it exchanges the code (RFC 7636)."""
        consent = OAUTH.consent
        assert isinstance(consent, OAuthConsent)
        body = '{"code": "{code}", "code_verifier": "{code_verifier}"}'
        proved = evolve(consent, page=consent.page + "&code_challenge={code_challenge}&code_challenge_method=S256",
                        token=evolve(consent.token, body=body))  # fmt: skip
        sent: list[str] = []
        async with asked(sqlite_harness) as one:
            with_oauth(one)
            plugins = InProcessPlugins(Registry((evolve(ACME, requests=evolve(OAUTH, consent=proved)),), {}))
            one.platforms = evolve(one.platforms, plugins=plugins)
            await set_app(one.platforms, "acme", "client-1", SECRET)
            url = await begin_consent(one.platforms, one.shop.connection_id, "usr_1", {"site": one.address})
            query = parse_qs(urlsplit(url).query)

            async def post(session: PlatformSession, request: Prepared) -> PlatformAnswer:
                sent.append(json.loads(request.body or "")["code_verifier"])
                return PlatformAnswer(200, {}, {"key": "key", "secret": one.acme.secret})

            with pytest.MonkeyPatch.context() as patch:
                patch.setattr(PlatformSession, "post", post)
                await return_from_platform(one.platforms, answer_of(url, one.address), "usr_1")
        (verifier,) = sent
        assert len(verifier) == 43
        digest = urlsafe_b64encode(sha256(verifier.encode()).digest()).rstrip(b"=").decode()
        assert query["code_challenge"] == [digest]
        assert verifier not in url

    async def test_scopes_are_joined_by_blanks_and_the_client_proves_itself_in_a_header(
        self, sqlite_harness: Harness
    ) -> None:
        """As the standard has it (RFC 6749); the first test is the control, of a platform that wants neither."""
        consent = OAUTH.consent
        assert isinstance(consent, OAuthConsent)
        standard = evolve(
            consent, separator=" ", login=BasicLogin("{client_id}", "{client_secret}"),
            token=evolve(consent.token, body='{"code": "{code}"}'),
        )  # fmt: skip
        sent: list[Prepared] = []
        async with asked(sqlite_harness) as one:
            with_oauth(one)
            plugins = InProcessPlugins(Registry((evolve(ACME, requests=evolve(OAUTH, consent=standard)),), {}))
            one.platforms = evolve(one.platforms, plugins=plugins)
            await set_app(one.platforms, "acme", "client-1", SECRET)
            url = await begin_consent(one.platforms, one.shop.connection_id, "usr_1", {"site": one.address})
            assert parse_qs(urlsplit(url).query)["scope"] == ["orders products"]

            async def post(session: PlatformSession, request: Prepared) -> PlatformAnswer:
                sent.append(request)
                return PlatformAnswer(200, {}, {"key": "key", "secret": one.acme.secret})

            with pytest.MonkeyPatch.context() as patch:
                patch.setattr(PlatformSession, "post", post)
                await return_from_platform(one.platforms, answer_of(url, one.address), "usr_1")
        (request,) = sent
        assert request.headers["Authorization"] == encode_basic_auth("client-1", SECRET)
        assert SECRET not in (request.body or "")

    @pytest.mark.parametrize(
        ("changed", "user", "said"),
        [
            ({"state": "guess"}, "usr_1", "has expired"),
            ({}, "usr_2", "has expired"),
            ({"site": "https://other.example"}, "usr_1", "another shop"),
            ({"hmac": "00"}, "usr_1", "not signed"),
            ({"code": ""}, "usr_1", "declined"),
        ],
    )
    async def test_any_other_answer_connects_nothing(
        self, sqlite_harness: Harness, changed: dict[str, str], user: str, said: str
    ) -> None:
        async with asked(sqlite_harness) as one:
            with_oauth(one)
            await set_app(one.platforms, "acme", "client-1", SECRET)
            url = await begin_consent(one.platforms, one.shop.connection_id, "usr_1", {"site": one.address})
            forged = {name: text for name, text in changed.items() if name != "hmac"}
            answer = [(n, changed["hmac"]) if n == "hmac" and "hmac" in changed else (n, t)
                      for n, t in answer_of(url, one.address, **forged)]  # fmt: skip
            with pytest.raises(OperatorFault, match=said):
                await return_from_platform(one.platforms, answer, user)
            assert (await show_platform(one.platforms, one.shop.connection_id))["hasCredentials"] is False

    async def test_apps_are_the_operators(self, sqlite_harness: Harness) -> None:
        async with asked(sqlite_harness) as one:
            with pytest.raises(OperatorFault, match="installs no apps"):
                await set_app(one.platforms, "acme", "client-1", SECRET)
            with_oauth(one)
            with pytest.raises(OperatorFault, match="has no app"):
                await begin_consent(one.platforms, one.shop.connection_id, "usr_1", {"site": one.address})
            await set_app(one.platforms, "acme", "client-1", SECRET)
            assert [each["clientId"] for each in await list_apps(one.platforms)] == ["client-1"]
            await delete_app(one.platforms, "acme")
            assert await list_apps(one.platforms) == []
