"""A real shop on loopback: WordPress, WooCommerce and MariaDB, set up in a folder of its own, driven by PHP.

`HUB_WORDPRESS` names a folder with WordPress, `HUB_WOOCOMMERCE` one with WooCommerce as it is released (with vendor/
and packages/). Nothing of them is part of this repository. Without them, or without `php` and `mariadbd`, the tests are
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

EXTENSIONS = ("mysqli", "curl", "dom", "mbstring", "zip")
PHP_SECONDS = 900
"""For a machine that is slow, or has much else to do."""
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
    return missing_for_php(EXTENSIONS, {"HUB_WORDPRESS": "wp-settings.php", "HUB_WOOCOMMERCE": "woocommerce.php"})


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
    with mariadb(folder) as database:
        site = folder / "site"
        shutil.copytree(os.environ["HUB_WORDPRESS"], site, copy_function=link, ignore=_no_plugins)
        plugin = site / "wp-content/plugins/woocommerce"
        shutil.copytree(os.environ["HUB_WOOCOMMERCE"], plugin, copy_function=link)
        extra = site / "wp-content/mu-plugins"
        extra.mkdir()
        (extra / "loopback.php").write_text(ALLOW_LOOPBACK.replace("HUB_PORT", str(hub_port)))
        (site / "wp-config.php").write_text(_config(database))
        shop = RealShop(site, hub_port)
        shop.php(INSTALL, installing=True)
        shop.products = shop.php(SET_UP % ("yes" if hpos else "no"))
        yield shop


def web_server(shop: RealShop, port: int) -> AbstractContextManager[None]:
    """Serve the shop's pages on a port of this machine, for browsers and for a hub that asks."""
    return php_server(shop.folder, RUN.with_name("router.php"), port, ours="affiliate-hub")


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


def _no_plugins(folder: str, names: list[str]) -> set[str]:
    return (
        {"plugins", "mu-plugins", "uploads", "object-cache.php", "advanced-cache.php", "db.php"} & set(names)
        if folder.endswith("wp-content")
        else {"wp-config.php"} & set(names)
    )
