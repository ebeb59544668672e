"""Forms with a file: the fields come first, and the file is read as it arrives, never in memory whole."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Final

from aiohttp import BodyPartReader, web
from attrs import frozen

from hub.operations.errors import OperatorFault

MOST_BANK_BYTES: Final = 32 * 1024 * 1024
"""What a bank says of a hundred thousand payments."""
MULTIPART: Final = "multipart/form-data"
MOST_FIELDS: Final = 20
LONGEST_FIELD: Final = 4_096
BLOCK_BYTES: Final = 65_536


class FileFormFault(Exception):
    """A body that is not such a form, or one with too much before its file."""


class FileTooLarge(Exception):
    """A file with more bytes than are taken."""


@frozen(eq=False)
class FormFile:
    """The file of a form, which is still arriving; each block has to come within `seconds`."""

    part: BodyPartReader
    most_bytes: int
    seconds: float

    @property
    def name(self) -> str:
        """What its sender calls it, shortened."""
        return (self.part.filename or "")[:200]

    async def blocks(self) -> AsyncIterator[bytes]:
        """Yield the file block by block; raise `FileTooLarge`, and `FileFormFault` if it stops arriving."""
        size = 0
        while True:
            try:
                async with asyncio.timeout(self.seconds):
                    block = bytes(await self.part.read_chunk(BLOCK_BYTES))
            except (TimeoutError, ValueError, OSError) as fault:
                raise FileFormFault("the file was cut off") from fault
            if not block:
                return
            size += len(block)
            if size > self.most_bytes:
                raise FileTooLarge(self.most_bytes)
            yield block


async def whole_file(file: FormFile, what: str) -> bytes:
    """Return a bank's file, of at most a few MiB; raise `OperatorFault`, which begins with `what`, for another."""
    content = bytearray()
    try:
        async for block in file.blocks():
            content += block
            if len(content) > MOST_BANK_BYTES:
                raise FileTooLarge(MOST_BANK_BYTES)
    except (FileTooLarge, FileFormFault):
        most = MOST_BANK_BYTES >> 20
        raise OperatorFault(f"{what} was cut off, or is larger than {most} MiB; nothing was done.") from None
    return bytes(content)


async def take_file_form(
    request: web.BaseRequest, most_bytes: int, seconds: float
) -> tuple[dict[str, str], FormFile | None]:
    """Return the fields of a form up to its file, and the file, None if there is none; raise `FileFormFault`."""
    try:
        async with asyncio.timeout(seconds):
            return await _taken(request, most_bytes, seconds)
    except (TimeoutError, ValueError, AssertionError, OSError) as fault:
        raise FileFormFault("not a form") from fault


async def _taken(request: web.BaseRequest, most_bytes: int, seconds: float) -> tuple[dict[str, str], FormFile | None]:
    fields: dict[str, str] = {}
    reader = await request.multipart()
    for _ in range(MOST_FIELDS):
        part = await reader.next()
        if part is None:
            return fields, None
        if not isinstance(part, BodyPartReader) or part.name is None:
            raise FileFormFault("a part without a name")
        if part.filename is not None:
            return fields, FormFile(part, most_bytes, seconds)
        text = bytearray()
        while block := await part.read_chunk(LONGEST_FIELD):
            text += block
            if len(text) > LONGEST_FIELD:
                raise FileFormFault("a field is too long")
        fields[part.name] = text.decode().replace("\r\n", "\n")
    raise FileFormFault("too many fields")
