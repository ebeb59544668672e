"""Pictures that merchants send: written anew by a process of their own, kept by account, shown to anybody.

A picture's id is its address, and cannot be guessed; what is behind it never changes, so it may be kept for ever.
"""

from __future__ import annotations

import asyncio
import base64
import json
import secrets
import sys
from collections.abc import AsyncIterable
from typing import Any, Final

from attrs import frozen

from hub.clock import Clock
from hub.operations.errors import OperatorFault
from hub.operations.pictures.process import MOST_BYTES, NO_PICTURE
from hub.storage import Store, Tx

PICTURE_SECONDS: Final = 20.0
MOST_PICTURES: Final = 200
MOST_BYTES_OF_ACCOUNT: Final = 50 * 1024 * 1024
_at_once = asyncio.Semaphore(2)
"""How many processes a server lets decode at a time."""


@frozen
class Encoded:
    """A picture that was written anew."""

    media_type: str
    width: int
    height: int
    content: bytes


async def read_picture(blocks: AsyncIterable[bytes]) -> bytes:
    """Return the bytes of a file, b"" for none; raise `OperatorFault` for one that is too large."""
    sent = bytearray()
    async for block in blocks:
        sent += block
        if len(sent) > MOST_BYTES:
            raise OperatorFault(f"The picture has more than {MOST_BYTES // 1_048_576} MiB; send a smaller one.")
    return bytes(sent)


async def encoded(sent: bytes) -> Encoded:
    """Return a picture written anew in a process of its own; raise `OperatorFault` for what is no picture."""
    async with _at_once:
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-P", "-m", "hub.operations.pictures.process",
            stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.DEVNULL,
            env={"PYTHONPATH": ":".join(filter(None, sys.path))}, start_new_session=True,
        )  # fmt: skip
        try:
            async with asyncio.timeout(PICTURE_SECONDS):
                answer, _ = await process.communicate(sent)
        except TimeoutError:
            answer = b""
        finally:
            if process.returncode is None:
                process.kill()
                await process.wait()
    head, _, content = answer.partition(b"\n")
    about: dict[str, Any] = json.loads(head) if process.returncode == 0 and head else {"fault": NO_PICTURE}
    if "fault" in about:
        raise OperatorFault(str(about["fault"]))
    return Encoded(about["type"], about["width"], about["height"], content)


async def keep_picture(tx: Tx, clock: Clock, account_id: str, picture: Encoded) -> str:
    """Store a picture and return its id; raise `OperatorFault` if the account has too many."""
    kept = await tx.one("pictures_kept", account_id=account_id)
    if kept is not None and (
        kept["pictures"] >= MOST_PICTURES or kept["bytes"] + len(picture.content) > MOST_BYTES_OF_ACCOUNT
    ):
        raise OperatorFault(
            f"An account keeps {MOST_PICTURES} pictures of {MOST_BYTES_OF_ACCOUNT // 1_048_576} MiB. Delete some first."
        )
    picture_id = f"pic_{secrets.token_hex(16)}"
    await tx.run(
        "insert_picture", account_id=account_id, picture_id=picture_id, media_type=picture.media_type,
        width=picture.width, height=picture.height, bytes=len(picture.content),
        content=base64.b64encode(picture.content).decode(), now=clock(),
    )  # fmt: skip
    return picture_id


async def drop_picture(tx: Tx, account_id: str, picture_id: str | None) -> None:
    """Delete a picture of an account; none is deleted without a fault."""
    if picture_id is not None:
        await tx.run("delete_picture", account_id=account_id, picture_id=picture_id)


async def show_picture(store: Store, picture_id: str) -> Encoded | None:
    """Return a picture by its id, None if there is none."""
    async with store.read() as tx:
        row = await tx.one("picture", picture_id=picture_id)
    if row is None:
        return None
    return Encoded(row["media_type"], row["width"], row["height"], base64.b64decode(row["content"]))
