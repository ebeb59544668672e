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
foreach ( array( 'affiliate_hub_webhooks', 'affiliate_hub_last', 'affiliate_hub_ping' ) as $affiliate_hub_option ) {
	delete_option( $affiliate_hub_option );
}
