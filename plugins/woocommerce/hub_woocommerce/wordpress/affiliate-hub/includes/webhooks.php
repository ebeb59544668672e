<?php
/**
 * The webhooks: made on activation, brought up to date whenever another package is installed, looked at daily.
 */

defined( 'ABSPATH' ) || exit;

/** Gives the topics that the hub wants to hear of. */
function affiliate_hub_topics() {
	$topics = array();
	foreach ( array( 'order', 'product' ) as $resource ) {
		foreach ( array( 'created', 'updated', 'deleted', 'restored' ) as $event ) {
			$topics[] = $resource . '.' . $event;
		}
	}
	return $topics;
}

/** Gives a webhook by its id, or a new one; one that the shop deleted is made again. */
function affiliate_hub_webhook( $id ) {
	$webhook = $id ? wc_get_webhook( $id ) : null;
	return $webhook ? $webhook : new WC_Webhook();
}

/** Makes every webhook, or brings those from before up to date and wakes them. */
function affiliate_hub_sync() {
	if ( ! class_exists( 'WC_Webhook' ) ) {
		return;
	}
	$config = affiliate_hub_config();
	$known  = affiliate_hub_known();
	$ids    = array();
	foreach ( affiliate_hub_topics() as $topic ) {
		$webhook = affiliate_hub_webhook( isset( $known[ $topic ] ) ? $known[ $topic ] : 0 );
		/* translators: %s: the webhook's topic, such as order.created. */
		$webhook->set_name( sprintf( __( 'Affiliate Hub: %s', 'affiliate-hub' ), $topic ) );
		$webhook->set_user_id( affiliate_hub_owner( $webhook->get_user_id() ) );
		$webhook->set_topic( $topic );
		$webhook->set_delivery_url( $config['url'] );
		$webhook->set_secret( $config['secret'] );
		$webhook->set_api_version( 3 );
		$webhook->set_failure_count( 0 );
		$webhook->set_status( 'active' );
		$webhook->save();
		$ids[ $topic ] = $webhook->get_id();
	}
	update_option( 'affiliate_hub_webhooks', array_filter( $ids ), false );
	if ( ! in_array( 0, $ids, true ) ) {
		update_option( 'affiliate_hub_package', affiliate_hub_package(), true );
	}
}

/** Follows the installed package: another address or secret reaches the webhooks without anybody's doing. */
function affiliate_hub_follow() {
	if ( ! class_exists( 'WC_Webhook' ) || '' === affiliate_hub_config()['url'] ) {
		return;
	}
	affiliate_hub_end_quiet();
	if ( get_option( 'affiliate_hub_package' ) === affiliate_hub_package() ) {
		return;
	}
	$first = '' === (string) get_option( 'affiliate_hub_package', '' );
	$other = affiliate_hub_had_another_address();
	affiliate_hub_sync();
	if ( $other || '' === affiliate_hub_known_site() ) {
		affiliate_hub_take_site();
	}
	affiliate_hub_schedule_daily();
	affiliate_hub_come_back();
	delete_option( 'affiliate_hub_proof' );
	if ( $first || $other ) {
		affiliate_hub_later( 'affiliate_hub_catalogue', array( 'page' => '1' ), 60 );
	}
}

/** Says whether the webhooks went to another connection: its package is this site's own, even on a copy of the shop. */
function affiliate_hub_had_another_address() {
	foreach ( affiliate_hub_known() as $id ) {
		$webhook = wc_get_webhook( $id );
		if ( $webhook && $webhook->get_delivery_url() !== affiliate_hub_config()['url'] ) {
			return true;
		}
	}
	return false;
}

/** Looks daily whether the webhooks are there, active, with an owner who may read orders, and the hub still proves itself. */
function affiliate_hub_look_after() {
	affiliate_hub_repair();
	if ( '' === affiliate_hub_prove_and_note() && get_option( 'affiliate_hub_failing' ) ) {
		affiliate_hub_catch_up();
	}
}

/** Mends webhooks that somebody changed, and sends the orders that may have been lost since they were seen in order. */
function affiliate_hub_repair() {
	if ( affiliate_hub_faults() ) {
		affiliate_hub_sync();
		affiliate_hub_resend_since( (int) get_option( 'affiliate_hub_seen', time() - DAY_IN_SECONDS ) - HOUR_IN_SECONDS );
	}
	update_option( 'affiliate_hub_seen', time(), false );
}

/** Gives what is wrong with the webhooks, in words. */
function affiliate_hub_faults() {
	$config = affiliate_hub_config();
	$known  = affiliate_hub_known();
	$faults = array();
	foreach ( affiliate_hub_topics() as $topic ) {
		$webhook = empty( $known[ $topic ] ) ? null : wc_get_webhook( $known[ $topic ] );
		if ( ! $webhook ) {
			/* translators: %s: the webhook's topic. */
			$faults[] = sprintf( __( 'The webhook %s is missing.', 'affiliate-hub' ), $topic );
		} elseif ( 'active' !== $webhook->get_status() ) {
			/* translators: 1: the webhook's topic, 2: its status. */
			$faults[] = sprintf( __( 'The webhook %1$s is %2$s.', 'affiliate-hub' ), $topic, $webhook->get_status() );
		} elseif ( $webhook->get_topic() !== $topic || 'wp_api_v3' !== $webhook->get_api_version() ) {
			/* translators: %s: the webhook's topic. */
			$faults[] = sprintf( __( 'The webhook %s has another topic or API version than it was made with.', 'affiliate-hub' ), $topic );
		} elseif ( $webhook->get_delivery_url() !== $config['url'] || $webhook->get_secret() !== $config['secret'] ) {
			/* translators: %s: the webhook's topic. */
			$faults[] = sprintf( __( 'The webhook %s has another address or secret than the installed package.', 'affiliate-hub' ), $topic );
		} elseif ( ! affiliate_hub_may_own( $webhook->get_user_id() ) ) {
			/* translators: %s: the webhook's topic. */
			$faults[] = sprintf( __( 'The owner of the webhook %s may not read orders.', 'affiliate-hub' ), $topic );
		}
	}
	return $faults;
}

/** Makes the webhooks; where WooCommerce is not loaded yet, the next request does. */
function affiliate_hub_activate() {
	delete_option( 'affiliate_hub_package' );
	affiliate_hub_follow();
}

/** Pauses the webhooks; what the hub knows stays. */
function affiliate_hub_deactivate() {
	foreach ( affiliate_hub_known() as $id ) {
		$webhook = function_exists( 'wc_get_webhook' ) ? wc_get_webhook( $id ) : null;
		if ( $webhook ) {
			$webhook->set_status( 'paused' );
			$webhook->save();
		}
	}
	if ( function_exists( 'as_unschedule_all_actions' ) ) {
		as_unschedule_all_actions( 'affiliate_hub_daily' );
		affiliate_hub_set_aside();
	}
	delete_option( 'affiliate_hub_package' );
}
