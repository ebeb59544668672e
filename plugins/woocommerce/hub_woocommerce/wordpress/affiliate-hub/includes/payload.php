<?php
/**
 * What the plugin adds to an order's webhook under its one key: the click, and each refund's time and lines.
 */

defined( 'ABSPATH' ) || exit;

/** Adds our key to the orders that go to the hub; errors, drafts of other plugins and products stay as they are. */
function affiliate_hub_payload( $payload, $resource, $resource_id, $webhook_id = 0 ) {
	$ours = array_map( 'intval', (array) get_option( 'affiliate_hub_webhooks', array() ) );
	if ( 'order' !== $resource || ! is_array( $payload ) || ! isset( $payload['line_items'] ) ) {
		return $payload;
	}
	if ( ! in_array( (int) $webhook_id, $ours, true ) ) {
		return $payload;
	}
	$order = wc_get_order( $resource_id );
	if ( ! $order ) {
		return $payload;
	}
	$click                    = $order->get_meta( 'affiliate_click_id' );
	$payload['affiliate_hub'] = array(
		'version'  => 1,
		'click_id' => is_string( $click ) && '' !== $click ? $click : null,
		'refunds'  => array_map( 'affiliate_hub_refund', array_values( $order->get_refunds() ) ),
	);
	return $payload;
}

/** Gives a refund's id, time in UTC and refunded lines. */
function affiliate_hub_refund( $refund ) {
	$date  = $refund->get_date_created();
	$lines = array();
	foreach ( $refund->get_items() as $item ) {
		$lines[] = array(
			'item_id'   => (int) $item->get_meta( '_refunded_item_id' ),
			'quantity'  => (string) $item->get_quantity(),
			'total'     => (string) $item->get_total(),
			'total_tax' => (string) $item->get_total_tax(),
		);
	}
	return array(
		'id'       => $refund->get_id(),
		'date_gmt' => $date ? gmdate( 'Y-m-d\TH:i:s\Z', $date->getTimestamp() ) : null,
		'lines'    => $lines,
	);
}
