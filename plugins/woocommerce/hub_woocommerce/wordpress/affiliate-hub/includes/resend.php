<?php
/**
 * Sends orders again that changed since a moment, and the catalogue as it is.
 */

defined( 'ABSPATH' ) || exit;

define( 'AFFILIATE_HUB_PAGE', 50 );

/** Takes the owner's wish to send everything since a date again. */
function affiliate_hub_resend() {
	affiliate_hub_require_owner( 'affiliate_hub_resend' );
	// phpcs:ignore WordPress.Security.NonceVerification.Missing -- checked above.
	$since = isset( $_POST['since'] ) ? strtotime( sanitize_text_field( wp_unslash( $_POST['since'] ) ) . ' UTC' ) : false;
	if ( $since ) {
		affiliate_hub_resend_since( $since );
	}
	affiliate_hub_back();
}

/** Sends every order again that changed since a moment (seconds since 1970). */
function affiliate_hub_resend_since( $since ) {
	affiliate_hub_later( 'affiliate_hub_resend_orders', array( 'since' => (string) $since, 'page' => '1' ), 1 );
}

/** Gives a page of them to the queue. */
function affiliate_hub_resend_orders( $since, $page ) {
	$ids = wc_get_orders(
		array(
			'date_modified' => '>=' . (int) $since,
			'type'          => 'shop_order',
			'status'        => array_merge( array_keys( wc_get_order_statuses() ), array( 'trash' ) ),
			'limit'         => AFFILIATE_HUB_PAGE,
			'page'          => (int) $page,
			'orderby'       => 'ID',
			'order'         => 'ASC',
			'return'        => 'ids',
		)
	);
	foreach ( $ids as $id ) {
		affiliate_hub_enqueue_delivery( 'order.updated', $id );
	}
	if ( count( $ids ) === AFFILIATE_HUB_PAGE ) {
		affiliate_hub_later( 'affiliate_hub_resend_orders', array( 'since' => (string) $since, 'page' => (string) ( (int) $page + 1 ) ), 5 );
	}
}

/** Gives a page of the catalogue to the queue. */
function affiliate_hub_catalogue( $page ) {
	$ids = wc_get_products( array( 'status' => 'publish', 'limit' => AFFILIATE_HUB_PAGE, 'page' => (int) $page, 'orderby' => 'ID', 'order' => 'ASC', 'return' => 'ids' ) );
	foreach ( $ids as $id ) {
		affiliate_hub_enqueue_delivery( 'product.updated', $id );
	}
	if ( count( $ids ) === AFFILIATE_HUB_PAGE ) {
		affiliate_hub_later( 'affiliate_hub_catalogue', array( 'page' => (string) ( (int) $page + 1 ) ), 5 );
	}
}
