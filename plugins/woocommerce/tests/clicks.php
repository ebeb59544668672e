<?php
// Answers one request of a visitor, served by PHP: a page of the shop, or the plugin's route; the cookies are real.
$argv = array( '', getenv( 'PLUGIN' ) );
$consent = $_SERVER['HTTP_X_CONSENT'] ?? '';
if ( '' !== $consent ) {
	function wp_has_consent( $category ) { return 'marketing' === $category && 'allow' === $_SERVER['HTTP_X_CONSENT']; }
}
require __DIR__ . '/stubs.php';
class WP_REST_Request {
	public function get_param( $n ) { return json_decode( file_get_contents( 'php://input' ), true )[ $n ] ?? null; }
	public function get_header( $n ) { return $_SERVER[ 'HTTP_' . strtoupper( str_replace( '-', '_', $n ) ) ] ?? null; }
}
if ( 'POST' === $_SERVER['REQUEST_METHOD'] ) {
	affiliate_hub_click_route();
	$route = $GLOBALS['routes']['affiliate-hub/v1/click'];
	http_response_code( call_user_func( $route['callback'], new WP_REST_Request() )->status );
	exit;
}
$GLOBALS['scripts'] = '' === $consent ? array() : array( 'wp-consent-api' );
affiliate_hub_catch();
affiliate_hub_enqueue();
echo json_encode( array( 'click' => affiliate_hub_click(), 'uncached' => isset( $GLOBALS['uncached'] ), 'after' => $GLOBALS['enqueued'][1], 'inline' => $GLOBALS['inline'] ) );
