<?php
// WordPress behind PHP's own web server: files as they are, everything else by index.php.
if ( isset( $_SERVER['HTTP_AUTHORIZATION'] ) ) {
	$_SERVER['HTTPS'] = 'on'; // WooCommerce takes keys over TLS only.
}
$path = $_SERVER['DOCUMENT_ROOT'] . parse_url( $_SERVER['REQUEST_URI'], PHP_URL_PATH );
if ( is_file( $path ) || is_file( rtrim( $path, '/' ) . '/index.php' ) && rtrim( $path, '/' ) !== $_SERVER['DOCUMENT_ROOT'] ) {
	return false;
}
$_SERVER['SCRIPT_NAME'] = '/index.php';
require $_SERVER['DOCUMENT_ROOT'] . '/index.php';
