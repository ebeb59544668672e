"""`make shots`: a screenshot of every page, in light, dark and phone width, from the data of `hub demo`.

With a second folder (`python -m tests.pages.shots var/shots docs/pictures`) the README's pictures are made of them.

The demo runs as a program of its own. Its three people are signed in by the links that it prints, and their pages are
found as they find them: by following links. One address is kept for each route; what is not found is an error.
"""

from __future__ import annotations

import asyncio
import re
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.parse import urlsplit

from PIL import Image
from playwright.async_api import Browser, BrowserContext

from hub.pages.routes import all_pages
from hub.testing.chromium import chromium
from hub.testing.postgres import free_port
from tests.pages.files import FILES

LOOKS = {"light": ("light", 1280), "dark": ("dark", 1280), "phone": ("light", 390)}
STARTS = {"Merchant": "/merchant", "Affiliate": "/affiliate", "Operator": "/operator"}
GETS = [page for page in all_pages() if page.method == "GET" and not FILES.search(page.path)]
ROUTES = {page.path: re.compile(re.sub(r"\\\{\w+\\\}", "[^/]+", re.escape(page.path))) for page in GETS}
KNOWN = {"/join/{name}": "/join/fjord-fern"}
"""Pages that are linked to from outside the hub, where the demo has them."""
UNSHOT = {
    "/affiliate/find": "leads on to what was found",
    "/imprint": "the demo has none",
    "/terms": "the demo has none",
    "/pictures/{picture}": "a picture, not a page",
    "/login/link/{token}": "works once, and signs in",
    "/login/second": "between two steps of signing in",
    "/login/security": "between two steps of signing in",
    "/login/confirm": "between two steps of an act",
    "/register/{token}": "works once, by invitation",
    "/merchant/keys/{key}/secret": "is shown once, after a key was made",
    "/account/once/{once}": "is shown once, after it was made",
    "/docs/clients/{package}": "is a file",
    "/merchant/webhooks/{webhook}": "the demo has no receiver to send to",
    "/merchant/webhooks/{webhook}/messages/{webhook_message}": "the demo has no receiver to send to",
    "/affiliate/webhooks/{subscription}/messages/{subscription_message}": "the demo has no receiver to send to",
    "/operator/webhooks/{subscription}/messages/{subscription_message}": "the demo has no receiver to send to",
    "/affiliate/webhooks/{subscription}": "the demo has no receiver to send to",
    "/operator/receipts/{receipt}": "the demo's network has no bank",
    "/operator/bank-reports/{report}": "the demo's network has no bank",
    "/operator/webhooks/{subscription}": "the demo has no receiver to send to",
    "/affiliate/tax-details": "the demo's network does not collect what DAC7 asks for",
    "/operator/affiliates/{affiliate}/tax-details": "the demo's network does not collect what DAC7 asks for",
}
"""Pages that a person cannot come back to or that the demo has nothing for, and why."""
PICTURES = {
    "merchant-overview": ("merchant.light", 1190),
    "affiliate-commission": ("affiliate-commissions-commission.light", 1100),
    "operator-reports-dark": ("operator-reports.dark", 1100),
    "merchant-order": ("merchant-orders-order.light", 1500),
    "affiliate-phone": ("affiliate-reports.phone", 1100),
    "affiliate-payouts": ("affiliate-payouts.light", 900),
    "api-reference": ("docs-reference-group.light", 900),
}
"""Which screenshots the README shows, and how many pixels of each from the top."""


def routes_of(role: str) -> list[str]:
    """The routes that are shot for a role: its own, those of everybody for the operator, and the public ones."""
    shown = [page for page in GETS if page.path not in UNSHOT]
    if role == "Nobody":
        return [page.path for page in shown if page.public]
    if role == "Operator":
        return [page.path for page in shown if not page.public and (not page.roles or "operator-admin" in page.roles)]
    return [page.path for page in shown if STARTS[role].removeprefix("/") in page.roles]


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


def route_of(address: str) -> str | None:
    """The route that serves an address: the one with the fewest names in braces."""
    fitting = [path for path, pattern in ROUTES.items() if pattern.fullmatch(urlsplit(address).path)]
    return min(fitting, key=lambda path: path.count("{"), default=None)


async def found_pages(context: BrowserContext, root: str, role: str) -> dict[str, str]:
    """Return an address for each route of a role: itself, or what a link on another of its pages leads to."""
    page = await context.new_page()
    wanted = routes_of(role)
    found = {route: KNOWN.get(route, route) for route in wanted if "{" not in route or route in KNOWN}
    waiting = list(found.values())
    while waiting and len(found) < len(wanted):
        await page.goto(root + waiting.pop(0))
        for link in await page.eval_on_selector_all("a[href]", "all => all.map(link => link.getAttribute('href'))"):
            route = route_of(link) if link.startswith("/") else None
            if route in wanted and route not in found:
                found[route] = link
                waiting.append(link)
    await page.close()
    return found


async def signed_in(browser: Browser, link: str | None) -> BrowserContext:
    """Open a browser's context in which somebody has signed in, or nobody without a link."""
    context = await browser.new_context()
    if link is not None:
        page = await context.new_page()
        await page.goto(link)
        await page.get_by_role("button", name="Sign in").click()
    return context


async def shoot(browser: Browser, link: str | None, root: str, role: str, folder: Path) -> list[str]:
    """Take the screenshots of one role's pages; return the routes that no link leads to."""
    first = await signed_in(browser, link)
    state = await first.storage_state()
    pages = await found_pages(first, root, role)
    await first.close()
    for look, (scheme, width) in LOOKS.items():
        context = await browser.new_context(
            storage_state=state,
            color_scheme="dark" if scheme == "dark" else "light",
            viewport={"width": width, "height": 900},
        )
        page = await context.new_page()
        for route, address in sorted(pages.items()):
            await page.goto(root + address)
            name = re.sub(r"[^a-z0-9]+", "-", route).strip("-") or "home"
            await page.screenshot(path=folder / f"{name}.{look}.png", full_page=True)
            if await page.evaluate("document.documentElement.scrollWidth") > width:
                print(f"{address} is wider than {width} px")
        await context.close()
    print(f"{role}: {len(pages)} pages", flush=True)
    return sorted(set(routes_of(role)) - pages.keys())


async def main(folder: Path) -> None:
    async with demo() as links, chromium() as browser:
        root = "{0.scheme}://{0.netloc}".format(urlsplit(links["Operator"]))
        missing = []
        for role in ("Nobody", *STARTS):
            missing += await shoot(browser, links.get(role), root, role, folder)
    if missing:
        sys.exit(f"The demo has nothing for these pages, or no page leads to them: {', '.join(missing)}")


def make_pictures(folder: Path, pictures: Path) -> None:
    """Cut the README's pictures out of the screenshots of a folder."""
    for name, (shot, height) in PICTURES.items():
        with Image.open(folder / f"{shot}.png") as image:
            top = image.convert("RGB").crop((0, 0, image.width, min(height, image.height)))
            top.save(pictures / f"{name}.webp", quality=80, method=6)


if __name__ == "__main__":
    shots = Path(sys.argv[1])
    shots.mkdir(parents=True, exist_ok=True)
    asyncio.run(main(shots))
    for into in sys.argv[2:]:
        make_pictures(shots, Path(into))
