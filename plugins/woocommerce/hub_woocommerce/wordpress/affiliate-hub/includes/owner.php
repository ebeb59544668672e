<?php
/**
 * Whose eyes the webhooks see with: WooCommerce sends an error instead of the order if their owner may not read it.
 */

defined( 'ABSPATH' ) || exit;

/** Says whether a user may read all orders. */
function affiliate_hub_may_own( $user_id ) {
	return $user_id > 0 && user_can( $user_id, 'manage_woocommerce' ) && user_can( $user_id, 'read_private_shop_orders' );
}

/** Gives a user who may read all orders: the one from before, who is logged in, or the first there is; else 0. */
function affiliate_hub_owner( $before = 0 ) {
	foreach ( array( (int) $before, (int) get_current_user_id() ) as $user_id ) {
		if ( affiliate_hub_may_own( $user_id ) ) {
			return $user_id;
		}
	}
	// One capability only: WordPress finds no role that has both of two.
	foreach ( get_users( array( 'capability' => 'manage_woocommerce', 'orderby' => 'ID', 'number' => 20, 'fields' => 'ID' ) ) as $user_id ) {
		if ( affiliate_hub_may_own( (int) $user_id ) ) {
			return (int) $user_id;
		}
	}
	return 0;
}

/** Builds a body anew as a user who may read orders sees it, if the webhook's owner no longer may. */
function affiliate_hub_seen_by_another( $error, $resource_id, $webhook_id ) {
	static $is_building = false;
	$webhook = $is_building ? null : wc_get_webhook( $webhook_id );
	$owner   = $webhook && ! affiliate_hub_may_own( $webhook->get_user_id() ) ? affiliate_hub_owner() : 0;
	if ( ! $owner ) {
		return $error;
	}
	$is_building = true;
	try {
		$webhook->set_user_id( $owner );
		return $webhook->build_payload( $resource_id );
	} finally {
		$is_building = false;
	}
}

/** Gives all webhooks another owner once that of this one may no longer read orders. */
function affiliate_hub_keep_owner( $webhook ) {
	$owner = affiliate_hub_may_own( $webhook->get_user_id() ) ? 0 : affiliate_hub_owner();
	if ( $owner ) {
		affiliate_hub_sync();
		$webhook->set_user_id( $owner );
	}
}
