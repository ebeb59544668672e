<?php
/**
 * Plugin Name: Affiliate Hub
 * Description: Tells your affiliate hub about orders and products, and which affiliate's click brought each order.
 * Version: 0.1.0
 * Requires at least: 6.5
 * Requires PHP: 7.4
 * Requires Plugins: woocommerce
 * WC requires at least: 7.2
 * License: Apache-2.0
 * Text Domain: affiliate-hub
 */

defined( 'ABSPATH' ) || exit;

define( 'AFFILIATE_HUB_FILE', __FILE__ );

require_once __DIR__ . '/includes/click.php';
require_once __DIR__ . '/includes/payload.php';
require_once __DIR__ . '/includes/webhooks.php';
require_once __DIR__ . '/includes/status.php';

/** Tells WooCommerce that orders are only reached through its own objects, and that block checkout works. */
function affiliate_hub_declare() {
	if ( class_exists( '\Automattic\WooCommerce\Utilities\FeaturesUtil' ) ) {
		foreach ( array( 'custom_order_tables', 'cart_checkout_blocks' ) as $feature ) {
			\Automattic\WooCommerce\Utilities\FeaturesUtil::declare_compatibility( $feature, AFFILIATE_HUB_FILE, true );
		}
	}
}

add_action( 'before_woocommerce_init', 'affiliate_hub_declare' );
add_action( 'wp_enqueue_scripts', 'affiliate_hub_enqueue' );
add_action( 'woocommerce_checkout_create_order', 'affiliate_hub_keep_click' );
add_action( 'woocommerce_store_api_checkout_update_order_from_request', 'affiliate_hub_keep_click' );
add_filter( 'woocommerce_webhook_payload', 'affiliate_hub_payload', 10, 4 );
add_action( 'woocommerce_webhook_delivery', 'affiliate_hub_note_delivery', 10, 5 );
add_action( 'admin_menu', 'affiliate_hub_menu' );
add_action( 'admin_post_affiliate_hub_check', 'affiliate_hub_check' );
register_activation_hook( __FILE__, 'affiliate_hub_activate' );
register_deactivation_hook( __FILE__, 'affiliate_hub_deactivate' );
