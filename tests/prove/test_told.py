"""Ten real faults beneath a hub that serves: each is told everywhere, on real time; after how long is printed."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import aiohttp
import pytest
from attrs import define, field
from structlog.testing import capture_logs
from yarl import URL

from hub.app import Hub
from hub.clock import system_clock
from hub.domain.messages.webhook_signing import secret_text
from hub.domain.signing import sign
from hub.domain.troubles import anchor
from hub.domain.words import TroubleKind
from hub.testing.postgres import free_port
from tests.cli.conftest import Operator
from tests.mail.smtp_server import Inbox, smtp_server
from tests.observability.test_troubles import DAY, KEY, Seeds, receiver, showing
from tests.pages.visitor import Visitor, enter, user_of
from tests.plugin_host.distributions import Distributions, distributions_in
from tests.polling import until
from tests.served_hub import MASTER_KEY, served_with_host

pytestmark = pytest.mark.prove

TEN: tuple[TroubleKind, ...] = (
    "audit_violated", "mail_failing", "messages_failed", "mail_given_up", "receivers_failing", "plugin_set_aside",
    "certificate_ending", "keys_ending", "audit_old", "backup_old",
)  # fmt: skip


class Choosy(Inbox):
    """A mail server that takes no mail to one place for now, and none to another one for good."""

    async def handle_RCPT(  # noqa: N802 - aiosmtpd's name
        self, _server: object, _session: object, envelope: Any, address: str, _options: object
    ) -> str:
        if address.endswith("@away.example"):
            return "451 Try again later"
        if address.endswith("@gone.example"):
            return "550 No such user"
        envelope.rcpt_tos.append(address)
        return "250 OK"


@define
class Surfaces:
    """Where an operator hears of troubles; each says which of the ten it tells of."""

    hub: Hub
    operator: Operator
    settings: dict[str, str]
    visitor: Visitor
    token: str
    inbox: Inbox
    posts: list[dict[str, Any]]
    session: aiohttp.ClientSession
    told: dict[str, float] = field(factory=dict)

    async def command(self) -> set[str]:
        done = await asyncio.to_thread(self.operator.run, "status", "--json", **self.settings)
        found = {each["kind"] for each in json.loads(done.stdout)["troublesNow"]}
        assert done.exit_code == bool(found), done.output
        return found

    async def page(self) -> set[str]:
        return self._titled((await self.visitor.get("/operator")).text)

    async def api(self) -> set[str]:
        headers = {"Authorization": f"Bearer {self.token}"}
        async with self.session.get(f"{self.hub.url}/api/admin/v1/health", headers=headers) as answer:
            return {each["kind"] for each in (await answer.json())["troublesNow"]}

    async def probe(self) -> set[str]:
        async with self.session.get(f"{self.hub.url}/readyz") as answer:
            return self._titled(" ".join((await answer.json()).get("notices", ())))  # none while it is not ready

    async def metric(self) -> set[str]:
        async with self.session.get(f"{self.hub.url}/metrics") as answer:
            lines = (await answer.text()).splitlines()
        return {kind for kind in TEN if f'hub_trouble{{kind="{kind}"}} 1.0' in lines}

    async def mail(self) -> set[str]:
        words = " ".join(" ".join(str(part.get_content()) for part in mail.walk() if not part.is_multipart())
                         for mail in self.inbox.mails)  # fmt: skip
        rows = await self._sentences()
        return {kind for kind, sentence in rows.items() if sentence[:25] in words}

    async def webhook(self) -> set[str]:
        return {post["data"]["kind"] for post in self.posts if post["type"] == "trouble.began"}

    async def _sentences(self) -> dict[str, str]:
        async with self.hub.parts.store.read() as tx:
            return {row["kind"]: row["sentence"] for row in await tx.all("troubles_noted")}

    def _titled(self, text: str) -> set[str]:
        """Return which of the ten a text leads to the sections of, in the documents."""
        return {kind for kind in TEN if f"/docs/{anchor(kind)}" in text}

    async def all_told(self, name: str, ask: Callable[[], Awaitable[set[str]]], began: float) -> None:
        """Wait until a surface tells of all ten, and note after how many seconds it did."""
        seen = set[str]()

        async def whole() -> bool:
            seen.clear()
            seen.update(await ask())
            return set(TEN) <= seen

        try:
            await until(whole, pause=0.5)
        except TimeoutError:
            raise AssertionError(f"{name} does not tell of {set(TEN) - seen}") from None
        self.told[name] = time.monotonic() - began


async def made_wrong(
    surfaces: Surfaces, merchant: str, seeds: Seeds, plugins: Distributions, key: dict[str, str]
) -> None:
    """Bring about the ten faults, by their causes where these need not take days."""

    async def do(*words: str) -> Any:
        done = await asyncio.to_thread(surfaces.operator.run, *words, "--json", **surfaces.settings)
        assert done.exit_code in (0, 1), done.output
        return json.loads(done.stdout)

    plugins.write("broken", "import no_such_module")
    for place in ("away", "gone"):
        await do("user", "invite", "--email", f"bo@{place}.example", "--role", "operator")
    await sent(surfaces, key, "/v1/webhooks/order-refunded", {"nothing": "known"})
    await sent(surfaces, key, "/v1/conversions", {"externalOrderId": "O-1", "orderAmount": "49.90"})

    async def failed() -> bool:
        async with surfaces.hub.parts.store.read() as tx:
            row = await tx.one("receivers_failing", before=system_clock())
        return row is not None and bool(row["receivers"])

    await until(failed)
    seeds.run("UPDATE subscriptions SET failing_since = failing_since - 31000")
    live = await do("key", "create", "--merchant", merchant, "--mode", "live", "--expires", "5d")
    seeds.run(f"UPDATE api_keys SET created_at = created_at - {60 * DAY} WHERE key_id = '{live['keyId']}'")
    seeds.run("DELETE FROM claims")
    assert (await do("audit"))["violations"]


async def sent(surfaces: Surfaces, key: dict[str, str], path: str, document: dict[str, str]) -> None:
    body, stamp = json.dumps(document).encode(), str(int(time.time()))
    headers = {"X-API-Key": key["keyId"], "X-Timestamp": stamp, "Content-Type": "application/json",
               "X-External-Event-Id": stamp,
               "X-Signature": sign(key["signingSecret"].encode(), stamp, body)}  # fmt: skip
    async with surfaces.session.post(f"{surfaces.hub.url}/api{path}", data=body, headers=headers) as answer:
        assert answer.status == 202, await answer.text()


def settings_of(root: str, inbox: Inbox, posted: str) -> dict[str, str]:
    return {
        "HUB_MASTER_KEY": MASTER_KEY, "HUB_SERVER_PUBLIC_URL": root, "HUB_TRUSTED_PROXIES": "127.0.0.1",
        "HUB_MAIL_HOST": "127.0.0.1", "HUB_MAIL_PORT": str(inbox.port), "HUB_MAIL_TLS": "none",
        "HUB_MAIL_FROM": "hub@hub.example", "HUB_TROUBLES_WEBHOOK": posted,
        "HUB_TROUBLES_WEBHOOK_SECRET": secret_text(KEY), "HUB_TROUBLES_DIGEST": "1s",
        "HUB_TROUBLES_AUDIT_AFTER": "1s", "HUB_TROUBLES_BACKUP_AFTER": "1s", "HUB_DATABASE_RESERVE": "0",
        "HUB_OUTBOUND_ALLOWED_NETWORKS": "127.0.0.1",
    }  # fmt: skip


async def test_ten_faults_are_told_everywhere(sqlite_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    posts, plugins = list[dict[str, Any]](), distributions_in(tmp_path / "site", monkeypatch)
    soon, operator = datetime.now(UTC) + timedelta(days=5), Operator(sqlite_url)
    async with (
        AsyncExitStack() as stack, showing(tmp_path, soon) as root, smtp_server(inbox=Choosy()) as inbox,
        receiver(posts) as posted, aiohttp.ClientSession() as session,
    ):  # fmt: skip
        settings = settings_of(root, inbox, posted)
        stack.enter_context(capture_logs())  # the hub's, which would be in what commands print in the same process
        async with served_with_host(sqlite_url, system_clock, **settings) as hub, secure_browser(hub) as visitor:
            await user_of(hub, system_clock)
            await enter(visitor, hub, system_clock)
            surfaces = Surfaces(hub, operator, settings, visitor, "", inbox, posts, session)
            for ask in (surfaces.command, surfaces.metric):
                assert await ask() <= {"certificate_ending"}, "the control: all else is well"
            token, merchant, key = await set_up(surfaces)
            surfaces.token = token
            began = time.monotonic()
            await made_wrong(surfaces, merchant, Seeds(Path(sqlite_url.removeprefix("sqlite:///"))), plugins, key)
            there = time.monotonic()
            asked: dict[str, Callable[[], Awaitable[set[str]]]] = {
                "command": surfaces.command, "page": surfaces.page, "API": surfaces.api, "probe": surfaces.probe,
                "metric": surfaces.metric, "mail": surfaces.mail, "webhook": surfaces.webhook,
            }  # fmt: skip
            await asyncio.gather(*(surfaces.all_told(name, ask, there) for name, ask in asked.items()))
            print(f"ten faults in {there - began:.0f} s, each told after these seconds: "
                  + ", ".join(f"{name} {seconds:.0f}" for name, seconds in surfaces.told.items()))  # fmt: skip


@asynccontextmanager
async def secure_browser(hub: Hub) -> AsyncIterator[Visitor]:
    """A browser that keeps cookies of https, as behind a proxy with TLS."""
    jar = aiohttp.CookieJar(unsafe=True, treat_as_secure_origin=URL(hub.url))
    async with aiohttp.ClientSession(hub.url, cookie_jar=jar) as session:
        yield Visitor(session)


async def set_up(surfaces: Surfaces) -> tuple[str, str, dict[str, str]]:
    """Make a merchant with a receiver that nobody answers at; return a token, the merchant and a key of test mode."""

    async def do(*words: str) -> Any:
        done = await asyncio.to_thread(surfaces.operator.run, *words, "--json", **surfaces.settings)
        assert done.exit_code == 0, done.output
        return json.loads(done.stdout)

    merchant = str((await do("merchant", "create", "--name", "Shop", "--email", "ann@shop.example", "--domain",
                             "shop.example", "--approve"))["id"])  # fmt: skip
    key = await do("key", "create", "--merchant", merchant, "--mode", "test")
    await do("subscription", "create", "--merchant", merchant, "--mode", "test", "--url",
             f"http://127.0.0.1:{free_port()}/nobody", "--events", "conversion.*")  # fmt: skip
    token = await do("token", "create", "--scope", "admin:read")
    return str(token["token"]), merchant, key
