"""`hub csv check` and `hub csv apply`: a file surveyed, judged or applied, and what is told of it."""

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

if TYPE_CHECKING:
    from hub.config.settings import Settings
    from hub.csv_import.job import Upload
    from hub.operations.file_jobs import Stop, Taken, Watch


@frozen
class Wanted:
    """A file as it was named on the command line."""

    kind: str
    source: Path
    verdicts: Path
    merchant_id: str
    mode: str
    dry_run: bool


@frozen
class Intake:
    """What came of a file; `stopped` is the signal that ended the command early, 0 for none."""

    upload: Upload
    by_server: bool
    stopped: int

    def document(self, verdicts: Path) -> dict[str, Any]:
        """The upload's document, and where its verdicts are; a check, and a file refused at once, have no id."""
        entered = not self.upload.dry_run and bool(self.upload.sha256)
        written = self.upload.status == "DONE"
        return self.upload.document() | {
            "uploadId": self.upload.upload_id if entered else None,
            "verdicts": str(verdicts) if written else None,
        }


def wanted_file(kind: str, file: Path, verdicts: Path | None, merchant_id: str, mode: str, *, dry_run: bool) -> Wanted:
    """The file as it can be worked on; raises `Fault` for one that cannot."""
    if not file.is_file():
        raise Fault(f"{file} is no regular file; it is read more than once, so a pipe will not do.")
    target = file.with_name(f"{file.name}.verdicts.csv") if verdicts is None else verdicts
    if target.exists() and target.samefile(file):
        raise Fault("The verdicts would overwrite the file itself; name another place with --verdicts.")
    if target.is_dir() or not target.parent.is_dir():
        raise Fault(f"The verdicts cannot be written to {target}; name a file in a directory that exists.")
    return Wanted(kind, file, target, merchant_id, mode, dry_run)


def take_in(invocation: Invocation, wanted: Wanted) -> Intake:
    """Judges or applies the file, and shows how far it is meanwhile."""
    from hub.observability.logs import configure_logging
    from hub.operations.merchants import account_id_of

    settings = invocation.settings()
    configure_logging("warning")  # only a fault of the hub itself is worth a line here
    account_id = invocation.with_store(lambda store: account_id_of(store, wanted.merchant_id, wanted.mode), settings)
    doing = "Checking" if wanted.dry_run else "Applying"
    with Progress(f"{doing} {wanted.source.name}") as progress:
        return asyncio.run(_take_in(settings, account_id, wanted, progress))


async def _take_in(settings: Settings, account_id: str, wanted: Wanted, progress: Progress) -> Intake:
    from hub.csv_import.header import Refused, survey
    from hub.csv_import.job import REFUSED
    from hub.csv_import.kinds import KINDS
    from hub.operations.file_jobs import FileJob, Stop, Watch

    watch = Watch(progress, progress.say, Stop())
    with _signals(watch.stop, progress) as caught:
        job = FileJob(account_id, wanted.kind, wanted.source, wanted.verdicts, wanted.source.stat().st_size, "")
        try:
            surveyed = await asyncio.to_thread(survey, wanted.source, KINDS[wanted.kind])
        except Refused as refused:
            upload = job.upload(system_clock(), dry_run=wanted.dry_run)
            return Intake(evolve(upload, status=REFUSED, faults=refused.faults), by_server=False, stopped=0)
        taken = await _work(settings, evolve(job, size=surveyed.size, sha256=surveyed.sha256), watch, wanted)
    return Intake(taken.upload, taken.by_server, 0 if taken.upload.ended else max(caught, default=0))


async def _work(settings: Settings, job: Any, watch: Watch, wanted: Wanted) -> Taken:
    from hub.operations.uploads import apply_file, check_file
    from hub.storage import Store

    if not wanted.dry_run:
        return await apply_file(settings, system_clock, job, watch)
    async with await Store.open(settings.database.url) as store:
        return await check_file(store, system_clock, job, watch)


@contextmanager
def _signals(stop: Stop, progress: Progress) -> Iterator[list[int]]:
    """Ctrl-C and SIGTERM wish a stop, and what came is listed; a second Ctrl-C interrupts at once."""
    caught: list[int] = []
    if threading.current_thread() is not threading.main_thread():
        yield caught
        return
    loop = asyncio.get_running_loop()
    signals = (signal.SIGINT, signal.SIGTERM)

    def wish(number: int) -> None:
        caught.append(number)
        for each in signals:
            loop.remove_signal_handler(each)
        progress.say("Stopping …")
        stop.wish()

    for each in signals:
        loop.add_signal_handler(each, wish, each)
    try:
        yield caught
    finally:
        for each in signals:
            loop.remove_signal_handler(each)
