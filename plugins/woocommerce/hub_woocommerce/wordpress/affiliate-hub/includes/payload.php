<?php
/**
 * What the plugin adds to its webhooks under its one key: when the body was built, the click, and each refund's time,
 * lines, shipping and fees.
 */

defined( 'ABSPATH' ) || exit;

/** Adds our key to the orders and deletions that go to the hub; errors and products stay as they are. */
function affiliate_hub_payload( $payload, $resource, $resource_id, $webhook_id = 0 ) {
	if ( ! is_array( $payload ) || ! affiliate_hub_is_ours( $webhook_id ) ) {
		return $payload;
	}
	if ( array( 'id' ) === array_keys( $payload ) ) {
		$payload['affiliate_hub'] = array( 'version' => 2, 'as_of' => affiliate_hub_now() );
		return $payload;
	}
	if ( isset( $payload['code'] ) && ! isset( $payload['id'] ) ) {
		return affiliate_hub_seen_by_another( $payload, $resource_id, $webhook_id );
	}
	$order = 'order' === $resource && isset( $payload['line_items'] ) ? wc_get_order( $resource_id ) : null;
	if ( $order ) {
		$payload['affiliate_hub'] = affiliate_hub_of_order( $order );
	}
	return $payload;
}

/** Adds our key to an order that the hub asks for. */
function affiliate_hub_listed( $response, $order, $request ) {
	if ( $request instanceof WP_REST_Request && $request->get_param( 'affiliate_hub' ) ) {
		$response->data['affiliate_hub'] = affiliate_hub_of_order( $order );
	}
	return $response;
}

/** Gives what WooCommerce does not say of an order. */
function affiliate_hub_of_order( $order ) {
	$click = $order->get_meta( 'affiliate_click_id' );
	return array(
		'version'  => 2,
		'as_of'    => affiliate_hub_now(),
		'click_id' => is_string( $click ) && '' !== $click ? $click : null,
		'refunds'  => array_map( 'affiliate_hub_refund', array_values( $order->get_refunds() ) ),
	);
}

/** Gives a refund's id, time in UTC, refunded lines, and what of it was for shipping and for fees. */
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
		'shipping' => affiliate_hub_sum( $refund->get_items( 'shipping' ) ),
		'fees'     => affiliate_hub_sum( $refund->get_items( 'fee' ) ),
	);
}

/** Adds up items and their taxes. */
function affiliate_hub_sum( $items ) {
	$total = 0.0;
	$tax   = 0.0;
	foreach ( $items as $item ) {
		$total += (float) $item->get_total();
		$tax   += (float) $item->get_total_tax();
	}
	return array(
		'total'     => number_format( $total, 6, '.', '' ),
		'total_tax' => number_format( $tax, 6, '.', '' ),
	);
}
