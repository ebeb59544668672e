"""Frames come out whole and in order, whatever pieces they arrive in and however the other end is lost."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator

import pytest

from hub.plugin_host.frame_stream import FrameChannel, FrameStream
from hub.plugin_host.frames import FrameFault, packed
from tests.polling import until


@pytest.fixture
async def ends() -> AsyncIterator[tuple[FrameStream, socket.socket]]:
    ours, theirs = socket.socketpair()
    _, stream = await asyncio.get_running_loop().create_connection(FrameStream, sock=ours)
    yield stream, theirs
    stream.close()
    theirs.close()


Ends = tuple[FrameStream, socket.socket]


async def test_a_frame_in_pieces_is_one_frame(ends: Ends) -> None:
    stream, theirs = ends
    frame = packed({"n": 1}, b"body")
    for at in range(len(frame)):
        theirs.sendall(frame[at : at + 1])
        await asyncio.sleep(0)
    assert await stream.receive() == ({"n": 1}, b"body")


async def test_frames_that_came_before_the_end_are_given_out_first(ends: Ends) -> None:
    stream, theirs = ends
    theirs.sendall(packed({"n": 1}) + packed({"n": 2}) + b"\0\0")
    theirs.close()
    assert [(await stream.receive())[0] for _ in range(2)] == [{"n": 1}, {"n": 2}]
    with pytest.raises(ConnectionError):
        await stream.receive()


async def test_a_channel_that_gets_only_one_of_its_sockets_closes_it() -> None:
    """A transport that is left over keeps the descriptor's number from every later connection of the loop."""
    requests, asked = socket.socketpair()
    answers, answered = socket.socketpair()
    requests.close()
    with asked, answered:
        with pytest.raises(OSError, match="Bad file descriptor"):
            await FrameChannel.over(requests, answers)
        await until(lambda: answers.fileno() < 0)


async def test_a_request_to_a_dead_process_costs_no_answer() -> None:
    """The process answers and dies while the hub still sends: what it answered is there."""
    requests, asked = socket.socketpair()
    answers, answered = socket.socketpair()
    channel = await FrameChannel.over(requests, answers)
    channel.send(packed({"asked": 1}))
    answered.sendall(packed({"n": 1}))
    asked.close()
    answered.close()
    channel.send(packed({"asked": 2}))
    assert await channel.receive() == ({"n": 1}, b"")
    with pytest.raises(ConnectionError):
        await channel.receive()
    channel.close()


async def test_over_one_socket_it_would_cost_the_answer() -> None:
    """The control: the write that fails closes the transport with what it has yet to read."""
    ours, theirs = socket.socketpair()
    transport, stream = await asyncio.get_running_loop().create_connection(FrameStream, sock=ours)
    transport.write(packed({"asked": 1}))
    theirs.sendall(packed({"n": 1}))
    theirs.close()
    transport.write(packed({"asked": 2}))
    with pytest.raises(ConnectionError):
        await stream.receive()


async def test_a_reader_of_asyncio_would_lose_them() -> None:
    """The control, with the same bytes and the same end."""
    ours, theirs = socket.socketpair()
    reader, writer = await asyncio.open_connection(sock=ours)
    writer.write(packed({"asked": 1}))
    theirs.sendall(packed({"n": 1}))
    theirs.close()
    for _ in range(20):
        await asyncio.sleep(0.01)
        if reader.exception() is not None:
            break
    with pytest.raises(ConnectionResetError):
        await reader.readexactly(8)
    writer.close()


@pytest.mark.parametrize("sent", [b"\xff" * 8, packed({}).replace(b"{}", b"[]")], ids=["too long", "not an object"])
async def test_bytes_that_are_not_a_frame_end_the_stream(ends: Ends, sent: bytes) -> None:
    stream, theirs = ends
    theirs.sendall(sent)
    with pytest.raises(FrameFault):
        await stream.receive()


async def test_nothing_more_is_read_while_a_frame_waits(ends: Ends) -> None:
    _, theirs = ends
    theirs.setblocking(False)
    sent = 0
    for _ in range(1_000):
        try:
            sent += theirs.send(packed({"n": 1}, b"x" * 10_000))
        except BlockingIOError:
            if sent:
                break
        await asyncio.sleep(0)
    assert sent < 5_000_000
