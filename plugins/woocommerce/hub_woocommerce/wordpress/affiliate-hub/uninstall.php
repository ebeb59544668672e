<?php
/**
 * Leaves nothing behind but the clicks on the orders.
 */

defined( 'WP_UNINSTALL_PLUGIN' ) || exit;

foreach ( (array) get_option( 'affiliate_hub_webhooks', array() ) as $affiliate_hub_id ) {
	$affiliate_hub_webhook = function_exists( 'wc_get_webhook' ) ? wc_get_webhook( (int) $affiliate_hub_id ) : null;
	if ( $affiliate_hub_webhook ) {
		$affiliate_hub_webhook->delete( true );
	}
}
if ( function_exists( 'as_unschedule_all_actions' ) ) {
	foreach ( array( 'deliver', 'send', 'resend_orders', 'catalogue', 'daily' ) as $affiliate_hub_hook ) {
		as_unschedule_all_actions( 'affiliate_hub_' . $affiliate_hub_hook );
	}
}
foreach ( array( 'webhooks', 'package', 'site', 'last', 'taken', 'failing', 'given_up', 'proof', 'ping' ) as $affiliate_hub_option ) {
	delete_option( 'affiliate_hub_' . $affiliate_hub_option );
}
