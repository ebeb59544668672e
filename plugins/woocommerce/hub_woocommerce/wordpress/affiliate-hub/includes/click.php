<?php
/**
 * The click: caught by a script, kept in a first-party cookie, written to the order at either checkout.
 */

defined( 'ABSPATH' ) || exit;

/** Loads the script that keeps the click, behind the WP Consent API where the shop has it. */
function affiliate_hub_enqueue() {
	$known = array(
		'days' => (int) apply_filters( 'affiliate_hub_cookie_days', 0 ),
		'url'  => rest_url( 'affiliate-hub/v1/click' ),
	);
	$after = wp_script_is( 'wp-consent-api', 'registered' ) ? array( 'wp-consent-api' ) : array();
	wp_enqueue_script( 'affiliate-hub-capture', plugins_url( 'assets/capture.js', AFFILIATE_HUB_FILE ), $after, (string) filemtime( dirname( __DIR__ ) . '/assets/capture.js' ), true );
	wp_add_inline_script( 'affiliate-hub-capture', 'window.affiliateHubCapture = ' . wp_json_encode( $known ) . ';', 'before' );
}

/** Gives for how many days the click is kept: as other plugins say, else as the campaign's link does, else 30. */
function affiliate_hub_cookie_days( $asked = null ) {
	$told = is_scalar( $asked ) && 1 === preg_match( '/^[1-9][0-9]{0,3}$/D', (string) $asked ) ? (int) $asked : 30;
	$own  = (int) apply_filters( 'affiliate_hub_cookie_days', 0 );
	return $own > 0 ? $own : $told;
}

/** Says whether the visitor lets us keep the click: without the WP Consent API nobody has to be asked. */
function affiliate_hub_may_keep() {
	return ! function_exists( 'wp_has_consent' ) || wp_has_consent( 'marketing' );
}

/** Says whether a value could be a click's id. */
function affiliate_hub_is_click( $value ) {
	return is_string( $value ) && 1 === preg_match( '/^[A-Za-z0-9_-]{1,128}$/D', $value );
}

/** Gives the cookie as the server sets it: Safari keeps one of a script for seven days only. */
function affiliate_hub_cookie( $click, $days ) {
	$options = array(
		'expires'  => time() + affiliate_hub_cookie_days( $days ) * DAY_IN_SECONDS,
		'path'     => '/',
		'secure'   => is_ssl(),
		'httponly' => false,
		'samesite' => 'Lax',
	);
	return array( 'affiliate_click_id', $click, $options );
}

/** Keeps the click of the page that PHP makes, with or without the script; no cache may keep such a page. */
function affiliate_hub_catch() {
	// phpcs:ignore WordPress.Security.NonceVerification.Recommended -- an affiliate's link has no nonce.
	$click = isset( $_GET['affiliate_click_id'] ) ? wp_unslash( $_GET['affiliate_click_id'] ) : '';
	if ( headers_sent() || ! affiliate_hub_is_click( $click ) || ! affiliate_hub_may_keep() ) {
		return;
	}
	if ( ! defined( 'DONOTCACHEPAGE' ) ) {
		define( 'DONOTCACHEPAGE', true );
	}
	nocache_headers();
	// phpcs:ignore WordPress.Security.NonceVerification.Recommended -- nor has the campaign's window.
	setcookie( ...affiliate_hub_cookie( $click, isset( $_GET['aff_days'] ) ? wp_unslash( $_GET['aff_days'] ) : null ) );
	$_COOKIE['affiliate_click_id'] = $click;
}

/** Has the script ask the server for the cookie, on pages that came from a cache. */
function affiliate_hub_click_route() {
	register_rest_route(
		'affiliate-hub/v1',
		'/click',
		array(
			'methods'             => 'POST',
			'callback'            => 'affiliate_hub_click_told',
			'permission_callback' => '__return_true',
		)
	);
}

/** Sets the cookie that the script names; other sites cannot send the header that is asked for. */
function affiliate_hub_click_told( $request ) {
	$click = $request->get_param( 'click' );
	$kept  = 'capture' === $request->get_header( 'X-Affiliate-Hub' ) && affiliate_hub_is_click( $click ) && affiliate_hub_may_keep();
	if ( $kept ) {
		nocache_headers();
		setcookie( ...affiliate_hub_cookie( $click, $request->get_param( 'days' ) ) );
	}
	return new WP_REST_Response( null, $kept ? 204 : 403 );
}

/** Tells cookie notices what the cookie is for, where the WP Consent API is there. */
function affiliate_hub_explain_cookie() {
	if ( function_exists( 'wp_add_cookie_info' ) ) {
		/* translators: %d is a number of days. */
		$kept = sprintf( __( '%d days', 'affiliate-hub' ), affiliate_hub_cookie_days() );
		wp_add_cookie_info( 'affiliate_click_id', 'Affiliate Hub', 'marketing', $kept, __( 'Pays the affiliate who recommended the shop.', 'affiliate-hub' ) );
	}
}

/** Gives the click's id from the cookie, or '' where there is none that could be one. */
function affiliate_hub_click() {
	if ( ! isset( $_COOKIE['affiliate_click_id'] ) || ! is_string( $_COOKIE['affiliate_click_id'] ) ) {
		return '';
	}
	$click = sanitize_text_field( wp_unslash( $_COOKIE['affiliate_click_id'] ) );
	return affiliate_hub_is_click( $click ) ? $click : '';
}

/** Writes the click to the order; both checkouts save it right afterwards. */
function affiliate_hub_keep_click( $order ) {
	$click = affiliate_hub_click();
	if ( '' !== $click ) {
		$order->update_meta_data( 'affiliate_click_id', $click );
	}
}
