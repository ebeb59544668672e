<?php
// Stands in for the little of WordPress and WooCommerce that the plugin calls, and runs the plugin's functions.
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
function get_current_user_id() { return 7; }
function is_wp_error( $v ) { return false; }
function wp_remote_retrieve_response_code( $r ) { return $r; }
function esc_attr( $t ) { return esc_html( $t ); }
function user_can( $u, $c ) { return true; }
function home_url( $p ) { return 'https://www.shop.example' . $p; }
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
require $argv[1] . '/affiliate-hub.php';
affiliate_hub_activate();
affiliate_hub_activate();
$first = reset( $GLOBALS['saved'] )->d;
$order = new Thing();
$_COOKIE['affiliate_click_id'] = '<script>"';
affiliate_hub_keep_click( $order );
$refused = $order->meta;
$_COOKIE['affiliate_click_id'] = 'clk_1';
affiliate_hub_keep_click( $order );
$payload = affiliate_hub_payload( array( 'id' => 5, 'line_items' => array() ), 'order', 5, 1 );
$foreign = affiliate_hub_payload( array( 'id' => 5, 'line_items' => array() ), 'order', 5, 99 );
$error   = affiliate_hub_payload( array( 'code' => 'x' ), 'order', 5, 1 );
$deleted = affiliate_hub_payload( array( 'id' => 5 ), 'order', 5, 1 );
affiliate_hub_note_delivery( array(), 503, 1, 5, 1 );
$again   = array_slice( end( $GLOBALS['later'] ), 1 );
$failing = get_option( 'affiliate_hub_failing' );
affiliate_hub_note_delivery( array(), 200, 1, 5, 1 );
ob_start();
affiliate_hub_page();
$page  = ob_get_clean();
$count = count( $GLOBALS['saved'] );
affiliate_hub_deactivate();
$paused = reset( $GLOBALS['saved'] )->d['status'];
define( 'WP_UNINSTALL_PLUGIN', true );
require $argv[1] . '/uninstall.php';
echo json_encode( array( 'first' => $first, 'count' => $count, 'refused' => $refused, 'payload' => $payload, 'foreign' => $foreign, 'error' => $error, 'page' => $page, 'deleted' => $deleted, 'again' => $again, 'failing' => $failing, 'pauses' => array_map( 'affiliate_hub_pause', array( 1, 2, 3, 30 ) ), 'paused' => $paused, 'left' => count( $GLOBALS['saved'] ) + count( $GLOBALS['options'] ), 'hooks' => array_keys( $GLOBALS['hooks'] ) ) );
