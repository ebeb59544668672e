"""The text that the demo prints: its addresses, and the commands that walk through the main job."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

from attrs import frozen

from hub.demo.stage import SignInLink

SETTINGS_FILE = "demo.env"
AGENT = "Mozilla/5.0"
"""The user agent of the walk's curl is a browser's: crawlers and scripts are redirected without a click."""


@frozen
class Places:
    """The running demo's addresses and keys; a second terminal reads `settings_file` first.

    `connection_id` is the simulated store's, None if no plugin for one is installed.
    """

    hub_url: str
    shop_url: str
    link: str
    affiliate: str
    database_url: str
    key_id: str
    secret: str
    hold_seconds: float
    settings_file: Path
    merchant_id: str
    connection_id: str | None = None
    sign_in_links: tuple[SignInLink, ...] = ()


def write_settings(places: Places) -> None:
    """Write the environment of the walk's commands to a file that only its owner can read."""
    command = Path(sys.executable).parent
    values = {
        "HUB_BASE_URL": f"{places.hub_url}/api",
        "HUB_KEY": places.key_id,
        "HUB_SECRET": places.secret,
        "HUB_DATABASE_URL": places.database_url,
        "HUB_COMMISSION_HOLD": f"{round(places.hold_seconds * 1000)}ms",
        "LINK": places.link,
        "MERCHANT": places.merchant_id,
        "CONNECTION": places.connection_id or "",
    }
    lines = [f"export {name}={shlex.quote(value)}" for name, value in values.items()]
    if (command / "hub").exists():
        lines.append(f"export PATH={shlex.quote(str(command))}:$PATH")
    places.settings_file.touch(mode=0o600)
    places.settings_file.write_text("\n".join(lines) + "\n")


def walk(places: Places, style: Mapping[str, str]) -> str:
    """Return the text; `style` maps "title", "dim", "code" and "end" to terminal codes, or to nothing."""
    return "\n".join(_lines(places, style)) + "\n"


def _lines(places: Places, style: Mapping[str, str]) -> Iterator[str]:
    title, dim, code, end = (style.get(name, "") for name in ("title", "dim", "code", "end"))
    yield f"\n{title}The hub is running, with a shop beside it.{end}  {dim}Ctrl-C stops both.{end}\n"
    yield f"  The link    {code}{places.link}{end}   {dim}{places.affiliate} earns from it{end}"
    yield f"  The shop    {places.shop_url}   {dim}a signing client of the API{end}"
    yield f"  The API     {places.hub_url}/api   {dim}described at {places.hub_url}/docs{end}\n"
    if places.sign_in_links:
        yield f"{title}Sign in{end} with one of these links; each works once, for 15 minutes:\n"
        for link in places.sign_in_links:
            yield f"  {link.role.capitalize():<11} {code}{link.url}{end}"
        password = places.sign_in_links[0].password
        yield f"  {dim}Later with the password{end} {code}{password}{end} {dim}and one of these addresses:{end}"
        yield f"  {dim}{', '.join(link.email for link in places.sign_in_links)}{end}\n"
    yield f"{title}In a browser:{end} open the link, buy, press “Mark delivered”, and watch the commission become"
    yield f"payable after {places.hold_seconds:g} seconds. Then press “Refund” and see it taken back.\n"
    yield f"{title}In a second terminal,{end} the same by hand:\n"
    for purpose, command in _steps(places):
        yield f"  {dim}{purpose}{end}"
        yield f"  {code}{command}{end}\n"


def _steps(places: Places) -> Iterator[tuple[str, str]]:
    file = _from_here(places.settings_file)
    yield "Take the key, the secret and the addresses of this demo:", f". {shlex.quote(file)}"
    yield (
        "A buyer follows the link; the shop finds the click's id in its address:",
        f"CLICK=$(curl -s -i -A {AGENT} $LINK | tee /dev/stderr | grep -o 'clk_[0-9a-f]*')",
    )
    order = '{"externalOrderId":"walk-1","externalProductId":"lantern","orderAmount":"64.00","clickId":"\'$CLICK\'"}'
    yield (
        "The shop reports the order with that click:",
        f"EVENT=$(hub request POST /v1/conversions --data '{order}' | tee /dev/stderr | grep -o 'evt_[0-9a-f]*')",
    )
    yield "Ask what was decided, and why:", "hub event show $EVENT"
    delivered = '{"externalOrderId":"walk-1","status":"delivered","clickId":"\'$CLICK\'"}'
    yield "The parcel arrives, and the hold begins:", f"hub request POST /v1/order-status --data '{delivered}'"
    yield "See the commission on HOLD …", "sleep 1; hub conversion list --order walk-1"
    pause = round(places.hold_seconds) + 1
    yield "… and PAYABLE:", f"sleep {pause}; hub conversion list --order walk-1"


def _from_here(path: Path) -> str:
    try:
        return str(path.resolve().relative_to(Path.cwd()))
    except ValueError:
        return str(path)
