"""The process that runs a connector for an author's command, as the command holds it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
from contextlib import suppress
from typing import TYPE_CHECKING, Any, BinaryIO

from hub.cli.installed import installed_catalog
from hub.cli.invocation import Fault, Invocation

if TYPE_CHECKING:
    from hub.config.sections import PluginSettings

LONGEST_SECONDS = 600.0
"""The longest that a whole suite may take."""


def asked_of_plugins(invocation: Invocation, act: str, name: str | None, **request: Any) -> Any:
    """Return what a connector answers, in a process of its own; raise `Fault` if it cannot be used or ends that.

    `act` is one of `hub.cli.author.ACTS`. A plugin host looks at the plugins first, so that none which cannot be
    loaded is loaded here.
    """
    settings = invocation.settings().plugins
    excluded = {each.distribution: each.reason for each in installed_catalog(invocation).set_aside}
    whole = {"act": act, "name": name, "off": settings.off, "excluded": excluded, "memory": settings.memory, **request}
    answer = _answer(json.dumps(whole).encode(), settings, "the connector" if name is None else f"the connector {name}")
    if "fault" in answer:
        raise Fault(str(answer["fault"]))
    return answer["result"]


def _answer(request: bytes, settings: PluginSettings, who: str) -> dict[str, Any]:
    from hub.plugin_host.process import plugins_environment

    reading, writing = os.pipe()
    with tempfile.TemporaryFile(buffering=0) as notes, os.fdopen(reading, "rb") as answers:
        notes.truncate(_note_bytes())
        descriptors = (writing, notes.fileno())
        try:
            process = subprocess.Popen(  # noqa: S603 - our own interpreter and our own program
                [sys.executable, "-P", "-m", "hub.cli.author", *map(str, descriptors)],
                stdin=subprocess.PIPE, stdout=2, pass_fds=descriptors, env=plugins_environment(), process_group=0,
            )  # fmt: skip
        finally:
            os.close(writing)
        try:
            with suppress(BrokenPipeError):
                process.communicate(request, timeout=LONGEST_SECONDS)
        except subprocess.TimeoutExpired:
            raise Fault(f"{_capital(who)} is not done after {LONGEST_SECONDS:g} seconds, and was ended.") from None
        finally:
            _end(process)
        written = answers.read()
        try:
            document: dict[str, Any] = json.loads(written)
        except ValueError:
            raise _explained(process.returncode, notes, settings, who) from None
        return document


def _explained(status: int, notes: BinaryIO, settings: PluginSettings, who: str) -> Fault:
    """Return the fault of a process that ended without an answer."""
    from hub.cli.author import SILENT_SECONDS
    from hub.plugin_host.evidence import evidence_in

    notes.seek(0)
    content = notes.read()
    if b"Timeout (" in content:
        what = f"did not come back within {SILENT_SECONDS:g} seconds, and was ended"
    elif status < 0:
        what = f"ended the process that runs it ({signal.Signals(-status).name})"
    else:
        what = f"ended the process that runs it (exit status {status}; it may use {settings.memory >> 20} MiB)"
    place = evidence_in(content, what).place
    return Fault(f"{_capital(who)} {what}{f', at {place}' if place else ''}.")


def _end(process: subprocess.Popen[bytes]) -> None:
    """End the process and all that it started."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def _note_bytes() -> int:
    from hub.plugin_host.limits import NOTE_BYTES

    return NOTE_BYTES


def _capital(text: str) -> str:
    return text[0].upper() + text[1:]
