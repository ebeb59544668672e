"""Runs every rule over a connector without pytest, and writes golden files anew."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

from attrs import frozen

from hub.domain.connector import Connector
from hub.testing.connector_checks import RULES, missing_samples, outcome
from hub.testing.connector_forgery import check_forged_topics
from hub.testing.connector_hostility import check_hostility, check_parser
from hub.testing.connector_stories import check_stories
from hub.testing.samples import samples_of, scenes_of


@frozen
class Result:
    """What one rule found: over how many samples, and a sentence for each breach."""

    rule: str
    samples: int
    faults: tuple[str, ...]


def check_connector(connector: Connector, folder: Path | None = None) -> list[Result]:
    """Runs the whole suite over a connector and its samples, by default those of its own package."""
    samples = samples_of(connector, folder)
    results = []
    for rule in RULES:
        faults = [
            f"{sample.title}: {fault}"
            for sample in samples
            for fault in _guarded(partial(rule.check, connector, sample))
        ]
        results.append(Result(rule.name, len(samples), tuple(faults)))
    over_all: dict[str, Callable[[], list[str]]] = {
        "topics": partial(missing_samples, connector, samples),
        "forged topics": partial(check_forged_topics, connector, samples),
        "any order": lambda: check_stories(connector, samples, dict(scenes_of(connector))),
        "hostile bodies": lambda: [*check_parser(), *check_hostility(connector, samples)],
    }
    return results + [Result(name, len(samples), tuple(_guarded(check))) for name, check in over_all.items()]


def accept(connector: Connector, folder: Path | None = None) -> list[Path]:
    """Writes the golden files that are missing or say something else, and returns them; read them before they count."""
    return list(_accepted(connector, folder))


def _accepted(connector: Connector, folder: Path | None) -> Iterator[Path]:
    for sample in samples_of(connector, folder):
        told = outcome(connector, sample).text()
        if not sample.golden.is_file() or sample.golden.read_text("utf-8") != told:
            sample.golden.write_text(told, "utf-8")
            yield sample.golden


def _guarded(check: Callable[[], list[str]]) -> list[str]:
    # A report tells of every rule, so a connector that raises fails this one only.
    try:
        return check()
    except Exception as error:  # noqa: BLE001 - a plugin may raise anything
        return [f"{type(error).__name__}: {error}"]
