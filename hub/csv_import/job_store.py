"""The uploads table: a row is inserted, leased by one process at a time, advanced with each batch, ended, deleted."""

from __future__ import annotations

from collections.abc import Sequence

import orjson
from attrs import evolve, frozen

from hub.csv_import.job import RUNNING, Upload
from hub.ids import id_at
from hub.storage import Store, Tx


class LeaseLost(Exception):
    """The lease has passed to another process."""


@frozen
class Quota:
    """What an account may have in the upload directory: files `waiting` to be applied, and `bytes` in all."""

    waiting: int
    bytes: int


async def held_by(tx: Tx, account_id: str) -> Quota:
    """Return what an account has: its files that are not applied yet, and the bytes of these and of verdict files."""
    row = await tx.one("uploads_held", account_id=account_id)
    return Quota(0, 0) if row is None else Quota(row["waiting"], row["bytes"])


async def insert(tx: Tx, upload: Upload) -> None:
    """Store a new upload."""
    await tx.run(
        "enter_upload",
        account_id=upload.account_id,
        upload_id=upload.upload_id,
        kind=upload.kind,
        dry_run=int(upload.dry_run),
        source=upload.source,
        file_name=upload.file_name,
        sha256=upload.sha256,
        file_bytes=upload.size,
        created_at=upload.created_at,
    )


async def find(store: Store, account_id: str, upload_id: str) -> Upload | None:
    """Return an upload of the account; None if it has none with this id."""
    async with store.read() as tx:
        row = await tx.one("upload_by_id", account_id=account_id, upload_id=upload_id)
    return None if row is None else Upload.from_row(row)


async def unfinished(store: Store, account_id: str, kind: str, sha256: str, *, dry_run: bool) -> Upload | None:
    """Return the upload of this very file that a command began and did not end; None if there is none."""
    async with store.read() as tx:
        row = await tx.one("uploads_of_file", account_id=account_id, kind=kind, sha256=sha256, dry_run=int(dry_run))
    return None if row is None else Upload.from_row(row)


async def lease_next(store: Store, owner: str, now: int, lease_ms: int, busy: Sequence[str] = ()) -> Upload | None:
    """Lease for `lease_ms` the upload that has waited longest for a server, new or left by one; None if none waits.

    Those of accounts that are `busy` wait on.
    """
    async with store.write() as tx:
        row = await tx.one("next_upload", now=now, owner=owner, busy=busy)
        if row is None:
            return None
        upload = Upload.from_row(row)
        return evolve(upload, status=RUNNING) if await _lease(tx, upload, owner, now, lease_ms) else None


async def lease(store: Store, upload: Upload, owner: str, now: int, lease_ms: int) -> bool:
    """Lease this upload for `lease_ms`; return False while another process holds it."""
    async with store.write() as tx:
        return await _lease(tx, upload, owner, now, lease_ms)


async def release(store: Store, upload: Upload, owner: str, until: int = 0) -> None:
    """End the lease at `until` (ms UTC), from when anybody may lease the upload."""
    async with store.write() as tx:
        await tx.run(
            "release_upload",
            account_id=upload.account_id,
            upload_id=upload.upload_id,
            owner=owner,
            lease_until=until,
        )


async def advance(tx: Tx, upload: Upload, owner: str, lease_until: int) -> None:
    """Store the upload's progress, in the transaction of the batch itself, and renew the lease. Raise `LeaseLost`."""
    touched = await tx.run(
        "advance_upload",
        account_id=upload.account_id,
        upload_id=upload.upload_id,
        owner=owner,
        read_bytes=upload.position,
        read_lines=upload.line,
        row_count=upload.rows,
        created=upload.created,
        updated=upload.updated,
        duplicate=upload.duplicate,
        failed=upload.failed,
        verdict_bytes=upload.verdict_bytes,
        ignored_columns=_json(upload.ignored_columns),
        lease_until=lease_until,
    )
    if touched != 1:
        raise LeaseLost(upload.upload_id)


async def finish(store: Store, upload: Upload, owner: str) -> None:
    """Store the status, faults and time with which the upload has ended. Raise `LeaseLost`."""
    async with store.write() as tx:
        touched = await tx.run(
            "finish_upload",
            account_id=upload.account_id,
            upload_id=upload.upload_id,
            owner=owner,
            status=upload.status,
            faults=_json(upload.faults),
            ignored_columns=_json(upload.ignored_columns),
            finished_at=upload.finished_at,
        )
    if touched != 1:
        raise LeaseLost(upload.upload_id)


async def waiting_ids(store: Store) -> frozenset[str]:
    """Return the ids of the uploads that have rows to apply."""
    async with store.read() as tx:
        return frozenset(row["upload_id"] for row in await tx.all("waiting_uploads"))


async def delete_before(store: Store, account_id: str, moment: int) -> list[str]:
    """Delete an account's uploads from before `moment` (ms UTC) that have ended or were left; return their ids."""
    async with store.write() as tx:
        rows = await tx.all("uploads_before", account_id=account_id, before=id_at("upl", moment))
        ids = [row["upload_id"] for row in rows]
        if ids:
            await tx.run("forget_uploads", account_id=account_id, ids=ids)
    return ids


async def _lease(tx: Tx, upload: Upload, owner: str, now: int, lease_ms: int) -> bool:
    return (
        await tx.run(
            "hold_upload",
            account_id=upload.account_id,
            upload_id=upload.upload_id,
            owner=owner,
            now=now,
            lease_until=now + lease_ms,
        )
        == 1
    )


def _json(texts: Sequence[str]) -> str:
    return orjson.dumps(texts).decode()
