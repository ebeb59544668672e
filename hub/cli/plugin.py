"""`hub plugin`: the installed connectors, a new one to start from, and the conformance suite."""

from __future__ import annotations

import base64
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from hub.cli.author_process import asked_of_plugins
from hub.cli.installed import installed_plugins, plugins_of_servers
from hub.cli.invocation import Fault, Invocation, invoked
from hub.cli.output import print_result, say, show_table

if TYPE_CHECKING:
    from hub.operations.system.plugin_reload import ServedPlugins
    from hub.plugin_host.catalog import Declaration, SetAside
    from hub.plugin_host.sandbox import Protections

RELOAD_PATIENCE = 15.0
"""How many seconds a reload is waited for, beside three times what loading one distribution may take."""


@click.group()
def plugin() -> None:
    """Write, check and list the connectors of platforms."""


@plugin.command("list")
@invoked
def list_plugins(invocation: Invocation) -> None:
    """List installed connectors, those that were set aside, and what plugins cannot do.

    The latter is what the hub's processes found or, if none is running, what this command found.
    """
    catalog, protections = installed_plugins(invocation)
    serving = plugins_of_servers(invocation)
    documents = [_document(connector) for connector in catalog.connectors]
    documents += [_set_aside_document(each) for each in catalog.set_aside]
    loaded = [node["connectors"] for node in serving if node["loadedAt"] is not None]
    for each in documents:
        each["serves"] = all(each["connector"] in names for names in loaded) if loaded else None
        each["sandbox"] = {protection.name: protection.holds for protection in protections}
    columns = ("connector", "title", "distribution", "serves", "signs", "topics", "options")

    def human() -> None:
        usable = [each for each in documents if each["setAside"] is None]
        rows = [[each[column] for column in columns[:-2]] + [len(each["topics"]), len(each["options"])]
                for each in usable]  # fmt: skip
        show_table(columns, rows, "There are no connectors.")
        for each in catalog.set_aside:
            say(f"Set aside: {each.sentence}.")
        for node in serving:
            say(f"The hub's process {node['nodeId']} {_loaded(node)}.")
        if any(each["serves"] is False for each in usable):
            say("Not all of them serve: hub plugin reload")
        for line in _sandbox_lines(serving, protections):
            say(line)
        say("The names of topics and options: hub plugin list --json")

    print_result(invocation, documents, human)


@plugin.command("reload")
@invoked
def reload_served(invocation: Invocation) -> None:
    """Have the running hub reload its plugins, without a restart.

    It notices installed and repaired plugins by itself within seconds; this waits for that, and shows what is loaded.
    Exit status 1 if it could not.
    """
    from hub.clock import system_clock
    from hub.operations.system.plugin_reload import reload_plugins

    patience = RELOAD_PATIENCE + 3 * invocation.settings().plugins.load_time / 1000
    found = invocation.with_store(lambda store: reload_plugins(store, system_clock, patience=patience))

    def human() -> None:
        for node in found:
            say(f"The hub's process {node['nodeId']} {_loaded(node)}.")
            for distribution, reason in node["setAside"].items():
                say(f"  Set aside: {distribution} {reason}.")
            if node["fault"]:
                say(f"  It could not reload them: {node['fault']}")

    print_result(invocation, found, human)
    click.get_current_context().exit(int(any(node["fault"] for node in found)))


@plugin.command()
@click.argument("name")
@click.option(
    "--output",
    type=click.Path(path_type=Path),
    default=Path(),
    metavar="DIR",
    help="The directory for its folder (default: the current one).",
)
@invoked
def new(invocation: Invocation, name: str, output: Path) -> None:
    """Write a working plugin to start from.

    It has samples and tests. For example: hub plugin new acme
    """
    from hub.testing.skeleton import SkeletonFault, write_plugin

    try:
        folder, files = write_plugin(name, output)
    except SkeletonFault as fault:
        raise Fault(str(fault)) from None
    document = {"folder": str(folder), "files": [str(file.relative_to(folder)) for file in files]}

    def human() -> None:
        say(f"Wrote {folder}, a connector that works already:")
        for file in document["files"]:
            say(f"  {file}")
        say("")
        say("Next:")
        say(f"  pip install -e {folder}")
        say(f"  hub plugin check {name}")

    print_result(invocation, document, human)


@plugin.command()
@click.argument("name", required=False)
@click.option(
    "--accept", is_flag=True, help="Rewrite the golden files of NAME first; review them before you keep them."
)
@invoked
def check(invocation: Invocation, name: str | None, *, accept: bool) -> None:
    """Run the conformance suite over one connector or all.

    Without NAME it runs over all connectors that have samples.
    Exit status 0 if everything holds, else 1.
    """
    if accept and name is None:
        raise Fault("Name the connector whose golden files are to be written: hub plugin check --accept NAME.")
    document = asked_of_plugins(invocation, "check", name, accept=accept)
    print_result(invocation, document, lambda: _show_report(document))
    found = document["connectors"].values()
    click.get_current_context().exit(int(not all(rule["holds"] for rules in found for rule in rules)))


@plugin.command("map")
@click.argument("name")
@click.option("--topic", required=True, metavar="T", help="The platform's topic, or one of the eight webhook kinds.")
@click.argument("file", type=click.File("rb"))
@click.option(
    "--option", "options", multiple=True, metavar="NAME=VALUE", help="A setting of the connector; repeatable."
)
@click.option("-H", "--header", "headers", multiple=True, metavar="'NAME: VALUE'", help="A header; repeatable.")
@invoked
def map_payload(
    invocation: Invocation, name: str, topic: str, file: Any, options: tuple[str, ...], headers: tuple[str, ...]
) -> None:
    """Show the facts that the body of a delivery states.

    For example: hub plugin map acme --topic order.created order.json
    """
    found = asked_of_plugins(
        invocation, "map", name, topic=topic, options=list(options), headers=dict(_header(text) for text in headers),
        body=base64.b64encode(file.read()).decode(), now=_now(),
    )  # fmt: skip

    def human() -> None:
        for line in found["text"].splitlines():
            say(line)

    print_result(invocation, found["document"], human)


@plugin.command()
@click.argument("event_id", metavar="EVENTID")
@click.option("--name", metavar="NAME", help="The sample's name (default: the end of the event's id).")
@click.option(
    "--output",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="DIR",
    help="The folder of samples (default: that of the connector's package).",
)
@invoked
def record(invocation: Invocation, event_id: str, name: str | None, output: Path | None) -> None:
    """Make a sample from a stored delivery, without the buyer's data.

    Names, addresses, e-mails, phones and IPs become fakes, everything else stays byte for byte. Review it first.
    """
    from hub.operations.orders.recordings import record_event, write_sample

    found = invocation.with_store(lambda store: record_event(store, event_id))
    folder = output or Path(asked_of_plugins(invocation, "folder", found.connector)["folder"]) / "samples"
    files = [str(file) for file in write_sample(found, folder, name or event_id[-8:])]

    def human() -> None:
        for file in files:
            say(f"Wrote {file}")
        say(f"Read it, then: hub plugin check {found.connector} --accept")

    print_result(invocation, {"connector": found.connector, "topic": found.topic, "files": files}, human)


def _sandbox_lines(serving: Sequence[ServedPlugins], here: Protections) -> Iterator[str]:
    """Yield what plugins are kept from, and by what: in each process that serves and has loaded them, or here."""
    from hub.plugin_host.sandbox import MEANINGS, from_json

    loaded = [node for node in serving if node["loadedAt"] is not None]
    found = {f"the hub's process {node['nodeId']}": from_json(node["sandbox"]) for node in loaded} or {"here": here}
    for where, protections in found.items():
        if not protections:
            yield f"Plugins are not closed in, {where}: [plugins] sandbox is off."
            continue
        yield f"What a plugin cannot do, {where}:"
        for each in protections:
            can = "" if each.holds else "NOT HELD: "
            yield f"  {can}{MEANINGS.get(each.name, each.name)} ({each.by})"


def _loaded(node: ServedPlugins) -> str:
    if node["loadedAt"] is None:
        return "has loaded no plugins yet"
    names = ", ".join(node["connectors"]) or "none"
    return f"loaded its plugins at {node['loadedAt']}: {names}"


def _count(faults: int) -> str:
    return "1 fault" if faults == 1 else f"{faults} faults"


def _document(connector: Declaration) -> dict[str, Any]:
    auth = connector.auth
    return {
        "connector": connector.name,
        "title": connector.title,
        "distribution": connector.distribution,
        "signs": None if auth is None else f"{type(auth).__name__} {auth.header}".strip(),
        "topics": list(connector.topics),
        "options": list(connector.options),
        "setAside": None,
    }


def _set_aside_document(aside: SetAside) -> dict[str, Any]:
    return {
        "connector": ", ".join(aside.connectors),
        "title": None,
        "distribution": aside.distribution,
        "signs": None,
        "topics": [],
        "options": [],
        "setAside": aside.reason,
    }


def _show_report(document: dict[str, Any]) -> None:
    for file in document["accepted"]:
        say(f"Wrote {file}")
    results = document["connectors"]
    rows = [
        (name, rule["rule"], rule["samples"], "holds" if rule["holds"] else _count(len(rule["faults"])))
        for name, rules in results.items()
        for rule in rules
    ]
    show_table(("connector", "rule", "samples", "outcome"), rows, "No connector is installed.")
    for name, rules in results.items():
        for rule in rules:
            for fault in rule["faults"]:
                click.echo(f"\n{name}, {rule['rule']}: {fault}", err=True)


def _header(text: str) -> tuple[str, str]:
    name, colon, value = text.partition(":")
    if not colon or not name.strip():
        raise Fault(f"{text!r} is not a header; write 'Name: value'.")
    return name.strip().lower(), value.strip()


def _now() -> int:
    from hub.clock import system_clock

    return system_clock()
