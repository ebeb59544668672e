<?php
/**
 * Leaves nothing behind but the clicks on the orders, also where WooCommerce is gone already.
 */

defined( 'WP_UNINSTALL_PLUGIN' ) || exit;

/** Deletes our webhooks. */
function affiliate_hub_delete_webhooks() {
	global $wpdb;
	foreach ( (array) get_option( 'affiliate_hub_webhooks', array() ) as $id ) {
		$webhook = function_exists( 'wc_get_webhook' ) ? wc_get_webhook( (int) $id ) : null;
		if ( $webhook ) {
			$webhook->delete( true );
		} elseif ( ! function_exists( 'wc_get_webhook' ) ) {
			$wpdb->delete( $wpdb->prefix . 'wc_webhooks', array( 'webhook_id' => (int) $id ), array( '%d' ) );
		}
	}
}

/** Deletes our scheduled actions, those that are done too, with their logs. */
function affiliate_hub_delete_actions() {
	global $wpdb;
	$actions = $wpdb->prefix . 'actionscheduler_actions';
	$logs    = $wpdb->prefix . 'actionscheduler_logs';
	$ours    = $wpdb->esc_like( 'affiliate_hub_' ) . '%';
	// phpcs:disable WordPress.DB.PreparedSQL.InterpolatedNotPrepared -- the names of tables.
	$wpdb->query( $wpdb->prepare( "DELETE FROM $logs WHERE action_id IN (SELECT action_id FROM $actions WHERE hook LIKE %s)", $ours ) );
	$wpdb->query( $wpdb->prepare( "DELETE FROM $actions WHERE hook LIKE %s", $ours ) );
	// phpcs:enable
	$wpdb->delete( $wpdb->prefix . 'actionscheduler_groups', array( 'slug' => 'affiliate-hub' ), array( '%s' ) );
}

global $wpdb; // WordPress includes this file in a function.
$affiliate_hub_quiet = $wpdb->suppress_errors( true ); // WooCommerce's tables may be gone as well.
affiliate_hub_delete_webhooks();
affiliate_hub_delete_actions();
$wpdb->suppress_errors( $affiliate_hub_quiet );
foreach ( array( 'webhooks', 'package', 'site', 'last', 'taken', 'failing', 'given_up', 'proof', 'ping', 'quiet', 'kept', 'off', 'seen' ) as $affiliate_hub_option ) {
	delete_option( 'affiliate_hub_' . $affiliate_hub_option );
}
