"""`hub connection credentials`, `reconcile` and others: a platform is asked from the terminal."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from attrs import frozen
from click.testing import Result

from hub.operations.system import plugins
from tests.acme import acme_plugins
from tests.cli.conftest import Operator
from tests.cli.test_connection import create
from tests.outbound.stand_in import serving
from tests.platform_sync.acme_shop import AcmeShop

LOCAL = {"HUB_OUTBOUND_ALLOWED_NETWORKS": "127.0.0.0/8"}


@pytest.fixture(autouse=True)
def acme(monkeypatch: pytest.MonkeyPatch) -> None:
    """The platform Acme is installed."""
    monkeypatch.setattr(plugins, "plugin_host_for", acme_plugins)


@frozen
class Terminal:
    """An operator with a stand-in for Acme's API, and a file of its credentials."""

    operator: Operator
    acme: AcmeShop
    file: Path
    connection: str

    def run(self, *arguments: str) -> Result:
        """Run a command on the connection, which may ask this machine."""
        name, *more = arguments
        return self.operator.run("connection", name, self.connection, *more, **LOCAL)


@pytest.fixture
def terminal(operator: Operator, tmp_path: Path) -> Iterator[Terminal]:
    """The stand-in serves in a thread, since each command has an event loop of its own."""
    acme, address, ended, ready = AcmeShop(), list[str](), asyncio.Event(), threading.Event()
    loop = asyncio.new_event_loop()

    async def serve() -> None:
        async with serving(acme.serve) as found:
            address.append(found)
            ready.set()
            await ended.wait()

    thread = threading.Thread(target=loop.run_until_complete, args=(serve(),))
    thread.start()
    assert ready.wait(300)
    file = tmp_path / "key.txt"
    file.write_text(f"site={address[0]}\nkey=key\nsecret=s3cret\n", "utf-8")
    yield Terminal(operator, acme, file, create(operator)["id"])
    loop.call_soon_threadsafe(ended.set)
    thread.join()
    loop.close()


def test_a_store_is_asked_from_credentials_to_disconnection(terminal: Terminal) -> None:
    terminal.acme.orders = [{"number": f"T-{each}", "total": "10.00"} for each in range(3)]
    before = terminal.run("platform")
    assert "It has no credentials (site, key, secret)." in before.output
    given = terminal.run("credentials", "--from", str(terminal.file))
    assert "The platform accepts the credentials of Shop." in given.output
    assert "Webhooks were created: order, product." in given.output
    read = terminal.run("reconcile", "--since", "3d")
    assert (read.exit_code, read.output) == (0, "3 orders were read, 3 of them were unknown.\n")
    assert terminal.run("catalogue").output == "0 products were read.\n"
    terminal.acme.hooks.clear()
    assert "Created again: order, product." in terminal.run("webhooks").output
    assert terminal.run("fetch").output == "0 are due again.\n"
    shown = terminal.run("platform")
    assert "RECONCILIATION" in shown.output
    assert "s3cret" not in shown.output
    assert "only receives" in terminal.run("credentials", "--delete").output
    assert terminal.acme.hooks == []


def test_what_is_wrong_is_a_sentence(terminal: Terminal) -> None:
    bad = terminal.file.with_name("bad.txt")
    bad.write_text("site", "utf-8")
    assert "Each line of the file is name=value" in terminal.run("credentials", "--from", str(bad)).output
    assert terminal.run("credentials").exit_code == 2
    assert "has no credentials" in terminal.run("reconcile").output
    terminal.acme.secret = "another"
    assert "The credentials were not stored." in terminal.run("credentials", "--from", str(terminal.file)).output


def test_a_reading_that_breaks_off_says_why_and_goes_on(terminal: Terminal) -> None:
    """Exit status 1, so that a monitor sees it."""
    assert terminal.run("credentials", "--from", str(terminal.file), "--days", "0").exit_code == 0
    terminal.acme.secret = "changed"
    read = terminal.run("reconcile")
    assert read.exit_code == 1
    assert "refuses the credentials" in read.output


def test_the_operators_app_is_kept_without_its_secret(terminal: Terminal) -> None:
    secret = terminal.file.with_name("secret.txt")
    secret.write_text("shpss_0123456789", "utf-8")
    run = terminal.operator.run
    assert run("connection", "app", "set", "shopify", "--client-id", "c1", "--secret", str(secret)).exit_code == 0
    listed = run("connection", "app", "list")
    assert "c1" in listed.output
    assert "shpss" not in listed.output
    assert "deleted here" in run("connection", "app", "delete", "shopify").output
    assert "There is no app" in run("connection", "app", "delete", "shopify").output
