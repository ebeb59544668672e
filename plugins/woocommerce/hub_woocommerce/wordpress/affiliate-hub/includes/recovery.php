<?php
/**
 * What is done so that nothing is lost: after an outage, after a crash in the middle of a delivery, and while the plugin is off.
 */

defined( 'ABSPATH' ) || exit;

define( 'AFFILIATE_HUB_OUTAGE', 5 * MINUTE_IN_SECONDS );
define( 'AFFILIATE_HUB_BATCH', 100 );

/** Ends an outage: what waits for its next attempt is sent now; what was given up is sent with all that changed since. */
function affiliate_hub_catch_up() {
	$since = (int) get_option( 'affiliate_hub_failing' );
	if ( $since && get_option( 'affiliate_hub_given_up' ) ) {
		affiliate_hub_resend_since( max( $since - HOUR_IN_SECONDS, time() - 90 * DAY_IN_SECONDS ) );
	}
	if ( $since && time() - $since >= AFFILIATE_HUB_OUTAGE ) {
		affiliate_hub_later( 'affiliate_hub_hurry', array(), 1 );
	}
	delete_option( 'affiliate_hub_given_up' );
	delete_option( 'affiliate_hub_failing' );
}

/** Makes a batch of what waits due now; each is made anew before the old one goes, so that a crash loses none. */
function affiliate_hub_hurry() {
	$store = ActionScheduler::store();
	foreach ( array( 'affiliate_hub_deliver', 'affiliate_hub_send' ) as $hook ) {
		$waiting = array( 'hook' => $hook, 'status' => ActionScheduler_Store::STATUS_PENDING, 'date' => '+1 minute', 'date_compare' => '>=', 'per_page' => AFFILIATE_HUB_BATCH );
		$ids     = as_get_scheduled_actions( $waiting, 'ids' );
		foreach ( $ids as $id ) {
			as_schedule_single_action( time(), $hook, $store->fetch_action( $id )->get_args(), AFFILIATE_HUB_GROUP );
			$store->delete_action( $id );
		}
		if ( count( $ids ) === AFFILIATE_HUB_BATCH ) {
			affiliate_hub_later( 'affiliate_hub_hurry', array(), 5 );
		}
	}
}

/** Has done again what ended in the middle: PHP was stopped, or something in the shop failed. */
function affiliate_hub_ended_early( $action_id ) {
	$action = ActionScheduler::store()->fetch_action( $action_id );
	$hook   = $action->get_hook();
	$args   = array_values( $action->get_args() );
	if ( 'woocommerce_deliver_webhook_async' === $hook && 2 === count( $args ) && affiliate_hub_is_ours( $args[0] ) ) {
		affiliate_hub_try_again( $args[0], $args[1], 1 );
	} elseif ( 'affiliate_hub_deliver' === $hook ) {
		affiliate_hub_try_again( $args[0], $args[1], (int) $args[2] + 1 );
	} elseif ( 'affiliate_hub_send' === $hook ) {
		affiliate_hub_send_later( $args[0], $args[1], (int) $args[2] + 1, affiliate_hub_pause( (int) $args[2] + 1 ) );
	} elseif ( 'affiliate_hub_daily' === $hook ) {
		affiliate_hub_schedule_daily();
	} elseif ( 0 === strpos( $hook, 'affiliate_hub_' ) ) {
		affiliate_hub_later( $hook, $action->get_args(), HOUR_IN_SECONDS );
	}
}

/** Keeps what waits while the plugin is off: WooCommerce's queue drops what nobody does. */
function affiliate_hub_set_aside() {
	$kept = array();
	foreach ( array( 'affiliate_hub_deliver', 'affiliate_hub_send' ) as $hook ) {
		$waiting = array( 'hook' => $hook, 'status' => ActionScheduler_Store::STATUS_PENDING, 'per_page' => 5000 );
		foreach ( as_get_scheduled_actions( $waiting ) as $action ) {
			$kept[] = array( $hook, $action->get_args() );
		}
		as_unschedule_all_actions( $hook );
	}
	update_option( 'affiliate_hub_kept', $kept, false );
	update_option( 'affiliate_hub_off', time(), false );
}

/** Sends what was kept, and the orders that changed while the plugin was off. */
function affiliate_hub_come_back() {
	$off = (int) get_option( 'affiliate_hub_off' );
	if ( ! $off ) {
		return;
	}
	foreach ( (array) get_option( 'affiliate_hub_kept', array() ) as $each ) {
		affiliate_hub_later( $each[0], $each[1], 1 );
	}
	affiliate_hub_resend_since( $off - HOUR_IN_SECONDS );
	delete_option( 'affiliate_hub_kept' );
	delete_option( 'affiliate_hub_off' );
}
