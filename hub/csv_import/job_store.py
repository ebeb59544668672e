"""The uploads table: entered, taken up by one process at a time, advanced with each chunk, ended, forgotten."""

from __future__ import annotations

from collections.abc import Sequence

import orjson
from attrs import evolve

from hub.csv_import.job import RUNNING, Upload
from hub.ids import id_at
from hub.storage import Store, Tx


class Lost(Exception):
    """Another process has taken the upload over."""


async def enter(tx: Tx, upload: Upload) -> None:
    """Stores a new upload."""
    await tx.run(
        "enter_upload",
        account_id=upload.account_id,
        upload_id=upload.upload_id,
        kind=upload.kind,
        dry_run=int(upload.dry_run),
        source=upload.source,
        sha256=upload.sha256,
        file_bytes=upload.size,
        created_at=upload.created_at,
    )


async def find(store: Store, account_id: str, upload_id: str) -> Upload | None:
    """An upload of the account, None where it has no such."""
    async with store.read() as tx:
        row = await tx.one("upload_by_id", account_id=account_id, upload_id=upload_id)
    return None if row is None else Upload.from_row(row)


async def unfinished(store: Store, account_id: str, kind: str, sha256: str, *, dry_run: bool) -> Upload | None:
    """The upload that a command began with this very file and did not end."""
    async with store.read() as tx:
        row = await tx.one("uploads_of_file", account_id=account_id, kind=kind, sha256=sha256, dry_run=int(dry_run))
    return None if row is None else Upload.from_row(row)


async def take_up(store: Store, owner: str, now: int, lease_ms: int) -> Upload | None:
    """Takes the upload that has waited longest for a server, new or left by one that stopped; None where none waits."""
    async with store.write() as tx:
        row = await tx.one("next_upload", now=now, owner=owner)
        if row is None:
            return None
        upload = Upload.from_row(row)
        return evolve(upload, status=RUNNING) if await _hold(tx, upload, owner, now, lease_ms) else None


async def resume(store: Store, upload: Upload, owner: str, now: int, lease_ms: int) -> bool:
    """Takes this upload; False while another process works on it."""
    async with store.write() as tx:
        return await _hold(tx, upload, owner, now, lease_ms)


async def release(store: Store, upload: Upload, owner: str, until: int = 0) -> None:
    """Leaves an upload to others from `until` (ms UTC) on."""
    async with store.write() as tx:
        await tx.run(
            "release_upload",
            account_id=upload.account_id,
            upload_id=upload.upload_id,
            owner=owner,
            lease_until=until,
        )


async def advance(tx: Tx, upload: Upload, owner: str, lease_until: int) -> None:
    """Notes how far the upload has come, in the transaction of the chunk itself. Raises `Lost`."""
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
        raise Lost(upload.upload_id)


async def finish(store: Store, upload: Upload, owner: str) -> None:
    """Ends an upload with the status, faults and time that it has. Raises `Lost`."""
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
        raise Lost(upload.upload_id)


async def forget_before(store: Store, account_id: str, moment: int) -> list[str]:
    """Forgets an account's uploads entered before `moment` (ms UTC) that have ended or were left; returns their ids."""
    async with store.write() as tx:
        rows = await tx.all("uploads_before", account_id=account_id, before=id_at("upl", moment))
        ids = [row["upload_id"] for row in rows]
        if ids:
            await tx.run("forget_uploads", account_id=account_id, ids=ids)
    return ids


async def _hold(tx: Tx, upload: Upload, owner: str, now: int, lease_ms: int) -> bool:
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
