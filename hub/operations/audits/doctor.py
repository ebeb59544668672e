"""What is wrong with an installation: each part is looked at, and what is wrong is named with its mend.

Nothing is changed and nothing is sent. What needs the hub to serve (its address from outside) is left out before it
does.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
import stat
from collections.abc import AsyncIterator, Iterator
from typing import Final, TypedDict

from attrs import frozen

from hub.clock import Clock
from hub.config.settings import Settings
from hub.domain.troubles import KINDS, anchor
from hub.domain.words import FindingState
from hub.kernel import clock_is_synchronised
from hub.operations.audits.outside import look_from_outside, try_mail_server
from hub.operations.audits.troubles import find_troubles
from hub.operations.system.master_keys import require_master_keys
from hub.operations.system.nodes import list_nodes
from hub.operations.system.plugins import plugin_host_for
from hub.plugin_host.translation import HostUnavailable
from hub.sealing import SealingFault, load_sealer
from hub.storage import SchemaTooOld, Store, StoreError
from hub.storage.postgresql.facts import ServerFacts, server_facts
from hub.storage.sqlite.version import has_wal_reset_fault

OLDEST_POSTGRESQL: Final = 140_000
CONNECTIONS_OF_A_PROCESS: Final = 14
CLOCKS_APART_MS: Final = 1_000
LEAST_FREE: Final = 1 << 30
MENDS: Final = "operator"
"""The document whose sections say what to do about what is no trouble of a running hub."""


@frozen
class Finding:
    """What was found of one part: `mend` says what to do, and `runbook` where that is described."""

    part: str
    state: FindingState
    sentence: str
    mend: str = ""
    runbook: str = MENDS


class FindingDocument(TypedDict):
    """A finding as it is shown."""

    part: str
    state: FindingState
    sentence: str
    mend: str | None
    runbook: str | None


def finding_document(found: Finding) -> FindingDocument:
    """Return the document of a finding; what is in order has neither mend nor runbook."""
    is_well = found.state == "ok"
    return {
        "part": found.part,
        "state": found.state,
        "sentence": found.sentence,
        "mend": None if is_well or not found.mend else found.mend,
        "runbook": None if is_well else found.runbook,
    }


async def examine(settings: Settings, clock: Clock, *, serves: bool) -> list[Finding]:
    """Look at every part of an installation; `serves` is whether a hub is expected to run."""
    found = [*_settings(settings), *_clock(), *_disk(settings)]
    found += [each async for each in _database(settings, clock, serves=serves)]
    found += [each async for each in _plugins(settings)]
    found.append(_mail(settings, await try_mail_server(settings.mail)))
    if serves:
        found += [
            Finding("address", state, sentence, mend, "install#behind-a-proxy")
            for state, sentence, mend in await look_from_outside(settings.server, clock())
        ]
    return found


def _settings(settings: Settings) -> Iterator[Finding]:
    server = settings.server
    if not server.is_public_url_configured:
        yield Finding(
            "public address",
            "warning",
            "The links that the hub hands out lead to this machine alone.",
            "Set HUB_SERVER_PUBLIC_URL to the address that the public has, such as https://hub.example.com.",
        )
    elif not server.public_url.startswith("https://"):
        yield Finding(
            "public address",
            "fault",
            f"{server.public_url} is not encrypted.",
            "Put a proxy with TLS in front, and name its https address.",
            "install#behind-a-proxy",
        )
    else:
        yield Finding("public address", "ok", f"Links lead to {server.public_url}.")
    if server.public_url.startswith("https://") and not server.trusted_proxies:
        yield Finding(
            "proxy",
            "fault",
            "No proxy is trusted, so every client counts as the proxy's address.",
            "Set HUB_TRUSTED_PROXIES to the address from which the proxy asks.",
            "install#behind-a-proxy",
        )
    if server.operations is None:
        yield Finding("probes", "warning", "/readyz and /metrics are served to everybody.",
                      "Set HUB_SERVER_OPERATIONS_ADDRESS, to 127.0.0.1:9090 for example.")  # fmt: skip


def _clock() -> Iterator[Finding]:
    try:
        kept = clock_is_synchronised()
    except OSError:
        return
    if kept:
        yield Finding("clock", "ok", "The system clock is synchronised.")
    else:
        yield Finding("clock", "warning", "The system clock is not synchronised.",
                      "Run an NTP client: `timedatectl set-ntp true`, or chrony.", "troubles#clock-jumped")  # fmt: skip


def _disk(settings: Settings) -> Iterator[Finding]:
    uploads = settings.upload_directory
    there = next(folder for folder in (uploads, *uploads.absolute().parents) if folder.is_dir())
    if not os.access(there, os.W_OK | os.X_OK):
        yield Finding("uploads", "fault", f"This user may not write to {there}, where uploads are kept.",
                      f"Run the hub, and this command, as the owner of {there}.")  # fmt: skip
    free = shutil.disk_usage(there).free
    if free < LEAST_FREE:
        yield Finding("disk", "warning", f"{free >> 20:,} MiB are free beside {there}.", "Make room.",
                      anchor("disk_short"))  # fmt: skip
    else:
        yield Finding("disk", "ok", f"{free >> 30:,} GiB are free.")


async def _database(settings: Settings, clock: Clock, *, serves: bool) -> AsyncIterator[Finding]:
    facts, path = None, settings.database.path
    if path is not None:
        yield _sqlite()
        if not path.exists():
            yield Finding("database", "fault", f"There is no database {path}.",
                          "`hub setup HOST` sets a hub up with one; `hub serve` makes one and serves it. An existing "
                          "one is named by HUB_DATABASE_URL.", "install")  # fmt: skip
            return
    else:
        try:
            facts = await server_facts(settings.database.url)
        except StoreError as fault:
            yield Finding(
                "database", "fault", str(fault), "Check its address, that it runs, and that this user may connect."
            )
            return
        for each in _postgresql(facts, clock):
            yield each
    try:
        async with await Store.open(settings.database.url) as store:
            yield Finding("schema", "ok", f"The schema is at version {await store.schema_version()}.")
            async for each in _of_store(store, settings, clock, facts, serves=serves):
                yield each
    except SchemaTooOld as fault:
        yield Finding("schema", "fault", str(fault), "Stop the hub, and run `hub migrate`.", "upgrade")
    except StoreError as fault:
        yield Finding("database", "fault", str(fault), "`hub serve` creates an SQLite file; the way back is a backup.",
                      "backup")  # fmt: skip


def _sqlite() -> Finding:
    release = sqlite3.sqlite_version
    if has_wal_reset_fault():
        return Finding(
            "database",
            "warning",
            f"SQLite {release} can damage a file to which several programs write.",
            "Let nothing but the hub write to it, or use a Python with SQLite 3.51.3, or PostgreSQL.",
        )
    return Finding("database", "ok", f"SQLite {release}.")


def _postgresql(facts: ServerFacts, clock: Clock) -> Iterator[Finding]:
    yield Finding("database", "ok", f"PostgreSQL {facts.version}.")
    if facts.version_number < OLDEST_POSTGRESQL:
        yield Finding("database", "fault", f"PostgreSQL {facts.version} is older than 14.", "Upgrade it.")
    if facts.is_replica:
        yield Finding("database", "fault", "This server only reads: it is a standby.", "Name the primary.")
    if not facts.is_durable:
        yield Finding("database", "fault", "fsync is off: a crash loses what was acknowledged.", "Turn it on.")
    if facts.encoding != "UTF8":
        yield Finding("database", "fault", f"The database is encoded in {facts.encoding}.",
                      "Move into one that is made with `createdb --encoding UTF8`.")  # fmt: skip
    apart = abs(facts.now - clock())
    if apart > CLOCKS_APART_MS:
        yield Finding("clock", "fault", f"Its clock and this machine's are {apart / 1000:.1f} s apart.",
                      "Keep both right by NTP.", "troubles#clock-jumped")  # fmt: skip


async def _of_store(
    store: Store, settings: Settings, clock: Clock, facts: ServerFacts | None, *, serves: bool
) -> AsyncIterator[Finding]:
    try:
        await require_master_keys(store, load_sealer(settings))
        yield Finding("master key", "ok", "Every stored secret can be opened.")
    except SealingFault as fault:
        yield Finding("master key", "fault", str(fault), "Restore the key from where it is kept.", "backup")
    for each in _key_file(settings):
        yield each
    nodes = [node for node in await list_nodes(store, clock) if node["serves"]]
    if facts is not None:
        wanted = CONNECTIONS_OF_A_PROCESS * max(1, len(nodes), settings.server.workers)
        enough = wanted <= facts.most
        yield Finding(
            "connections",
            "ok" if enough else "fault",
            f"{wanted} connections may be opened, {facts.used} are, of {facts.most}.",
            f"Raise max_connections above {wanted + 10}, or serve with fewer workers.",
            "several-nodes",
        )
    for trouble in await find_troubles(store, clock(), settings):
        if serves or trouble.kind != "nobody_serves":
            kind = KINDS[trouble.kind]
            yield Finding("troubles", "fault" if kind.is_urgent else "warning", trouble.sentence,
                          f"`{kind.command}` shows it.", anchor(trouble.kind))  # fmt: skip


def _key_file(settings: Settings) -> Iterator[Finding]:
    path = settings.database.path
    file = None if path is None or settings.master_key else path.with_name(f"{path.name}.key")
    if file is None or not file.exists():
        return
    mode = stat.S_IMODE(file.stat().st_mode)
    if mode & 0o077:
        yield Finding("master key", "fault", f"Others may read {file} (mode {mode:o}).", f"chmod 600 {file}", "backup")
    yield Finding(
        "master key",
        "warning",
        f"The master key is {file}, on the disk of what it opens.",
        "Keep a copy where secrets are kept: a backup of the database alone has no keys.",
        "backup",
    )


async def _plugins(settings: Settings) -> AsyncIterator[Finding]:
    host = plugin_host_for(settings.plugins, settings.private_files, serves=False)
    try:
        catalog = await host.catalog()
        for aside in catalog.set_aside:
            if not aside.off:
                yield Finding("plugins", "fault", f"{aside.distribution} is set aside: {aside.sentence}.",
                              "Install a fixed release of it.", anchor("plugin_set_aside"))  # fmt: skip
        names = ", ".join(sorted(each.name for each in catalog.connectors))
        yield Finding("plugins", "ok" if names else "warning", f"Connectors: {names or 'none'}.",
                      'Install them: pip install "affiliate-hub[all]".', "install")  # fmt: skip
    except HostUnavailable as fault:
        yield Finding("plugins", "fault", str(fault), "The log says why.", anchor("plugin_set_aside"))
    finally:
        await host.close()


def _mail(settings: Settings, fault: str | None) -> Finding:
    if not settings.mail.is_on:
        return Finding("mail", "warning", "The hub sends no mail: operators pass links on, and are not notified.",
                       "Set HUB_MAIL_HOST, and the rest of [mail].", "operator#mail")  # fmt: skip
    if fault is None:
        return Finding("mail", "ok", f"{settings.mail.host} takes mail.")
    sentence = f"{settings.mail.host} cannot be used: {fault}"
    return Finding("mail", "fault", sentence, "Compare [mail] with what it requires.", anchor("mail_failing"))
