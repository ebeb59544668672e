<?php
/**
 * What WooCommerce's own webhooks do not say: what was deleted for good, and what became of a variation's product.
 */

defined( 'ABSPATH' ) || exit;

/** Says that an order is deleted for good; drafts of the checkout were never orders. */
function affiliate_hub_order_deleted( $order_id ) {
	$order = wc_get_order( $order_id );
	if ( ! $order || 'shop_order' !== $order->get_type() ) {
		return;
	}
	if ( ! in_array( $order->get_status(), array( 'checkout-draft', 'auto-draft', 'draft', 'new' ), true ) ) {
		affiliate_hub_enqueue_delivery( 'order.deleted', $order_id );
	}
}

/** Says what is left of an order once a refund of it is deleted: WooCommerce does not count that as a change. */
function affiliate_hub_refund_deleted( $check, $refund ) {
	if ( null === $check ) {
		affiliate_hub_enqueue_delivery( 'order.updated', $refund->get_parent_id(), 5 );
	}
	return $check;
}

/** The same where orders or products are posts; where orders have tables of their own, the post is a spare copy. */
function affiliate_hub_post_deleted( $post_id ) {
	if ( ! function_exists( 'wc_get_order' ) ) {
		return;
	}
	$type = get_post_type( $post_id );
	if ( 'shop_order' === $type && 'yes' !== get_option( 'woocommerce_custom_orders_table_enabled' ) ) {
		affiliate_hub_order_deleted( $post_id );
	} elseif ( 'product' === $type ) {
		affiliate_hub_product_deleted( $post_id );
	} elseif ( 'product_variation' === $type ) {
		affiliate_hub_variation_changed( $post_id );
	}
}

/** Keeps our webhooks for products from the trash of pages and orders, for which WooCommerce would send them as well. */
function affiliate_hub_is_due( $is_due, $webhook, $arg ) {
	if ( ! $is_due || ! in_array( $webhook->get_topic(), array( 'product.deleted', 'product.restored' ), true ) || ! affiliate_hub_is_ours( $webhook->get_id() ) ) {
		return $is_due;
	}
	return in_array( get_post_type( $arg ), array( 'product', 'product_variation' ), true );
}

/** Says that a product is deleted for good. */
function affiliate_hub_product_deleted( $product_id ) {
	affiliate_hub_enqueue_delivery( 'product.deleted', $product_id );
}

/** Says what became of a variation's product. */
function affiliate_hub_variation_changed( $variation_id ) {
	$variation = wc_get_product( $variation_id );
	if ( $variation && $variation->get_parent_id() ) {
		affiliate_hub_enqueue_delivery( 'product.updated', $variation->get_parent_id(), 5 );
	}
}

/** The same, for what is given as a product. */
function affiliate_hub_variation_stock( $variation ) {
	if ( $variation->get_parent_id() ) {
		affiliate_hub_enqueue_delivery( 'product.updated', $variation->get_parent_id(), 5 );
	}
}
