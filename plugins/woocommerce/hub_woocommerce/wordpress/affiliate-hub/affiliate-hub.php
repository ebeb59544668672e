<?php
/**
 * Plugin Name: Affiliate Hub
 * Description: Sends orders and products to your affiliate hub, and which affiliate's click brought each order.
 * Version: 0.2.0
 * Author: Affiliate Hub
 * Requires at least: 6.5
 * Requires PHP: 7.4
 * Requires Plugins: woocommerce
 * WC requires at least: 7.2
 * License: Apache-2.0
 * Text Domain: affiliate-hub
 */

defined( 'ABSPATH' ) || exit;

define( 'AFFILIATE_HUB_FILE', __FILE__ );

foreach ( array( 'config', 'click', 'payload', 'owner', 'webhooks', 'site', 'queue', 'recovery', 'news', 'privacy', 'resend', 'proof', 'sentences', 'status' ) as $affiliate_hub_part ) {
	require_once __DIR__ . '/includes/' . $affiliate_hub_part . '.php';
}

/** Declares to WooCommerce that orders are only reached through its own objects, and that block checkout works. */
function affiliate_hub_declare() {
	if ( class_exists( '\Automattic\WooCommerce\Utilities\FeaturesUtil' ) ) {
		foreach ( array( 'custom_order_tables', 'cart_checkout_blocks' ) as $feature ) {
			\Automattic\WooCommerce\Utilities\FeaturesUtil::declare_compatibility( $feature, AFFILIATE_HUB_FILE, true );
		}
	}
}

add_action( 'before_woocommerce_init', 'affiliate_hub_declare' );
add_action( 'wp_enqueue_scripts', 'affiliate_hub_enqueue' );
add_action( 'init', 'affiliate_hub_catch', 5 );
add_action( 'plugins_loaded', 'affiliate_hub_explain_cookie' );
add_action( 'rest_api_init', 'affiliate_hub_click_route' );
// Known by its file: the WP Consent API asks each plugin whether it speaks it.
add_filter( 'wp_consent_api_registered_' . plugin_basename( AFFILIATE_HUB_FILE ), '__return_true' );
add_action( 'woocommerce_checkout_create_order', 'affiliate_hub_keep_click' );
add_action( 'woocommerce_store_api_checkout_update_order_from_request', 'affiliate_hub_keep_click' );
add_filter( 'woocommerce_webhook_payload', 'affiliate_hub_payload', 10, 4 );

add_filter( 'woocommerce_rest_prepare_shop_order_object', 'affiliate_hub_listed', 10, 3 );

add_action( 'init', 'affiliate_hub_follow', 20 );
add_action( 'affiliate_hub_daily', 'affiliate_hub_look_after' );
add_filter( 'pre_http_request', 'affiliate_hub_hush', 10, 3 );
add_filter( 'http_request_args', 'affiliate_hub_name_site', 10, 2 );
add_filter( 'woocommerce_webhook_http_args', 'affiliate_hub_be_brief', 10, 3 );
add_filter( 'woocommerce_webhook_should_deliver', 'affiliate_hub_is_due', 10, 3 );
add_action( 'woocommerce_webhook_delivery', 'affiliate_hub_note_delivery', 10, 5 );
add_action( 'affiliate_hub_deliver', 'affiliate_hub_deliver', 10, 3 );
add_action( 'affiliate_hub_send', 'affiliate_hub_send', 10, 3 );
add_action( 'affiliate_hub_resend_orders', 'affiliate_hub_resend_orders', 10, 2 );
add_action( 'affiliate_hub_catalogue', 'affiliate_hub_catalogue' );
add_action( 'affiliate_hub_hurry', 'affiliate_hub_hurry' );
add_action( 'action_scheduler_failed_action', 'affiliate_hub_ended_early', 10, 1 );
add_action( 'action_scheduler_failed_execution', 'affiliate_hub_ended_early', 10, 1 );
add_action( 'action_scheduler_unexpected_shutdown', 'affiliate_hub_ended_early', 10, 1 );

add_action( 'woocommerce_before_delete_order', 'affiliate_hub_order_deleted', 10, 1 );
add_action( 'before_delete_post', 'affiliate_hub_post_deleted', 10, 1 );
add_filter( 'woocommerce_pre_delete_order_refund', 'affiliate_hub_refund_deleted', 10, 2 );
add_action( 'woocommerce_delete_product', 'affiliate_hub_product_deleted', 10, 1 );
add_action( 'woocommerce_new_product_variation', 'affiliate_hub_variation_changed', 10, 1 );
add_action( 'woocommerce_update_product_variation', 'affiliate_hub_variation_changed', 10, 1 );
add_action( 'woocommerce_variation_set_stock', 'affiliate_hub_variation_stock', 10, 1 );
add_action( 'woocommerce_variation_set_stock_status', 'affiliate_hub_variation_changed', 10, 1 );
add_filter( 'wp_privacy_personal_data_erasers', 'affiliate_hub_erasers', 20 );
add_action( 'woocommerce_privacy_remove_order_personal_data', 'affiliate_hub_buyer_erased', 10, 1 );

add_action( 'admin_menu', 'affiliate_hub_menu' );
add_action( 'admin_notices', 'affiliate_hub_notices' );
add_action( 'admin_post_affiliate_hub_check', 'affiliate_hub_check' );
add_action( 'admin_post_affiliate_hub_resend', 'affiliate_hub_resend' );
add_action( 'admin_post_affiliate_hub_site', 'affiliate_hub_site_chosen' );
register_activation_hook( __FILE__, 'affiliate_hub_activate' );
register_deactivation_hook( __FILE__, 'affiliate_hub_deactivate' );
