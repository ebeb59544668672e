"""`hub csv check` and `hub csv apply`: a file surveyed, checked or applied, and the outcome of it."""

from __future__ import annotations

import asyncio
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from attrs import evolve, frozen

from hub.cli.csv_progress import Progress
from hub.cli.invocation import Fault, Invocation
from hub.clock import system_clock
from hub.records.wire import write

if TYPE_CHECKING:
    from hub.config.settings import Settings
    from hub.csv_import.job import Upload
    from hub.operations.files.file_jobs import FileJob, FileResult, Observer, StopRequest


@frozen
class FileArguments:
    """A file as it was named on the command line."""

    kind: str
    source: Path
    verdicts: Path
    merchant_id: str
    mode: str
    dry_run: bool


@frozen
class FileOutcome:
    """The outcome of a command; `stopped` is the number of the signal that ended it early, 0 for none."""

    upload: Upload
    by_server: bool
    stopped: int

    def document(self, verdicts: Path) -> dict[str, Any]:
        """Return what `--json` prints: the upload, and the verdict file if it was written."""
        entered = not self.upload.dry_run and bool(self.upload.sha256)
        written = self.upload.has_verdicts
        document: dict[str, Any] = write(self.upload.document())
        document["uploadId"] = self.upload.upload_id if entered else None
        document["verdicts"] = str(verdicts) if written else None
        return document


def checked_arguments(
    kind: str, file: Path, verdicts: Path | None, merchant_id: str, mode: str, *, dry_run: bool
) -> FileArguments:
    """Return the arguments with the verdict file filled in; raise `Fault` if a path cannot be used."""
    if not file.is_file():
        raise Fault(f"{file} is not a regular file; it is read more than once, so a pipe will not do.")
    target = file.with_name(f"{file.name}.verdicts.csv") if verdicts is None else verdicts
    if target.exists() and target.samefile(file):
        raise Fault("The verdicts would overwrite the file itself; name another place with --verdicts.")
    if target.is_dir() or not target.parent.is_dir():
        raise Fault(f"The verdicts cannot be written to {target}; name a file in a directory that exists.")
    return FileArguments(kind, file, target, merchant_id, mode, dry_run)


def run_file(invocation: Invocation, arguments: FileArguments) -> FileOutcome:
    """Check or apply the file and show its progress.

    Raise `SettingsFault`, `OperatorFault`, or what the store raises.
    """
    from hub.observability.logs import configure_logging
    from hub.operations.references import account_id_of

    settings = invocation.settings()
    configure_logging("warning")  # only a fault of the hub itself is worth a line here
    account_id = invocation.with_store(
        lambda store: account_id_of(store, arguments.merchant_id, arguments.mode), settings
    )
    doing = "Checking" if arguments.dry_run else "Applying"
    with Progress(f"{doing} {arguments.source.name}") as progress:
        return asyncio.run(_run(settings, account_id, arguments, progress))


async def _run(settings: Settings, account_id: str, arguments: FileArguments, progress: Progress) -> FileOutcome:
    from hub.csv_import.header import Refused, survey
    from hub.csv_import.job import REFUSED
    from hub.csv_import.kinds import KINDS
    from hub.operations.files.file_jobs import FileJob, Observer, StopRequest

    observer = Observer(progress, progress.say, StopRequest())
    with _signals(observer.stop, progress) as caught:
        job = FileJob(
            account_id, arguments.kind, arguments.source, arguments.verdicts, arguments.source.stat().st_size, ""
        )
        try:
            surveyed = await asyncio.to_thread(survey, arguments.source, KINDS[arguments.kind])
        except Refused as refused:
            upload = job.upload(system_clock(), dry_run=arguments.dry_run)
            return FileOutcome(evolve(upload, status=REFUSED, faults=refused.faults), by_server=False, stopped=0)
        result = await _work(settings, evolve(job, size=surveyed.size, sha256=surveyed.sha256), observer, arguments)
    return FileOutcome(result.upload, result.by_server, 0 if result.upload.ended else max(caught, default=0))


async def _work(settings: Settings, job: FileJob, observer: Observer, arguments: FileArguments) -> FileResult:
    from hub.operations.files.uploads import apply_file, check_file
    from hub.storage import Store

    if not arguments.dry_run:
        return await apply_file(settings, system_clock, job, observer)
    async with await Store.open(settings.database.url) as store:
        return await check_file(store, system_clock, job, observer)


@contextmanager
def _signals(stop: StopRequest, progress: Progress) -> Iterator[list[int]]:
    """Let Ctrl-C and SIGTERM request a stop, and yield the list of those received; a second one interrupts at once."""
    caught: list[int] = []
    if threading.current_thread() is not threading.main_thread():
        yield caught
        return
    loop = asyncio.get_running_loop()
    signals = (signal.SIGINT, signal.SIGTERM)

    def request(number: int) -> None:
        caught.append(number)
        for each in signals:
            loop.remove_signal_handler(each)
        progress.say("Stopping …")
        stop.request()

    for each in signals:
        loop.add_signal_handler(each, request, each)
    try:
        yield caught
    finally:
        for each in signals:
            loop.remove_signal_handler(each)
