<?php
/**
 * Copies of the shop: a staging copy has the same webhooks, and would write its trial orders into the shop's ledger.
 */

defined( 'ABSPATH' ) || exit;

/**
 * Gives the site's address without what may differ in the same shop: the scheme, "www." and the last slash.
 *
 * It is read as it is stored: plugins for several languages make home_url() another one from page to page.
 */
function affiliate_hub_site() {
	$home = affiliate_hub_bare( get_option( 'home' ) );
	$core = strtok( affiliate_hub_bare( get_option( 'siteurl' ) ), '/' );
	return strtok( $home, '/' ) === $core ? $home : $home . '|' . $core;
}

/** Gives an address without its scheme, "www." and last slash. */
function affiliate_hub_bare( $address ) {
	$parts = wp_parse_url( (string) $address );
	$host  = strtolower( isset( $parts['host'] ) ? $parts['host'] : '' );
	$port  = isset( $parts['port'] ) ? ':' . $parts['port'] : '';
	return preg_replace( '/^www\./', '', $host ) . $port . rtrim( isset( $parts['path'] ) ? $parts['path'] : '', '/' );
}

/** Remembers this site as the shop, encoded: who copies a shop replaces its address everywhere in the database. */
function affiliate_hub_take_site() {
	// phpcs:ignore WordPress.PHP.DiscouragedPHPFunctions.obfuscation_base64_encode -- so that it survives such a search.
	update_option( 'affiliate_hub_site', 'b64:' . base64_encode( affiliate_hub_site() ), true );
}

/** Gives the site that was connected, '' if none was. */
function affiliate_hub_known_site() {
	$kept = (string) get_option( 'affiliate_hub_site', '' );
	// phpcs:ignore WordPress.PHP.DiscouragedPHPFunctions.obfuscation_base64_decode -- see affiliate_hub_take_site().
	return 0 === strpos( $kept, 'b64:' ) ? (string) base64_decode( substr( $kept, 4 ), true ) : $kept;
}

/** Says whether this is another site than the one that was connected: then nothing is sent. */
function affiliate_hub_is_copy() {
	$known = affiliate_hub_known_site();
	return '' !== $known && affiliate_hub_site() !== $known;
}

/** Keeps a copy of the shop from sending anything to the hub. */
function affiliate_hub_hush( $answer, $args, $url ) {
	if ( affiliate_hub_is_hub( $url ) && affiliate_hub_is_copy() ) {
		return new WP_Error( 'affiliate_hub_copy', __( 'This is a copy of the shop, so nothing is sent to the affiliate hub.', 'affiliate-hub' ) );
	}
	return $answer;
}

/** Names the site to the hub as it is stored, whatever language the request has that sends. */
function affiliate_hub_name_site( $args, $url ) {
	if ( affiliate_hub_is_hub( $url ) && is_array( $args['headers'] ) && isset( $args['headers']['X-WC-Webhook-Source'] ) ) {
		$args['headers']['X-WC-Webhook-Source'] = trailingslashit( get_option( 'home' ) );
	}
	return $args;
}

/** Says whether an address is that of a hub that this shop, or the shop that it is a copy of, is connected to. */
function affiliate_hub_is_hub( $url ) {
	$config = affiliate_hub_config();
	return '' !== $config['url'] && 0 === strpos( (string) $url, $config['url'] );
}

/** Says whether an answer is none of the hub's: this is a copy, and nothing was sent. */
function affiliate_hub_was_hushed( $response ) {
	if ( ! is_wp_error( $response ) || 'affiliate_hub_copy' !== $response->get_error_code() ) {
		return false;
	}
	if ( ! get_option( 'affiliate_hub_quiet' ) ) {
		update_option( 'affiliate_hub_quiet', time(), true );
	}
	update_option( 'affiliate_hub_last', array( 'at' => time(), 'answer' => $response->get_error_message(), 'taken' => false ), false );
	return true;
}

/** Sends what changed while this site was taken for a copy, if it is none. */
function affiliate_hub_end_quiet() {
	$since = (int) get_option( 'affiliate_hub_quiet' );
	if ( $since && ! affiliate_hub_is_copy() ) {
		delete_option( 'affiliate_hub_quiet' );
		affiliate_hub_resend_since( $since - HOUR_IN_SECONDS );
	}
}

/** Takes the owner's word that the shop has moved to this address. */
function affiliate_hub_site_chosen() {
	affiliate_hub_require_owner( 'affiliate_hub_site' );
	affiliate_hub_move_here();
	affiliate_hub_back();
}

/** Makes this site the shop, and sends what changed since it is quiet. */
function affiliate_hub_move_here() {
	affiliate_hub_take_site();
	affiliate_hub_sync();
	affiliate_hub_end_quiet();
}
