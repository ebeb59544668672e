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
function get_option( $n, $d = false ) { return in_array( $n, array( 'home', 'siteurl' ), true ) ? $GLOBALS['home'] : $GLOBALS['options'][ $n ] ?? $d; }
function update_option( $n, $v ) { $GLOBALS['options'][ $n ] = $v; }
function delete_option( $n ) { unset( $GLOBALS['options'][ $n ] ); }
function sanitize_text_field( $t ) { return trim( strip_tags( $t ) ); }
function rest_url( $p ) { return '/wp-json/' . $p; }
function wp_script_is( $n, $what ) { return in_array( $n, $GLOBALS['scripts'] ?? array(), true ); }
function wp_enqueue_script( $n, $src, $after, $version, $footer ) { $GLOBALS['enqueued'] = array( $n, $after ); }
function wp_add_inline_script( $n, $text, $where ) { $GLOBALS['inline'] = $text; }
function plugins_url( $p, $file ) { return '/wp-content/plugins/affiliate-hub/' . $p; }
function plugin_basename( $file ) { return 'affiliate-hub/affiliate-hub.php'; }
function is_ssl() { return true; }
function nocache_headers() { $GLOBALS['uncached'] = true; }
function register_rest_route( $space, $route, $how ) { $GLOBALS['routes'][ $space . $route ] = $how; }
class WP_REST_Response {
	public $status;
	public function __construct( $data, $status ) { $this->status = $status; }
}
function wp_unslash( $t ) { return is_string( $t ) ? stripslashes( $t ) : $t; }
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
function get_users( $q ) { return isset( $q['capability'] ) ? $GLOBALS['owners'] : array(); }
class WP_Error {
	public $code;
	public $text;
	public function __construct( $c, $t ) { $this->code = $c; $this->text = $t; }
	public function get_error_code() { return $this->code; }
	public function get_error_message() { return $this->text; }
}
function is_wp_error( $v ) { return $v instanceof WP_Error; }
function wp_remote_retrieve_response_code( $r ) { return is_array( $r ) ? $r['code'] : $r; }
function wp_remote_retrieve_header( $r, $name ) { return is_array( $r ) && isset( $r['headers'][ $name ] ) ? $r['headers'][ $name ] : ''; }

/** What the hub answers to a body that it took. */
function taken( $body ) {
	$proof = hash_hmac( 'sha256', 'taken:' . hash( 'sha256', $body ), affiliate_hub_config()['secret'] );
	return array( 'code' => 200, 'body' => '{}', 'headers' => array( 'x-affiliate-hub-proof' => str_repeat( '0', 64 ) . ', ' . $proof ) );
}
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
function as_get_scheduled_actions( $query, $as = 'object' ) {
	$all = array_filter( $GLOBALS['waiting'], function ( $each ) use ( $query ) { return $each->get_hook() === $query['hook']; } );
	return 'ids' === $as ? ( isset( $query['args'] ) ? array() : array_keys( $all ) ) : $all;
}
class Action {
	public $hook;
	public $args;
	public function __construct( $h, $a ) { $this->hook = $h; $this->args = $a; }
	public function get_hook() { return $this->hook; }
	public function get_args() { return $this->args; }
}
$GLOBALS['waiting'] = array();
class Database {
	public $prefix = 'wp_';
	public $did    = array();
	public function suppress_errors( $is_on ) { return false; }
	public function esc_like( $t ) { return addcslashes( $t, '_%\\' ); }
	public function prepare( $sql, $value ) { return str_replace( '%s', "'$value'", $sql ); }
	public function get_var( $sql ) { return false === strpos( $sql, '"webhook\_id":2,' ) ? 0 : 3; }
	public function query( $sql ) { $this->did[] = $sql; }
	public function delete( $table, $where, $formats ) { $this->did[] = $table; }
}
$wpdb = new Database();
class ActionScheduler {
	public static function store() { return new self(); }
	public function fetch_action( $id ) { return $GLOBALS['waiting'][ $id ]; }
	public function delete_action( $id ) { unset( $GLOBALS['waiting'][ $id ] ); }
}
function as_has_scheduled_action( $hook ) { return 'affiliate_hub_daily' === $hook; }
function as_unschedule_all_actions( $hook ) { $GLOBALS['unscheduled'][] = $hook; }
class ActionScheduler_Store {
	const STATUS_PENDING = 'pending';
	public static function instance() { return new self(); }
	public function query_actions( $query, $what ) { return count( as_get_scheduled_actions( $query ) ); }
}
function trailingslashit( $t ) { return rtrim( $t, '/' ) . '/'; }
define( 'MINUTE_IN_SECONDS', 60 );
define( 'HOUR_IN_SECONDS', 3600 );
define( 'DAY_IN_SECONDS', 86400 );
$GLOBALS['later'] = array();
class WC_Webhook {
	public $d = array();
	public function __construct( $id = 0 ) { $this->d = $id ? $GLOBALS['saved'][ $id ]->d : array(); }
	public function __call( $n, $a ) { if ( 'get_api_version' === $n ) { return 'wp_api_v' . $this->d['api_version']; } if ( 'build_payload' === $n ) { return affiliate_hub_payload( array( 'id' => $a[0] ), 'order', $a[0], $this->d['id'] ); } if ( 0 === strpos( $n, 'set_' ) ) { $this->d[ substr( $n, 4 ) ] = $a[0]; } return $this->d[ substr( $n, 4 ) ] ?? null; }
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
function wc_get_orders( $q ) { return 1 === $q['page'] && array( 'ann@buyer.example', 9 ) === $q['customer'] ? array( $GLOBALS['order'] ) : array(); }
function get_user_by( $field, $value ) { return (object) array( 'ID' => 9 ); }
function wc_get_order( $id ) { return $GLOBALS['order']; }
function wc_get_product( $id ) { return $GLOBALS['product']; }
function get_post_type( $id ) { return $GLOBALS['post_type']; }
require $argv[1] . '/affiliate-hub.php';
