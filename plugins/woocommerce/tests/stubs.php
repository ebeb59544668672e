<?php
// Stands in for the little of WordPress and WooCommerce that the plugin calls.
define( 'ABSPATH', '/' );
$GLOBALS['options'] = array();
$GLOBALS['hooks']   = array();
$GLOBALS['saved']   = array();
function add_action( $n, $f ) { $GLOBALS['hooks'][ $n ] = $f; }
function add_filter( $n, $f ) { $GLOBALS['hooks'][ $n ] = $f; }
function apply_filters( $n, $v ) { return $v; }
function register_activation_hook( $f, $c ) {}
function register_deactivation_hook( $f, $c ) {}
function get_option( $n, $d = false ) { return $GLOBALS['options'][ $n ] ?? $d; }
function update_option( $n, $v ) { $GLOBALS['options'][ $n ] = $v; }
function delete_option( $n ) { unset( $GLOBALS['options'][ $n ] ); }
function sanitize_text_field( $t ) { return trim( strip_tags( $t ) ); }
function wp_unslash( $t ) { return stripslashes( $t ); }
function __( $t ) { return $t; }
function esc_html__( $t ) { return $t; }
function esc_html( $t ) { return htmlspecialchars( (string) $t, ENT_QUOTES ); }
function esc_url( $t ) { return $t; }
function admin_url( $p ) { return '/wp-admin/' . $p; }
function wp_nonce_field( $a ) { echo '<nonce>'; }
function current_user_can( $c ) { return true; }
$GLOBALS['user']   = 7;
$GLOBALS['owners'] = array( 7 );
function get_current_user_id() { return $GLOBALS['user']; }
function get_users( $q ) { return 'administrator' === $q['role'] ? $GLOBALS['owners'] : array(); }
class WP_Error {
	public $code;
	public $text;
	public function __construct( $c, $t ) { $this->code = $c; $this->text = $t; }
	public function get_error_code() { return $this->code; }
	public function get_error_message() { return $this->text; }
}
function is_wp_error( $v ) { return $v instanceof WP_Error; }
function wp_remote_retrieve_response_code( $r ) { return is_array( $r ) ? $r['code'] : $r; }
function wp_remote_retrieve_body( $r ) { return $r['body']; }
function wp_json_encode( $v ) { return json_encode( $v ); }
function wp_safe_remote_get( $url, $args ) { return call_user_func( $GLOBALS['hub'], $url, $args ); }
function wp_http_validate_url( $url ) { return false === strpos( $url, ':8443' ); }
function esc_attr( $t ) { return esc_html( $t ); }
function user_can( $u, $c ) { return in_array( $u, $GLOBALS['owners'], true ); }
$GLOBALS['home'] = 'https://www.shop.example';
function home_url( $p ) { return $GLOBALS['home'] . $p; }
function wp_parse_url( $u ) { return parse_url( $u ); }
function as_schedule_single_action( $at, $hook, $args, $group ) { $GLOBALS['later'][] = array( $hook, $at - time(), $args ); }
function as_get_scheduled_actions( $query ) { return array(); }
function as_has_scheduled_action( $hook ) { return true; }
function as_unschedule_all_actions( $hook ) { $GLOBALS['unscheduled'][] = $hook; }
class ActionScheduler_Store { const STATUS_PENDING = 'pending'; }
define( 'MINUTE_IN_SECONDS', 60 );
define( 'HOUR_IN_SECONDS', 3600 );
define( 'DAY_IN_SECONDS', 86400 );
$GLOBALS['later'] = array();
class WC_Webhook {
	public $d = array();
	public function __construct( $id = 0 ) { $this->d = $id ? $GLOBALS['saved'][ $id ]->d : array(); }
	public function __call( $n, $a ) { if ( 0 === strpos( $n, 'set_' ) ) { $this->d[ substr( $n, 4 ) ] = $a[0]; } return $this->d[ substr( $n, 4 ) ] ?? null; }
	public function save() { $this->d['id'] = $this->d['id'] ?? count( $GLOBALS['saved'] ) + 1; $GLOBALS['saved'][ $this->d['id'] ] = $this; }
	public function delete( $force ) { unset( $GLOBALS['saved'][ $this->d['id'] ] ); }
}
function wc_get_webhook( $id ) { return $GLOBALS['saved'][ $id ] ?? null; }
class Thing {
	public $meta = array();
	public function update_meta_data( $k, $v ) { $this->meta[ $k ] = $v; }
	public function get_meta( $k ) { return $this->meta[ $k ] ?? ''; }
	public function get_refunds() { $r = new Thing(); return array( $r ); }
	public function get_id() { return 902; }
	public function get_date_created() { return new DateTime( '2026-11-04T09:00:00Z' ); }
	public function get_items( $t = 'line_item' ) { if ( 'fee' === $t ) { return array(); } $i = new Thing(); $i->meta['_refunded_item_id'] = '71'; return array( $i ); }
	public function get_quantity() { return -1; }
	public function get_total() { return '-10.00'; }
	public function get_total_tax() { return '-1.90'; }
}
function wc_get_order( $id ) { return $GLOBALS['order']; }
function wc_get_product( $id ) { return $GLOBALS['product']; }
function get_post_type( $id ) { return $GLOBALS['post_type']; }
require $argv[1] . '/affiliate-hub.php';
