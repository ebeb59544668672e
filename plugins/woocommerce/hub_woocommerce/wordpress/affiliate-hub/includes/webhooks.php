<?php
/**
 * The webhooks: made on activation, paused on deactivation, watched in between.
 */

defined( 'ABSPATH' ) || exit;

/** Gives the connection, as the hub wrote it into config.php. */
function affiliate_hub_config() {
	$config = require dirname( __DIR__ ) . '/config.php';
	return is_array( $config ) ? $config : array( 'url' => '', 'secret' => '' );
}

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

/** Gives a webhook of ours by its topic, or a new one; one that the shop deleted is made again. */
function affiliate_hub_webhook( $id ) {
	$webhook = $id ? wc_get_webhook( $id ) : null;
	return $webhook ? $webhook : new WC_Webhook();
}

/** Makes every webhook, or brings those from before up to date and wakes them. */
function affiliate_hub_activate() {
	if ( ! class_exists( 'WC_Webhook' ) ) {
		return;
	}
	$config = affiliate_hub_config();
	$known  = (array) get_option( 'affiliate_hub_webhooks', array() );
	$ids    = array();
	foreach ( affiliate_hub_topics() as $topic ) {
		$webhook = affiliate_hub_webhook( isset( $known[ $topic ] ) ? (int) $known[ $topic ] : 0 );
		/* translators: %s: the webhook's topic, such as order.created. */
		$webhook->set_name( sprintf( __( 'Affiliate Hub: %s', 'affiliate-hub' ), $topic ) );
		$webhook->set_user_id( get_current_user_id() );
		$webhook->set_topic( $topic );
		$webhook->set_delivery_url( $config['url'] );
		$webhook->set_secret( $config['secret'] );
		$webhook->set_api_version( 3 );
		$webhook->set_status( 'active' );
		$webhook->save();
		$ids[ $topic ] = $webhook->get_id();
	}
	update_option( 'affiliate_hub_webhooks', $ids, false );
}

/** Pauses the webhooks; what the hub knows stays. */
function affiliate_hub_deactivate() {
	foreach ( (array) get_option( 'affiliate_hub_webhooks', array() ) as $id ) {
		$webhook = function_exists( 'wc_get_webhook' ) ? wc_get_webhook( (int) $id ) : null;
		if ( $webhook ) {
			$webhook->set_status( 'paused' );
			$webhook->save();
		}
	}
}

/** Notes when the hub last answered, and what. */
function affiliate_hub_note_delivery( $http_args, $response, $duration, $arg, $webhook_id ) {
	$ours = array_map( 'intval', (array) get_option( 'affiliate_hub_webhooks', array() ) );
	if ( in_array( (int) $webhook_id, $ours, true ) ) {
		$answer = is_wp_error( $response ) ? $response->get_error_message() : (string) wp_remote_retrieve_response_code( $response );
		update_option( 'affiliate_hub_last', array( 'at' => time(), 'answer' => $answer ), false );
	}
}
