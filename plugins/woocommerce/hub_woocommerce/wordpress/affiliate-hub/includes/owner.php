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
	foreach ( array( 'administrator', 'shop_manager' ) as $role ) {
		foreach ( get_users( array( 'role' => $role, 'orderby' => 'ID', 'number' => 20, 'fields' => 'ID' ) ) as $user_id ) {
			if ( affiliate_hub_may_own( (int) $user_id ) ) {
				return (int) $user_id;
			}
		}
	}
	return 0;
}
