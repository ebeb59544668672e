<?php
// Runs PHP from standard input inside WordPress, and prints what it returns as JSON after a record separator.
$_SERVER['HTTP_HOST']      = getenv( 'SHOP_HOST' );
$_SERVER['REQUEST_METHOD'] = 'GET';
$_SERVER['REQUEST_URI']    = '/';
if ( getenv( 'SHOP_INSTALLING' ) ) {
	define( 'WP_INSTALLING', true );
}
require getenv( 'SHOP_FOLDER' ) . '/wp-load.php';
foreach ( array( 'plugin', 'upgrade', 'user' ) as $part ) {
	require_once ABSPATH . "wp-admin/includes/$part.php";
}
require __DIR__ . '/acts.php';
$result = eval( stream_get_contents( STDIN ) );
register_shutdown_function(
	function () use ( $result ) {
		echo "\x1e", json_encode( $result );
	}
);
