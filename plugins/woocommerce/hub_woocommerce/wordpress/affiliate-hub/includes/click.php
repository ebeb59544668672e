<?php
/**
 * The click: caught by a script, kept in a first-party cookie, written to the order at either checkout.
 */

defined( 'ABSPATH' ) || exit;

/** Loads the script that keeps the click; other plugins may change for how many days. */
function affiliate_hub_enqueue() {
	$days = max( 1, (int) apply_filters( 'affiliate_hub_cookie_days', 30 ) );
	wp_enqueue_script( 'affiliate-hub-capture', plugins_url( 'assets/capture.js', AFFILIATE_HUB_FILE ), array(), (string) filemtime( dirname( __DIR__ ) . '/assets/capture.js' ), true );
	wp_add_inline_script( 'affiliate-hub-capture', 'window.affiliateHubCapture = ' . wp_json_encode( array( 'days' => $days ) ) . ';', 'before' );
}

/** Gives the click's id from the cookie, or '' where there is none that could be one. */
function affiliate_hub_click() {
	if ( ! isset( $_COOKIE['affiliate_click_id'] ) || ! is_string( $_COOKIE['affiliate_click_id'] ) ) {
		return '';
	}
	$click = sanitize_text_field( wp_unslash( $_COOKIE['affiliate_click_id'] ) );
	return preg_match( '/^[A-Za-z0-9_-]{1,128}$/D', $click ) ? $click : '';
}

/** Writes the click to the order; both checkouts save it right afterwards. */
function affiliate_hub_keep_click( $order ) {
	$click = affiliate_hub_click();
	if ( '' !== $click ) {
		$order->update_meta_data( 'affiliate_click_id', $click );
	}
}
