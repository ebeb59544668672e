"""Long work behind a page: until it is done, the page says how far it got, without a script.

The work is a task of its own. If it ends within a moment, its page is the answer. Otherwise the answer is written while
the work goes on: the head of the page, a number every second, and at last what is inside the finished page. Whoever
leaves ends the work: the generator that writes the answer is closed then, and cancels the task.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from typing import Final

import structlog
from aiohttp import web
from attrs import define
from markupsafe import escape

from hub.http.static_files import HTML
from hub.pages.markup import count
from hub.pages.rendering import HEADERS

PATIENCE_SECONDS: Final = 1.0
"""How long the finished page is waited for before its progress is shown."""
EVERY_SECONDS: Final = 1.0
MAIN: Final = '<main id="main">'

log = structlog.get_logger(__name__)


@define
class Progress:
    """How many things long work has done so far."""

    done: int = 0

    def note(self, done: int) -> None:
        """Take how many are done now."""
        self.done = done


async def page_of_long_work(
    work: Callable[[Progress], Awaitable[web.Response]], frame: Callable[[], web.Response], words: str
) -> web.Response:
    """Return the page that `work` makes, or one that shows its progress and then becomes that page.

    `frame` makes a page with the same head and nothing inside; `words` say what is counted: "Orders priced".
    """
    progress = Progress()
    task = asyncio.ensure_future(work(progress))
    try:
        await asyncio.wait({task}, timeout=PATIENCE_SECONDS)
    except asyncio.CancelledError:
        task.cancel()
        raise
    if task.done():
        return task.result()
    body = streamed(task, progress, _text(frame()), words)
    return web.Response(body=body, headers={**HEADERS, "Content-Type": HTML})


async def streamed(
    task: asyncio.Future[web.Response], progress: Progress, frame: str, words: str
) -> AsyncGenerator[bytes, None]:
    """Yield the page piece by piece until the task has its inside; cancel the task if nobody wants the rest."""
    head, main, _ = frame.partition(MAIN)
    try:
        yield f'{head}{main}<section class="card"><p role="status">{escape(words)}: {count(progress.done)}'.encode()
        while not task.done():
            await asyncio.wait({task}, timeout=EVERY_SECONDS)
            yield f", {count(progress.done)}".encode()
        yield f"</p></section>{_finished(task, frame)}".encode()
    finally:
        task.cancel()


def _finished(task: asyncio.Future[web.Response], frame: str) -> str:
    """Return what is inside the finished page; the status is sent, so a fault can only be said in words."""
    try:
        return _text(task.result()).partition(MAIN)[2]
    except Exception:
        log.exception("long work behind a page failed")
        end = frame.partition(MAIN)[2]
        return f'<p class="fault" role="alert">Something went wrong, and nothing was done. Please try again.</p>{end}'


def _text(page: web.Response) -> str:
    if not isinstance(page.body, bytes):
        raise TypeError("a page is whole")
    return page.body.decode()
