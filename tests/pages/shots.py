"""`make shots`: a screenshot of every page, in light, dark and phone width, from the data of `hub demo`.

The demo runs as a program of its own. Its three people are signed in by the links that it prints, and their pages are
found as they find them: by following links. One address is kept for each route.
"""

from __future__ import annotations

import asyncio
import re
import socket
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.parse import urlsplit

from playwright.async_api import Browser, BrowserContext

from hub.pages.routes import all_pages
from hub.testing.chromium import chromium

LOOKS = {"light": ("light", 1280), "dark": ("dark", 1280), "phone": ("light", 390)}
STARTS = {"Merchant": "/merchant", "Affiliate": "/affiliate", "Operator": "/operator"}
GETS = [page.path for page in all_pages() if page.method == "GET"]
ROUTES = {path: re.compile(re.sub(r"\\\{\w+\\\}", "[^/]+", re.escape(path))) for path in GETS}
SKIPPED = re.compile(r"/login/|/logout|\.(csv|svg|zip|pdf|png)$|/package$|/file$|/export")


@asynccontextmanager
async def demo() -> AsyncIterator[dict[str, str]]:
    """Run a demo and yield the sign-in link of each role."""
    with TemporaryDirectory() as folder:
        ports = [str(free_port()) for _ in range(2)]
        command = [str(Path(sys.executable).with_name("hub")), "demo", "--port", ports[0], "--shop-port", ports[1]]
        running = await asyncio.create_subprocess_exec(*command, cwd=folder, stdout=asyncio.subprocess.PIPE)
        try:
            yield await links_of(running)
        finally:
            running.terminate()
            await running.wait()


async def links_of(running: asyncio.subprocess.Process) -> dict[str, str]:
    """Read what the demo prints until every role has its link."""
    found: dict[str, str] = {}
    assert running.stdout is not None
    async with asyncio.timeout(300):
        while len(found) < len(STARTS):
            line = (await running.stdout.readline()).decode()
            match = re.search(r"(\w+) +(http://\S+/login/link/\S+)", line)
            if match is not None and match[1] in STARTS:
                found[match[1]] = match[2]
    return found


def free_port() -> int:
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        port: int = held.getsockname()[1]
        return port


def route_of(address: str) -> str | None:
    """The route that serves an address: the one with the fewest names in braces."""
    fitting = [path for path, pattern in ROUTES.items() if pattern.fullmatch(urlsplit(address).path)]
    return min(fitting, key=lambda path: path.count("{"), default=None)


async def found_pages(context: BrowserContext, root: str, start: str) -> dict[str, str]:
    """Follow links from a page; return an address for each route of the same area."""
    page = await context.new_page()
    found, waiting = {start: start}, [start]
    while waiting:
        await page.goto(root + waiting.pop(0))
        links = await page.eval_on_selector_all("a[href]", "all => all.map(link => link.getAttribute('href'))")
        for link in links:
            route = None if SKIPPED.search(urlsplit(link).path) else route_of(link)
            if route is not None and link.startswith(("/account", start)) and route not in found:
                found[route] = link
                waiting.append(link)
    await page.close()
    return found


async def shoot(browser: Browser, link: str, start: str, folder: Path) -> None:
    """Take the screenshots of one role's pages."""
    root = "{0.scheme}://{0.netloc}".format(urlsplit(link))
    first = await browser.new_context()
    page = await first.new_page()
    await page.goto(link)
    await page.get_by_role("button", name="Sign in").click()
    state = await first.storage_state()
    pages = await found_pages(first, root, start)
    for look, (scheme, width) in LOOKS.items():
        context = await browser.new_context(
            storage_state=state,
            color_scheme="dark" if scheme == "dark" else "light",
            viewport={"width": width, "height": 900},
        )
        page = await context.new_page()
        for route, address in sorted(pages.items()):
            await page.goto(root + address)
            name = re.sub(r"[^a-z0-9]+", "-", route).strip("-")
            await page.screenshot(path=folder / f"{name}.{look}.png", full_page=True)
            if await page.evaluate("document.documentElement.scrollWidth") > width:
                print(f"{address} is wider than {width} px")
        await context.close()
    print(f"{start}: {len(pages)} pages")


async def main(folder: Path) -> None:
    async with demo() as links, chromium() as browser:
        for role, start in STARTS.items():
            await shoot(browser, links[role], start, folder)


if __name__ == "__main__":
    shots = Path(sys.argv[1])
    shots.mkdir(parents=True, exist_ok=True)
    asyncio.run(main(shots))
