"""/operator: what waits for the operator, how the network does, and beneath it the health of the hub."""

from __future__ import annotations

from typing import Final

from aiohttp import web

from hub.operations.audits.system_health import MOST_COUNTED, HealthDocument, system_health
from hub.operations.system.nodes import confirm_clocks
from hub.operations.system.plugin_reload import ServedPlugins, served_plugins
from hub.pages.markup import span_text
from hub.pages.operator import parts
from hub.pages.operator.bridge import bridge_sections
from hub.pages.rendering import see_other
from hub.pages.route_table import RouteTable
from hub.pages.visit import Visit
from hub.plugin_host.sandbox import MEANINGS

CLOCKS: Final = "/operator/clocks"
GIBIBYTE: Final = 1 << 30
MEBIBYTE: Final = 1 << 20
PAGES: Final = RouteTable(parts.operator_page)


@PAGES.post(CLOCKS, back=lambda _: "/operator")
async def trust_clocks(visit: Visit) -> web.StreamResponse:
    """Let the processes whose clocks jumped trust them."""
    await confirm_clocks(visit.services.store, visit.services.clock)
    return see_other("/operator?done=trusted")


@PAGES.get("/operator")
async def show_home(visit: Visit) -> web.StreamResponse:
    """Show faults first, then what waits and how the network does, then the health of the hub."""
    services = visit.services
    health = await system_health(services.store, services.clock, services.settings)
    catalog = await services.plugins.catalog()
    connectors = [(each.name, parts.text(each.title)) for each in catalog.connectors]
    aside = [(each.distribution, parts.text(each.sentence)) for each in catalog.set_aside]
    sections = (
        *await bridge_sections(visit),
        parts.Section(
            "Work",
            _work(health),
            links=(
                ("To approve", "/operator/approvals"),
                ("Orders to review", "/operator/reviews"),
                ("Health of the connections", "/operator/connections"),
                ("Questions about orders", "/operator/questions"),
                ("Emails", "/operator/mails"),
                ("Requests from unknown senders", "/operator/log"),
            ),
        ),
        parts.Section("Processes", listing=_nodes(health)),
        parts.Section("Integrity and disk space", _proof(health)),
        parts.Section(
            "Connectors", [*connectors, *aside], paragraphs=() if connectors or aside else ("No plugin is installed.",)
        ),
        *(
            parts.Section(f"What plugins cannot do, by {each['nodeId']}", _kept_from(each))
            for each in await served_plugins(services.store, services.clock)
            if each["loadedAt"] is not None
        ),
        *([parts.Section("Timers", listing=_timers(health))] if health["timers"] else []),
    )
    shown = parts.Shown("The network", ("/operator", "Overview"), sections=sections)
    jumped = visit.may(CLOCKS) and any(node["serves"] and node["clockJumpSeconds"] for node in health["nodes"])
    return visit.page("operator/home.html", shown=shown, troubles=health["troublesNow"], jumped=jumped)


def _work(health: HealthDocument) -> list[tuple[str, parts.Cell]]:
    stuck = health["stuck"]
    waits = (
        "nothing waits"
        if not health["waiting"]
        else f"the oldest for {span_text(round(health['oldestWaitingSeconds'] * 1000))}"
    )
    return [
        ("Messages that wait", parts.text(_counted(health["waiting"]), waits)),
        ("Failed", parts.link(_counted(stuck["failed"]), "/operator/messages?status=FAILED")),
        ("Waiting for their order", parts.link(_counted(stuck["parked"]), "/operator/messages?status=PARKED")),
    ]


def _counted(number: int) -> str:
    return f"{MOST_COUNTED:,}+" if number > MOST_COUNTED else f"{number:,}"


def _nodes(health: HealthDocument) -> parts.Listing:
    rows = [
        (
            parts.text(each["nodeId"]),
            parts.text("serves" if each["serves"] else "gone"),
            parts.at(each["startedAt"]),
            parts.at(each["seenAt"]),
            parts.text("trusted" if not each["clockJumpSeconds"] else f"jumped by {each['clockJumpSeconds']} s"),
        )
        for each in health["nodes"]
    ]
    columns = ("Process", "State", "Started", "Seen", "Clock")
    return parts.Listing("Processes", columns, rows, "No process serves this database.")


def _kept_from(served: ServedPlugins) -> list[tuple[str, parts.Cell]]:
    """Return what the plugins of a process are kept from, and by what."""
    if not served["sandbox"]:
        return [("Nothing", parts.text("not closed in", "[plugins] sandbox is off."))]
    return [
        (
            MEANINGS.get(each["name"], each["name"]).capitalize(),
            parts.text("held" if each["holds"] else "NOT HELD", each["by"]),
        )
        for each in served["sandbox"]
    ]


def _proof(health: HealthDocument) -> list[tuple[str, parts.Cell]]:
    audit, disk = health["audit"], health["disk"]
    facts = [
        ("Version", parts.text(health["version"], f"Python {health['python']}")),
        ("Database", parts.text(health["database"], f"schema {health['schemaVersion']}")),
    ]
    if audit is None:
        facts.append(
            ("Last audit", parts.text("never", "`hub audit` proves that nothing was lost and nothing happened twice."))
        )
    else:
        found = "everything held" if not audit["violations"] else f"{audit['violations']:,} violations"
        checked = f"{audit['accepted']:,} messages and {audit['conversions']:,} orders checked: {found}"
        facts.append(("Last audit", parts.Cell("instant", audit["finishedAt"], note=checked)))
    if disk is not None:
        free = f"{disk['freeBytes'] / GIBIBYTE:.1f} of {disk['totalBytes'] / GIBIBYTE:.1f} GiB free"
        facts.append(("Disk", parts.text(free, f"the database has {disk['databaseBytes'] / MEBIBYTE:,.1f} MiB")))
    return facts


def _timers(health: HealthDocument) -> parts.Listing:
    rows = [(parts.text(each["name"]), parts.text(each["owner"]), parts.at(each["until"])) for each in health["timers"]]
    return parts.Listing("Timers", ("Job", "Process", "Has it until"), rows, "")
