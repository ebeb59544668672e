"""Run every rule over a connector without pytest, and write golden files anew."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import islice
from pathlib import Path

from attrs import frozen

from hub.domain.connectors.connector import Connector
from hub.plugin_host.packages import package_folder, scenes_of
from hub.testing.calls import CallFault, place_of
from hub.testing.connector_capture import check_captured
from hub.testing.connector_checks import RULES, missing_samples, missing_snapshots, outcome
from hub.testing.connector_forgery import check_forged_topics
from hub.testing.connector_hostility import check_hostility, check_parser
from hub.testing.connector_plausibility import PLAUSIBILITY, unknown_exceptions
from hub.testing.connector_scenes import check_scenes
from hub.testing.connector_state import check_state
from hub.testing.connector_stories import check_stories
from hub.testing.exchanges import accept_exchanges, check_exchanges
from hub.testing.samples import Sample, exceptions_of, samples_of

MOST_CALL_FAULTS = 5
"""Each may have taken the whole time limit."""


@frozen
class Result:
    """What one rule found: over how many samples, and a sentence for each breach."""

    rule: str
    samples: int
    faults: tuple[str, ...]


def check_connector(connector: Connector, folder: Path | None = None) -> list[Result]:
    """Run the whole suite over a connector and its samples, by default those of its own package.

    A connector that raises, prints or takes too long fails the rule "calls", and no other rule is tried.
    """
    samples = samples_of(connector, folder)
    faults = list(islice(_call_faults(connector, samples), MOST_CALL_FAULTS))
    if faults:
        return [Result("calls", len(samples), tuple(faults))]
    results = [Result("calls", len(samples), ())]
    for rule in (*RULES, *PLAUSIBILITY):
        faults = [
            f"{sample.title}: {fault}"
            for sample in samples
            for fault in _guarded(partial(rule.check, connector, sample))
        ]
        results.append(Result(rule.name, len(samples), tuple(faults)))
    root = folder or package_folder(connector) / "samples"
    excused = exceptions_of(root)
    over_all: dict[str, Callable[[], list[str]]] = {
        "topics": partial(missing_samples, connector, samples),
        "exceptions": partial(unknown_exceptions, connector, root, samples),
        "snapshots": partial(missing_snapshots, connector, samples, excused.get("snapshots", {})),
        "captured": partial(check_captured, connector, samples, excused.get("signed", {})),
        "state": partial(check_state, connector, samples),
        "exchanges": partial(check_exchanges, connector, None if folder is None else folder.parent),
        "scenes": lambda: check_scenes(connector, scenes_of(connector), excused.get("scenes", {})),
        "forged topics": partial(check_forged_topics, connector, samples),
        "any order": lambda: check_stories(connector, samples, dict(scenes_of(connector))),
        "hostile bodies": lambda: [*check_parser(), *check_hostility(connector, samples)],
    }
    return results + [Result(name, len(samples), tuple(_guarded(check))) for name, check in over_all.items()]


def _call_faults(connector: Connector, samples: Iterable[Sample]) -> Iterator[str]:
    for sample in samples:
        try:
            outcome(connector, sample)
        except CallFault as fault:
            yield f"{sample.title}: the connector {fault}"


def accept(connector: Connector, folder: Path | None = None) -> list[Path]:
    """Write the golden files that are missing or say something else, and return them; read them before they count.

    Raise `CallFault` if the connector does what no plugin may do.
    """
    return list(_accepted(connector, folder))


def _accepted(connector: Connector, folder: Path | None) -> Iterator[Path]:
    for sample in samples_of(connector, folder):
        try:
            stated = outcome(connector, sample).text()
        except CallFault as fault:
            raise CallFault(f"{fault}, reading {sample.place}.json") from None
        if not sample.golden.is_file() or sample.golden.read_text("utf-8") != stated:
            sample.golden.write_text(stated, "utf-8")
            yield sample.golden
    yield from accept_exchanges(connector, None if folder is None else folder.parent)


def _guarded(check: Callable[[], list[str]]) -> list[str]:
    # A report has every rule, so a connector that raises fails this one only.
    try:
        return check()
    except CallFault as fault:
        return [f"the connector {fault}"]
    except Exception as error:  # noqa: BLE001 - a plugin may raise anything
        return [f"{type(error).__name__}: {error}{place_of(error)}"]
