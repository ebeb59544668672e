"""A real shop on loopback: PrestaShop and MariaDB, set up in a folder of its own, driven by PHP.

`HUB_PRESTASHOP` names a folder with PrestaShop as it is released or built (with vendor/), its installer in `install` or
`install-dev`. Nothing of it is part of this repository. Without it, or without `php` and `mariadbd`, the tests are
skipped, and the summary of the run says why.
"""

from __future__ import annotations

import io
import json
import os
import shutil
import subprocess
import zipfile
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any

from attrs import define, field

from tests.php_shops import link, mariadb, missing_for_php, php_server
from tests.store_walk import HOST

EXTENSIONS = ("pdo_mysql", "curl", "dom", "gd", "intl", "mbstring", "simplexml", "zip")
PHP_SECONDS = 900
"""For a machine that is slow, or has much else to do."""
RUN = Path(__file__).with_name("run.php")
INSTALLERS = ("install", "install-dev")
NO_TEXTS = (
    '<?xml version="1.0"?><xliff xmlns="urn:oasis:names:tc:xliff:document:1.2" version="1.2"><file original="a"'
    ' source-language="en-US" target-language="en-US" datatype="plaintext"><body/></file></xliff>'
)


def missing() -> str | None:
    """Return why there can be no shop here, None if there can be one."""
    why = missing_for_php(EXTENSIONS, {"HUB_PRESTASHOP": "vendor/autoload.php"})
    if why is None and _installer(Path(os.environ["HUB_PRESTASHOP"])) is None:
        return f"HUB_PRESTASHOP has no {' and no '.join(INSTALLERS)}"
    return why


def _installer(sources: Path) -> Path | None:
    found = (sources / name / "index_cli.php" for name in INSTALLERS)
    return next((each for each in found if each.is_file()), None)


@define
class RealShop:
    """The shop: its folder, its database's socket, and the port of its hub."""

    folder: Path
    socket: Path
    hub_port: int
    products: dict[str, int] = field(factory=dict)

    @property
    def settings(self) -> tuple[str, ...]:
        """What PHP is told in order to find the database."""
        return (f"pdo_mysql.default_socket={self.socket}", f"mysqli.default_socket={self.socket}")

    def php(self, code: str, *, as_employee: bool = False) -> Any:
        """Run PHP inside PrestaShop and return what it returns; raise AssertionError for a warning of the module."""
        environ = os.environ | {"SHOP_FOLDER": str(self.folder), "SHOP_HOST": HOST}
        environ["SHOP_AS"] = "employee" if as_employee else "buyer"
        settings = [part for each in self.settings for part in ("-d", each)]
        done = subprocess.run(
            ["php", *settings, "-d", "display_errors=stderr", "-d", "memory_limit=1G", str(RUN)],
            input=code, env=environ, capture_output=True, text=True, timeout=PHP_SECONDS, check=False,
        )  # fmt: skip
        said, _, result = done.stdout.rpartition("\x1e")
        assert result, f"PHP ended with {done.returncode}: {done.stderr[-3000:]} {said[-2000:]}"
        ours = [line for line in done.stderr.splitlines() if "affiliatehub" in line and "PHP " in line]
        assert not ours, ours
        return json.loads(result)

    def console(self, *words: str) -> None:
        """Type a command of PrestaShop's own."""
        settings = [part for each in self.settings for part in ("-d", each)]
        done = subprocess.run(
            ["php", *settings, "-d", "memory_limit=1G", str(self.folder / "bin/console"), *words],
            capture_output=True, text=True, timeout=PHP_SECONDS, check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]

    def install(self, package: bytes) -> None:
        """Unpack the module's zip where PrestaShop has it, as an upload that replaces the one from before does."""
        shutil.rmtree(self.folder / "modules/affiliatehub", ignore_errors=True)
        with zipfile.ZipFile(io.BytesIO(package)) as archive:
            archive.extractall(self.folder / "modules")

    def run_queue(self) -> int:
        """Let everything that waits be sent now, whenever it is due; return how much waits on."""
        waits: int = self.php("return act_send();")
        return waits

    def order(self, click: str, lines: dict[str, int], then: str = "") -> int:
        """Place an order by its click, `lines` are quantities by product; `then` is PHP that goes on with $order."""
        goods = ", ".join(f"{self.products[name]} => {quantity}" for name, quantity in lines.items())
        made: int = self.php(f"$order = new Order(act_order('{click}', [{goods}])); {then} return (int) $order->id;")
        return made

    def change(self, order_id: int, then: str) -> Any:
        """Run PHP in the back office that changes an order, which is $order."""
        return self.php(f"$order = new Order({order_id}); {then} return true;", as_employee=True)


@contextmanager
def real_shop(folder: Path, hub_port: int) -> Iterator[RealShop]:
    """Set up a shop; stop its database at the end."""
    sources = Path(os.environ["HUB_PRESTASHOP"])
    installer = _installer(sources)
    assert installer is not None
    with mariadb(folder) as database:
        site = folder / "site"
        shutil.copytree(sources, site, copy_function=_copy, ignore=_left_out)
        _offline(site)
        shop = RealShop(site, database, hub_port)
        settings = [part for each in shop.settings for part in ("-d", each)]
        done = subprocess.run(
            ["php", *settings, "-d", "memory_limit=1G", str(site / installer.relative_to(sources)),
             f"--domain={HOST}", "--db_server=localhost", "--db_name=shop", "--db_user=root", "--country=ie",
             "--timezone=Europe/Dublin", "--theme=classic", "--fixtures=0"],
            capture_output=True, text=True, timeout=PHP_SECONDS, check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-2000:]
        shutil.rmtree(site / installer.relative_to(sources).parent)
        shop.products = shop.php("return act_set_up();")
        yield shop


def web_server(shop: RealShop, port: int) -> AbstractContextManager[None]:
    """Serve the shop's pages and its webservice on a port of this machine."""
    return php_server(shop.folder, RUN.with_name("router.php"), port, ours="affiliatehub", settings=shop.settings)


def _offline(site: Path) -> None:
    """Give the installer what it would download, with nothing in it, and folders that it writes into."""
    texts = site / "translations"
    for name in ("config/xml/themes", "var/cache", "var/logs", "upload", "download", "override", "img/tmp", "img/p",
                 "img/c", "img/m", "img/su", "img/st", "img/os", "img/l", "img/s", "img/co", "mails"):  # fmt: skip
        (site / name).mkdir(parents=True, exist_ok=True)
    (texts / "en.gzip").touch()
    for kind in ("sf", "emails"):
        with zipfile.ZipFile(texts / f"{kind}-en-US.zip", "w") as archive:
            archive.writestr("en-US/ShopTheme.en-US.xlf", NO_TEXTS)
    (site / ".env").write_text("PS_CONTAINER_V2_FRONT=false\nPS_TRUSTED_PROXIES=\n")


def _left_out(folder: str, names: list[str]) -> set[str]:
    """Leave out what an installation made of the same sources, and every module: none is needed, and some ask far."""
    place = Path(folder)
    if place.name == "modules" and (place.parent / "vendor").is_dir():
        return {name for name in names if (place / name).is_dir()}
    inner = {"var": {"cache", "logs"}, "config": {"parameters.php", "parameters.yml"}, "xml": {"themes"}}
    return (inner.get(place.name, set()) | {".env", ".git"}) & set(names)


def _copy(source: str, target: str) -> None:
    """Make copies of what an installation may write to, and links of the rest, which is most."""
    if any(part in source for part in ("/vendor/", "/src/", "/js/", "/node_modules/")):
        link(source, target)
    else:
        shutil.copyfile(source, target)
