"""The sources of settings: a TOML file, the environment, the command line; an unknown name becomes a fault."""

from __future__ import annotations

import difflib
import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from attrs import frozen

SHORT_VARIABLES = {"HUB_TRUSTED_PROXIES": "server.trusted_proxies", "IDEMPOTENCY_TTL_HOURS": "idempotency.ttl_hours"}

NONE_NEAR = "; `hub settings` shows those that there are."
"""The end of a fault about a name that is like no setting's."""

_VARIABLE_PREFIXES = ("HUB_", "IDEMPOTENCY_TTL")
# HUB_TEST_* steers the test suite. The others are what Kubernetes sets in every pod beside a service named "hub".
_FOREIGN_VARIABLES = re.compile(r"HUB_TEST_\w+|HUB_SERVICE_(HOST|PORT)(_\w+)?|HUB_PORT_\d+_(TCP|UDP)(_\w+)?")


@frozen
class GivenValue:
    """A value as it was written: the setting's dotted path, the raw value, and its place for an error sentence."""

    path: str
    raw: object
    origin: str


def from_file(file: Path | None, paths: Iterable[str], faults: list[str]) -> Iterator[GivenValue]:
    """Yield what the TOML file sets; add a fault if it cannot be read, and for every unknown key."""
    known = set(paths)
    sections = {path.partition(".")[0] for path in known if "." in path}
    for path, raw in _flat(_document(file, faults)):
        if path in known:
            yield GivenValue(path, raw, f"{file}: `{path}`")
        elif path not in sections:
            faults.append(f"{file}: `{path}` is not a setting{_did_you_mean(path, known)}")
        elif raw != {}:
            faults.append(f"{file}: `{path}` is a section; write [{path}] and its keys below.")


def from_environment(environ: Mapping[str, str], paths: Iterable[str], faults: list[str]) -> Iterator[GivenValue]:
    """Yield what the HUB_* variables set; add a fault for a setting given by two names, and for a slip.

    A slip is a variable that begins as a section's do, or that is nearly the name of a setting. Any other is some other
    program's of a shared machine, and stops nothing.
    """
    sections = tuple(sorted({variable_name(path.partition(".")[0]) + "_" for path in paths}))
    variables = {variable_name(path): path for path in paths} | SHORT_VARIABLES
    seen: dict[str, str] = {}
    for name in sorted(environ):
        path = variables.get(name)
        if path is None:
            if name.startswith(_VARIABLE_PREFIXES) and not _foreign(name, environ[name]):
                meant = _did_you_mean(name, variables)
                if name.startswith(sections) or meant != NONE_NEAR:
                    faults.append(f"{name} is not a setting{meant}")
        elif path in seen:
            faults.append(f"{seen[path]} and {name} set the same thing; keep one of them.")
        else:
            seen[path] = name
            yield GivenValue(path, environ[name], name)


def from_overrides(overrides: Mapping[str, object], paths: Iterable[str], faults: list[str]) -> Iterator[GivenValue]:
    """Yield what the command line sets ("server.port": 0); None is an option that was not given."""
    known = set(paths)
    for path, raw in overrides.items():
        if path not in known:
            faults.append(f"The command line sets `{path}`, which is not a setting{_did_you_mean(path, known)}")
        elif raw is not None:
            yield GivenValue(path, raw, f"On the command line `{path}`")


def variable_name(path: str) -> str:
    """Return the environment variable of a setting: HUB_SERVER_PORT for "server.port"."""
    return "HUB_" + path.upper().replace(".", "_")


def _document(file: Path | None, faults: list[str]) -> dict[str, object]:
    if file is None:
        return {}
    try:
        return tomllib.loads(file.read_text("utf-8-sig"))
    except FileNotFoundError:
        faults.append(f"{file} does not exist; name an existing file with --config.")
    except OSError as error:
        faults.append(f"{file} cannot be read: {error.strerror}.")
    except UnicodeDecodeError:
        faults.append(f"{file} is not UTF-8 text; save it as UTF-8.")
    except tomllib.TOMLDecodeError as error:
        faults.append(f"{file} is not valid TOML: {error}.")
    return {}


def _flat(document: Mapping[str, object]) -> Iterator[tuple[str, object]]:
    for key, value in document.items():
        if isinstance(value, dict) and value:
            yield from ((f"{key}.{name}", raw) for name, raw in value.items())
        else:
            yield key, value


def _foreign(name: str, value: str) -> bool:
    return bool(_FOREIGN_VARIABLES.fullmatch(name)) or (name == "HUB_PORT" and value.startswith(("tcp:", "udp:")))


def _did_you_mean(word: str, known: Iterable[str]) -> str:
    # A key in the wrong section is a better guess than one with similar letters.
    names = sorted(known)
    same_key = [name for name in names if name.rpartition(".")[2] == word.rpartition(".")[2]]
    near = difflib.get_close_matches(word, same_key or names, n=1, cutoff=0 if same_key else 0.75)
    return f"; did you mean {near[0]}?" if near else NONE_NEAR
