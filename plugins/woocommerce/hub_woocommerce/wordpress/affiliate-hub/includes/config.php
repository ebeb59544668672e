<?php
/**
 * The connection, as the hub wrote it into config.php, and what the plugin remembers.
 */

defined( 'ABSPATH' ) || exit;

/** Gives the connection's address and secret. */
function affiliate_hub_config() {
	$file   = dirname( __DIR__ ) . '/config.php';
	$config = is_readable( $file ) ? require $file : null;
	return is_array( $config ) && isset( $config['url'], $config['secret'] ) ? $config : array( 'url' => '', 'secret' => '' );
}

/** Gives what tells one installed package from another, without showing the secret. */
function affiliate_hub_package() {
	$config = affiliate_hub_config();
	return hash_hmac( 'sha256', 'affiliate-hub-3|' . $config['url'], $config['secret'] );
}

/** Gives the ids of our webhooks by their topics. */
function affiliate_hub_known() {
	return array_map( 'intval', (array) get_option( 'affiliate_hub_webhooks', array() ) );
}

/** Says whether a webhook is one of ours. */
function affiliate_hub_is_ours( $webhook_id ) {
	return in_array( (int) $webhook_id, affiliate_hub_known(), true );
}

/** Gives milliseconds since 1970. */
function affiliate_hub_now() {
	return (int) round( microtime( true ) * 1000 );
}
