"""A real shop on loopback: WordPress, WooCommerce and MariaDB, set up in a folder of its own, driven by PHP.

`HUB_WORDPRESS` names a folder with WordPress, `HUB_WOOCOMMERCE` one with WooCommerce as it is released (with vendor/
and packages/). Nothing of them is part of this repository. Without them, or without `php` and `mariadbd`, the tests are
skipped, and the summary of the run says why.
"""

from __future__ import annotations

import getpass
import io
import json
import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from attrs import define, field

HOST = "shop.example"
EXTENSIONS = ("mysqli", "curl", "dom", "mbstring", "zip")
PHP_SECONDS = 900
START_SECONDS = 180
"""Both are for a machine that is slow, or has much else to do."""
RUN = Path(__file__).with_name("run.php")
ALLOW_LOOPBACK = """<?php
add_filter( 'http_request_host_is_external', '__return_true' );
add_filter( 'http_allowed_safe_ports', function ( $ports ) { return array_merge( $ports, array( HUB_PORT ) ); } );
add_filter( 'pre_http_request', function ( $answer, $args, $url ) {
	if ( 0 === strpos( $url, 'https://hub.example/' ) ) {
		return wp_remote_request( str_replace( 'https://hub.example', 'http://127.0.0.1:' . HUB_PORT, $url ), $args );
	}
	return false === strpos( $url, '://127.0.0.1' ) ? new WP_Error( 'offline', 'Only loopback is reached.' ) : $answer;
}, 1, 3 );
"""
INSTALL = """
wp_install( 'Shop', 'owner', 'owner@shop.example', true, '', 'secret' );
update_option( 'active_plugins', array( 'woocommerce/woocommerce.php' ) );
return true;
"""
SET_UP = """
WC_Install::install();
update_option( 'woocommerce_currency', 'EUR' );
update_option( 'woocommerce_coming_soon', 'no' );
update_option( 'woocommerce_custom_orders_table_enabled', '%s' );
update_option( 'woocommerce_calc_taxes', 'no' );
update_option( 'woocommerce_default_country', 'DE' );
update_option( 'woocommerce_cod_settings', array( 'enabled' => 'yes', 'title' => 'Cash on delivery' ) );
update_option( 'permalink_structure', '/%%postname%%/' );
flush_rewrite_rules();
$made = array();
foreach ( array( 'Lantern' => '50.00', 'Rope' => '20.00' ) as $name => $price ) {
	$product = new WC_Product_Simple();
	$product->set_name( $name );
	$product->set_regular_price( $price );
	$made[ $name ] = $product->save();
}
return $made;
"""


def missing() -> str | None:
    """Return why there can be no shop here, None if there can be one."""
    for name in ("php", "mariadbd", "mariadb-install-db", "mariadb"):
        if _program(name) is None:
            return f"{name} is not installed"
    for name, file in (("HUB_WORDPRESS", "wp-settings.php"), ("HUB_WOOCOMMERCE", "woocommerce.php")):
        if not (Path(os.environ.get(name, "/nowhere")) / file).is_file():
            return f"{name} does not name a folder with {file}"
    loaded = subprocess.run(["php", "-m"], capture_output=True, text=True, check=True).stdout.lower().split()
    absent = [name for name in EXTENSIONS if name not in loaded]
    return f"php has no {', '.join(absent)}" if absent else None


def _program(name: str) -> str | None:
    """Return a program's path; servers are where only root looks on some systems."""
    return shutil.which(name) or shutil.which(name, path="/usr/sbin:/usr/local/sbin:/usr/lib/mysql")


@define
class RealShop:
    """The shop: its folder, and the port of its hub."""

    folder: Path
    hub_port: int
    products: dict[str, int] = field(factory=dict)

    def php(self, code: str, *, installing: bool = False, debug: bool = True) -> Any:
        """Run PHP inside WordPress and return what it returns; raise AssertionError for a warning of the plugin."""
        environ = os.environ | {"SHOP_FOLDER": str(self.folder), "SHOP_HOST": HOST}
        if installing:
            environ["SHOP_INSTALLING"] = "1"
        done = subprocess.run(
            ["php", "-d", "display_errors=stderr", "-d", "memory_limit=1G", str(RUN)],
            input=code, env=environ, capture_output=True, text=True, timeout=PHP_SECONDS, check=False,
        )  # fmt: skip
        said, _, result = done.stdout.rpartition("\x1e")
        assert result, f"PHP ended with {done.returncode}: {done.stderr[-3000:]} {said[-2000:]}"
        ours = [line for line in done.stderr.splitlines() if "affiliate-hub" in line and "PHP " in line]
        assert not debug or not ours, ours
        return json.loads(result)

    def install(self, package: bytes) -> None:
        """Unpack the plugin's zip where WordPress has it, as an upload that replaces the one from before does."""
        plugins = self.folder / "wp-content/plugins"
        shutil.rmtree(plugins / "affiliate-hub", ignore_errors=True)
        with zipfile.ZipFile(io.BytesIO(package)) as archive:
            archive.extractall(plugins)

    def run_queue(self) -> int:
        """Let everything that waits be sent now, whenever it is due; return how much waits on."""
        waits: int = self.php("return act_run_queue();")
        return waits

    def order(self, click: str, lines: dict[str, int], then: str = "") -> int:
        """Place an order by its click, `lines` are quantities by product; `then` is PHP that goes on with $order."""
        goods = "".join(
            f"$order->add_product( wc_get_product( {self.products[name]} ), {quantity} );"
            for name, quantity in lines.items()
        )
        made: int = self.php(
            f"$order = wc_create_order(); $order->update_meta_data( 'affiliate_click_id', '{click}' );"
            f"{goods} $order->calculate_totals(); $order->set_status( 'pending' ); $order->save(); {then}"
            "return $order->get_id();"
        )
        return made

    def change(self, order_id: int, then: str) -> Any:
        """Run PHP that changes an order, which is $order."""
        return self.php(f"$order = wc_get_order( {order_id} ); {then} return true;")


@contextmanager
def real_shop(folder: Path, hub_port: int, *, hpos: bool) -> Iterator[RealShop]:
    """Set up a shop whose orders are in tables of their own (`hpos`) or posts; stop its database at the end."""
    with _database(folder) as database:
        site = folder / "site"
        shutil.copytree(os.environ["HUB_WORDPRESS"], site, copy_function=_link, ignore=_no_plugins)
        plugin = site / "wp-content/plugins/woocommerce"
        shutil.copytree(os.environ["HUB_WOOCOMMERCE"], plugin, copy_function=_link)
        extra = site / "wp-content/mu-plugins"
        extra.mkdir()
        (extra / "loopback.php").write_text(ALLOW_LOOPBACK.replace("HUB_PORT", str(hub_port)))
        (site / "wp-config.php").write_text(_config(database))
        shop = RealShop(site, hub_port)
        shop.php(INSTALL, installing=True)
        shop.products = shop.php(SET_UP % ("yes" if hpos else "no"))
        yield shop


@contextmanager
def web_server(shop: RealShop, port: int) -> Iterator[None]:
    """Serve the shop's pages on a port of this machine, for browsers and for a hub that asks."""
    log = shop.folder.parent / "web.log"
    with log.open("wb") as said:
        server = subprocess.Popen(
            ["php", "-d", "memory_limit=1G", "-d", "upload_max_filesize=8M", "-S", f"127.0.0.1:{port}",
             "-t", str(shop.folder), str(RUN.with_name("router.php"))],
            env=os.environ | {"PHP_CLI_SERVER_WORKERS": "4"}, stdout=said, stderr=said, start_new_session=True,
        )  # fmt: skip
    try:
        until = time.monotonic() + START_SECONDS
        while True:
            try:
                socket.create_connection(("127.0.0.1", port), 1).close()
                break
            except OSError:
                assert time.monotonic() < until, "PHP's web server did not start"
                time.sleep(0.1)
        yield
    finally:
        os.killpg(server.pid, signal.SIGTERM)
        server.wait(30)
        lines = log.read_text(errors="replace").splitlines()
        warned = [line for line in lines if "affiliate-hub" in line and "PHP " in line]
        assert not warned, warned


@contextmanager
def _database(folder: Path) -> Iterator[Path]:
    """Run MariaDB for the shop; yield its socket, in a folder of its own since its path has at most 107 bytes."""
    common = ["--no-defaults", f"--datadir={folder / 'db'}", f"--user={getpass.getuser()}"]
    install = [str(_program("mariadb-install-db")), *common, "--auth-root-authentication-method=normal"]
    subprocess.run(install, check=True, capture_output=True)
    log = folder / "db.log"
    with tempfile.TemporaryDirectory(prefix="shop", dir="/tmp") as short, log.open("wb") as said:
        at = Path(short) / "db.sock"
        server = subprocess.Popen(
            [str(_program("mariadbd")), *common, f"--socket={at}", "--skip-networking",
             f"--pid-file={folder / 'db.pid'}", "--innodb-flush-log-at-trx-commit=0"],
            stdout=said, stderr=said,
        )  # fmt: skip
        client = [str(_program("mariadb")), "--no-defaults", "-uroot", "-S", str(at), "-e", "CREATE DATABASE shop"]
        try:
            until = time.monotonic() + START_SECONDS
            while subprocess.run(client, capture_output=True, check=False).returncode:
                is_late = server.poll() is not None or time.monotonic() > until
                assert not is_late, f"MariaDB did not start: {log.read_text(errors='replace')[-2000:]}"
                time.sleep(0.2)
            yield at
        finally:
            server.terminate()
            server.wait(START_SECONDS)


def _config(database: Path) -> str:
    settings = {
        "DB_NAME": "shop", "DB_USER": "root", "DB_PASSWORD": "", "DB_HOST": f"localhost:{database}",
        "DB_CHARSET": "utf8mb4", "DB_COLLATE": "",
    }  # fmt: skip
    salts = ("AUTH_KEY", "SECURE_AUTH_KEY", "LOGGED_IN_KEY", "NONCE_KEY", "AUTH_SALT", "NONCE_SALT")
    lines = [f"define( '{name}', '{value}' );" for name, value in settings.items()]
    lines += [f"define( '{name}', '{name.lower()}-of-the-test' );" for name in salts]
    lines += [
        "define( 'WP_DEBUG', true );",
        "define( 'WP_DEBUG_DISPLAY', false );",
        "define( 'DISABLE_WP_CRON', true );",
    ]
    lines += ["define( 'WP_HTTP_BLOCK_EXTERNAL', false );", "define( 'AUTOMATIC_UPDATER_DISABLED', true );"]
    tail = "defined( 'ABSPATH' ) || define( 'ABSPATH', __DIR__ . '/' );\nrequire_once ABSPATH . 'wp-settings.php';"
    return "\n".join(["<?php", *lines, "$table_prefix = 'wp_';", tail, ""])


def _link(source: str, target: str) -> None:
    """Make a copy without its bytes where the file system can."""
    try:
        os.link(source, target)
    except OSError:
        shutil.copy2(source, target)


def _no_plugins(folder: str, names: list[str]) -> set[str]:
    return (
        {"plugins", "mu-plugins", "uploads", "object-cache.php", "advanced-cache.php", "db.php"} & set(names)
        if folder.endswith("wp-content")
        else {"wp-config.php"} & set(names)
    )
