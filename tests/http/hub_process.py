"""A hub in a process of its own, whose memory and sockets can be measured, and the strangers that attack it."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from attrs import frozen

from hub.clock import system_clock
from hub.domain.signing import sign
from tests.forked import HUB, Forked
from tests.polling import PATIENCE_SECONDS
from tests.served_hub import MASTER_KEY, ApiKey

MIB = 1024 * 1024


@frozen
class HubProcess:
    """A running `hub serve`."""

    process: Forked
    port: int

    @property
    def memory(self) -> float:
        """The resident memory in MiB."""
        status = Path(f"/proc/{self.process.pid}/status").read_text("utf-8")
        (line,) = (line for line in status.splitlines() if line.startswith("VmRSS:"))
        return int(line.split()[1]) / 1024

    @property
    def sockets(self) -> int:
        """How many sockets are open; its files vary, because connections to the database are opened as needed."""
        opened = Path(f"/proc/{self.process.pid}/fd").iterdir()
        return sum(target.startswith("socket:") for target in map(_target, opened))

    @property
    def cpu_seconds(self) -> float:
        """The processor time of all threads so far."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text("utf-8").rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def terminate(self, seconds: float) -> float:
        """Send SIGTERM; return how many seconds the process took to end, or raise `TimeoutExpired`."""
        began = time.monotonic()
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(seconds)
        return time.monotonic() - began


@contextmanager
def hub_process(
    url: str, *, before: str = "", errors: Path | None = None, limit_files: int = 0, **environ: str
) -> Iterator[HubProcess]:
    """Serve the database at `url` in a process of its own; `before` is Python that it runs first, to take a guard away.

    `environ` are settings, `limit_files` its hard limit of descriptors, `errors` the file that takes its log.
    """
    with TemporaryDirectory() as uploads:
        usual = {"HUB_DATABASE_URL": url, "HUB_MASTER_KEY": MASTER_KEY, "HUB_UPLOADS_DIRECTORY": uploads}
        limited = f"import resource as r; r.setrlimit(r.RLIMIT_NOFILE, ({limit_files},) * 2)\n" if limit_files else ""
        log = (errors or Path(os.devnull)).open("w", encoding="utf-8")
        process = Forked(
            ["serve", "--port", "0"], {**os.environ, **usual, **environ}, code=f"{limited}{before}\n{HUB}", stderr=log
        )
        try:
            line = process.stdout.readline()
            assert line.startswith("listening on http://127.0.0.1:"), line
            yield HubProcess(process, int(line.rpartition(":")[2]))
        finally:
            process.kill()
            process.communicate()
            log.close()


def headers_of(key: ApiKey, raw: bytes, *, length: int | None = None, **changed: str) -> str:
    """The header lines of a signed request, with the changes, up to the empty line."""
    stamp = str(system_clock() // 1000)
    fields = {
        "Host": "hub", "Content-Length": str(len(raw) if length is None else length), "X-API-Key": key.key_id,
        "X-Timestamp": stamp, "X-Signature": sign(key.secret.encode(), stamp, raw), **changed,
    }  # fmt: skip
    return "".join(f"{name}: {value}\r\n" for name, value in fields.items()) + "\r\n"


async def ask(port: int, request: bytes, *, seconds: float = PATIENCE_SECONDS) -> bytes:
    """Send exactly these bytes; return the status line, headers and body as far as the length says."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        writer.write(request)
        async with asyncio.timeout(seconds):
            head = await reader.readuntil(b"\r\n\r\n")
            lengths = [int(line[15:]) for line in head.split(b"\r\n") if line.lower().startswith(b"content-length:")]
            return head + await reader.readexactly(lengths[0] if lengths else 0)
    finally:
        writer.close()


async def order(port: int, key: ApiKey, name: str) -> float:
    """Send an order, which must be accepted; return how many seconds that took."""
    raw = f'{{"externalOrderId":"{name}","orderAmount":"10.00"}}'.encode()
    began = time.monotonic()
    answer = await ask(port, f"POST /api/v1/conversions HTTP/1.1\r\n{headers_of(key, raw)}".encode() + raw)
    assert answer.startswith(b"HTTP/1.1 202"), answer
    return time.monotonic() - began


def raw_socket(port: int, *, receive: int = 0) -> socket.socket:
    """Connect; `receive` is the size of the buffer for what comes."""
    client = socket.socket()
    if receive:
        client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive)
    client.settimeout(PATIENCE_SECONDS)
    try:
        client.connect(("127.0.0.1", port))
    except OSError:
        client.close()
        raise
    return client


def _target(descriptor: Path) -> str:
    try:
        return str(descriptor.readlink())
    except OSError:  # closed meanwhile
        return ""
