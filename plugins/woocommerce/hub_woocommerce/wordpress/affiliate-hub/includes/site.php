<?php
/**
 * Copies of the shop: a staging copy has the same webhooks, and would write its trial orders into the shop's ledger.
 */

defined( 'ABSPATH' ) || exit;

/** Gives the site's address without what may differ in the same shop: the scheme, "www." and the last slash. */
function affiliate_hub_site() {
	$parts = wp_parse_url( home_url( '/' ) );
	$host  = strtolower( isset( $parts['host'] ) ? $parts['host'] : '' );
	$port  = isset( $parts['port'] ) ? ':' . $parts['port'] : '';
	return preg_replace( '/^www\./', '', $host ) . $port . rtrim( isset( $parts['path'] ) ? $parts['path'] : '', '/' );
}

/** Remembers whose webhooks these are, unless that is known. */
function affiliate_hub_remember_site() {
	if ( '' === (string) get_option( 'affiliate_hub_site', '' ) ) {
		update_option( 'affiliate_hub_site', affiliate_hub_site(), true );
	}
}

/** Says whether this is another site than the one that was connected: then nothing is sent. */
function affiliate_hub_is_copy() {
	$known = (string) get_option( 'affiliate_hub_site', '' );
	return '' !== $known && affiliate_hub_site() !== $known;
}

/** Keeps a copy of the shop from sending anything to the hub. */
function affiliate_hub_hush( $answer, $args, $url ) {
	if ( affiliate_hub_is_copy() && affiliate_hub_is_hub( $url ) ) {
		return new WP_Error( 'affiliate_hub_copy', __( 'This is a copy of the shop, so nothing is sent to the affiliate hub.', 'affiliate-hub' ) );
	}
	return $answer;
}

/** Says whether an address is that of a hub that this shop, or the shop that it is a copy of, is connected to. */
function affiliate_hub_is_hub( $url ) {
	$config = affiliate_hub_config();
	return '' !== $config['url'] && 0 === strpos( (string) $url, $config['url'] );
}

/** Takes the owner's word that the shop has moved to this address. */
function affiliate_hub_site_chosen() {
	affiliate_hub_require_owner( 'affiliate_hub_site' );
	update_option( 'affiliate_hub_site', affiliate_hub_site(), true );
	affiliate_hub_sync();
	affiliate_hub_back();
}
