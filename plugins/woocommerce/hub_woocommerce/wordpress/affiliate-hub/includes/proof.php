<?php
/**
 * The proof of the connection: a question signed with the secret, and an answer that only who knows it can give.
 */

defined( 'ABSPATH' ) || exit;

/** Asks the hub; gives '' if the connection is proved, else what is wrong. */
function affiliate_hub_prove() {
	$config   = affiliate_hub_config();
	$asked    = http_build_query( array( 'site' => affiliate_hub_site(), 'nonce' => bin2hex( random_bytes( 16 ) ) ), '', '&', PHP_QUERY_RFC3986 );
	$response = wp_safe_remote_get(
		$config['url'] . '?' . $asked,
		array( 'timeout' => 20, 'redirection' => 0, 'headers' => array( 'X-Affiliate-Hub-Signature' => hash_hmac( 'sha256', $asked, $config['secret'] ) ) )
	);
	if ( is_wp_error( $response ) ) {
		return affiliate_hub_unreachable( $response );
	}
	$code = (int) wp_remote_retrieve_response_code( $response );
	if ( 200 !== $code ) {
		return affiliate_hub_meaning( $code );
	}
	parse_str( $asked, $query );
	$due    = hash_hmac( 'sha256', $query['nonce'] . $query['site'], $config['secret'] );
	$answer = json_decode( wp_remote_retrieve_body( $response ), true );
	if ( ! is_array( $answer ) || ! isset( $answer['proof'] ) || ! hash_equals( $due, (string) $answer['proof'] ) ) {
		return __( 'What answered at this address is not your hub: it could not sign its answer.', 'affiliate-hub' );
	}
	return '';
}

/** Says whether the hub signed that it took this body: a parked domain or a page of maintenance answers 200, too. */
function affiliate_hub_is_signed( $response, $body ) {
	$due = hash_hmac( 'sha256', 'taken:' . hash( 'sha256', $body ), affiliate_hub_config()['secret'] );
	foreach ( explode( ',', (string) wp_remote_retrieve_header( $response, 'x-affiliate-hub-proof' ) ) as $proof ) {
		if ( hash_equals( $due, trim( $proof ) ) ) {
			return true;
		}
	}
	return false;
}

/** Has both ends prove each other, and keeps since when they do not; gives '' or what is wrong. */
function affiliate_hub_prove_and_note() {
	$fault = affiliate_hub_prove();
	update_option( 'affiliate_hub_proof', array( 'at' => time(), 'fault' => $fault, 'package' => affiliate_hub_package() ), false );
	if ( '' !== $fault && ! affiliate_hub_is_copy() && ! get_option( 'affiliate_hub_failing' ) ) {
		update_option( 'affiliate_hub_failing', time(), true );
	}
	return $fault;
}

/** Gives in words what an answer of the hub means that did not take what was sent. */
function affiliate_hub_meaning( $code ) {
	if ( 401 === $code ) {
		return __( 'The hub refused the signature: the secret is not valid any more, or the connection is closed. Ask for a new package and upload it.', 'affiliate-hub' );
	}
	if ( 403 === $code ) {
		return __( 'The hub knows this connection by another site. If the shop has moved, ask whoever runs the hub to accept its new address.', 'affiliate-hub' );
	}
	/* translators: %d: an HTTP status. */
	return sprintf( __( 'The hub answered %d; it may be down. What waits is sent again by itself.', 'affiliate-hub' ), $code );
}

/** Gives why the hub cannot be reached; WordPress refuses some addresses by itself. */
function affiliate_hub_unreachable( $error ) {
	if ( 'http_request_failed' === $error->get_error_code() && ! wp_http_validate_url( affiliate_hub_config()['url'] ) ) {
		return __( 'WordPress refuses the hub\'s address: it sends only to public addresses and to the ports 80, 443 and 8080.', 'affiliate-hub' );
	}
	return $error->get_error_message();
}
