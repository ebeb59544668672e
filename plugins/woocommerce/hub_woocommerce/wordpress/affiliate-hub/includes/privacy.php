<?php
/**
 * A buyer who is erased: from the clicks on the orders, and from what the hub keeps of them.
 */

defined( 'ABSPATH' ) || exit;

define( 'AFFILIATE_HUB_ERASED', 25 );

/** Adds the hub to what WordPress's own tool erases: WooCommerce keeps orders as they are unless its settings say otherwise. */
function affiliate_hub_erasers( $erasers ) {
	$erasers['affiliate-hub'] = array(
		'eraser_friendly_name' => __( 'Affiliate Hub', 'affiliate-hub' ),
		'callback'             => 'affiliate_hub_erase',
	);
	return $erasers;
}

/** Erases a page of a buyer's orders. */
function affiliate_hub_erase( $email, $page ) {
	$user   = get_user_by( 'email', $email );
	$orders = wc_get_orders(
		array(
			'customer' => $user ? array( $email, (int) $user->ID ) : array( $email ),
			'type'     => 'shop_order',
			'limit'    => AFFILIATE_HUB_ERASED,
			'page'     => (int) $page,
			'orderby'  => 'ID',
			'order'    => 'ASC',
		)
	);
	foreach ( $orders as $order ) {
		affiliate_hub_forget_click( $order );
	}
	affiliate_hub_ask_to_erase( array_map( function ( $order ) { return $order->get_id(); }, $orders ) );
	return array(
		'items_removed'  => (bool) $orders,
		'items_retained' => false,
		'messages'       => array(),
		'done'           => count( $orders ) < AFFILIATE_HUB_ERASED,
	);
}

/** The same for an order of which WooCommerce removes the buyer. */
function affiliate_hub_buyer_erased( $order ) {
	affiliate_hub_forget_click( $order );
	affiliate_hub_ask_to_erase( array( $order->get_id() ) );
}

/** Takes the click from an order. */
function affiliate_hub_forget_click( $order ) {
	foreach ( array( '_wc_order_attribution_session_entry' => 'affiliate_click_id=', '_wc_order_attribution_utm_id' => 'clk_' ) as $key => $sign ) {
		if ( false !== strpos( (string) $order->get_meta( $key ), $sign ) ) {
			$order->delete_meta_data( $key );
		}
	}
	$order->delete_meta_data( 'affiliate_click_id' );
	$order->save_meta_data();
}

/** Has the hub erase what it keeps of orders. */
function affiliate_hub_ask_to_erase( $order_ids ) {
	if ( $order_ids ) {
		$body = wp_json_encode( array( 'affiliate_hub_erase' => $order_ids, 'as_of' => affiliate_hub_now() ) );
		// Not at once: the order as it is without the buyer, which WooCommerce sends too, should arrive before.
		affiliate_hub_later( 'affiliate_hub_send', array( 'topic' => 'affiliate_hub.erase', 'body' => $body, 'attempt' => '0' ), 10 );
	}
}
