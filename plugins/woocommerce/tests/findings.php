<?php
// Tries what a real WooCommerce showed, each in a fresh state, and prints what the plugin did.
require __DIR__ . '/stubs.php';
define( 'CONFIG', $argv[1] . '/config.php' );
define( 'FIRST', file_get_contents( CONFIG ) );

class Sold {
	public $type   = 'shop_order';
	public $status = 'processing';
	public $gone   = array();
	public function get_type() { return $this->type; }
	public function get_status() { return $this->status; }
	public function get_id() { return 5; }
	public function get_parent_id() { return 16; }
	public function delete_meta_data( $k ) { $this->gone[] = $k; }
	public function save_meta_data() {}
	public function get_meta( $k ) { return '_wc_order_attribution_session_entry' === $k ? 'https://shop.example/?affiliate_click_id=clk_1' : ''; }
}

/** Begins anew: an activated plugin on the shop's own site. */
function anew( $user = 7, $owners = array( 7 ) ) {
	$GLOBALS['options'] = array();
	$GLOBALS['saved']   = array();
	$GLOBALS['later']   = array();
	$GLOBALS['waiting'] = array();
	$GLOBALS['affiliate_hub_attempt'] = 0;
	$GLOBALS['user']    = $user;
	$GLOBALS['owners']  = $owners;
	$GLOBALS['home']    = 'https://www.shop.example';
	file_put_contents( CONFIG, FIRST );
	affiliate_hub_activate();
}

/** Gives what was put into the queue, as hook, pause and arguments joined. */
function queued() {
	return array_map( function ( $each ) { return $each[0] . '|' . $each[1] . '|' . implode( ',', $each[2] ); }, $GLOBALS['later'] );
}

/** Gives the distinct values of a property of all webhooks. */
function of_webhooks( $name ) {
	return array_values( array_unique( array_map( function ( $each ) use ( $name ) { return $each->d[ $name ] ?? null; }, $GLOBALS['saved'] ) ) );
}

/** Fails a delivery as WooCommerce sees it: at the sixth it has turned the webhook off. */
function fail( $attempt ) {
	$GLOBALS['saved'][1]->d['status']        = $attempt >= 6 ? 'disabled' : 'active';
	$GLOBALS['saved'][1]->d['failure_count'] = $attempt;
	$GLOBALS['affiliate_hub_attempt']        = $attempt - 1;
	affiliate_hub_note_delivery( array(), new WP_Error( 'http_request_failed', 'refused' ), 1, 5, 1 );
}

/** Answers as a hub that knows the secret, and as what does not. */
function hub_that( $knows ) {
	$GLOBALS['hub'] = function ( $url ) use ( $knows ) {
		parse_str( substr( $url, strpos( $url, 'nonce=' ) ), $query );
		parse_str( (string) parse_url( str_replace( "?a='<b>", '', $url ), PHP_URL_QUERY ), $asked );
		$secret = affiliate_hub_config()['secret'];
		return array( 'code' => 'refuses' === $knows ? 401 : 200, 'body' => json_encode( 'signs' === $knows ? array( 'proof' => hash_hmac( 'sha256', $query['nonce'] . affiliate_hub_site(), $secret ) ) : array() ) );
	};
}

$did = array();

anew();
for ( $attempt = 1; $attempt <= 8; $attempt++ ) {
	fail( $attempt );
}
$did['outage'] = array( 'status' => of_webhooks( 'status' ), 'failures' => $GLOBALS['saved'][1]->d['failure_count'], 'queued' => queued() );
ob_start();
affiliate_hub_notices();
$did['outage']['notice'] = ob_get_clean();

anew();
$GLOBALS['waiting'] = array( new Action( 'affiliate_hub_deliver', array() ) );
ob_start();
affiliate_hub_notices();
$did['asleep'] = array( 'notice' => ob_get_clean() );
$GLOBALS['waiting'] = array();
ob_start();
affiliate_hub_notices();
$did['asleep']['after'] = ob_get_clean();

anew();
fail( 37 );
$before = count( queued() );
affiliate_hub_note_delivery( array( 'body' => '{}' ), taken( '{}' ), 1, 6, 1 );
$did['given_up'] = array( 'not_queued' => $before, 'caught_up' => array_slice( queued(), $before ), 'left' => get_option( 'affiliate_hub_given_up' ) );

anew();
file_put_contents( CONFIG, "<?php return array( 'url' => 'https://hub.example/connect/con_live', 'secret' => 'newer' );" );
$faults = count( affiliate_hub_faults() );
affiliate_hub_follow();
$did['package'] = array( 'faults' => $faults, 'urls' => of_webhooks( 'delivery_url' ), 'secrets' => of_webhooks( 'secret' ), 'after' => affiliate_hub_faults() );

anew( 0, array( 5 ) );
$did['no_user'] = array( 'owners' => of_webhooks( 'user_id' ) );
$GLOBALS['owners'] = array( 6 );
$did['no_user']['faults'] = count( affiliate_hub_faults() );
hub_that( 'signs' );
affiliate_hub_look_after();
$did['no_user']['then'] = of_webhooks( 'user_id' );

anew();
$GLOBALS['home'] = 'https://staging.shop.example';
$answer          = affiliate_hub_hush( false, array(), affiliate_hub_config()['url'] );
affiliate_hub_note_delivery( array(), $answer, 1, 5, 1 );
ob_start();
affiliate_hub_notices();
$did['copy'] = array( 'hushed' => is_wp_error( $answer ), 'others' => affiliate_hub_hush( false, array(), 'https://pay.example/' ), 'queued' => preg_grep( '/deliver/', queued() ), 'notice' => ob_get_clean() );
$GLOBALS['home'] = 'http://shop.example';
$did['copy']['same_shop'] = affiliate_hub_is_copy();

anew();
$did['proof'] = array();
foreach ( array( 'signs', 'refuses', 'else' ) as $how ) {
	hub_that( $how );
	$did['proof'][ $how ] = affiliate_hub_prove();
}
file_put_contents( CONFIG, "<?php return array( 'url' => 'https://hub.example:8443/connect/con_1', 'secret' => 's' );" );
$GLOBALS['hub'] = function () { return new WP_Error( 'http_request_failed', 'A valid URL was not provided.' ); };
$did['port']    = affiliate_hub_prove();

anew();
$did['catalogue'] = queued();
$GLOBALS['later']   = array();
$GLOBALS['product'] = new Sold();
affiliate_hub_variation_changed( 17 );
affiliate_hub_variation_stock( $GLOBALS['product'] );
affiliate_hub_product_deleted( 16 );
$did['products'] = queued();

anew();
$GLOBALS['later'] = array();
$GLOBALS['order'] = new Sold();
affiliate_hub_order_deleted( 5 );
$GLOBALS['post_type'] = 'shop_order';
affiliate_hub_post_deleted( 5 );
$GLOBALS['order']->status = 'checkout-draft';
affiliate_hub_order_deleted( 6 );
$GLOBALS['order']->type = 'shop_order_refund';
affiliate_hub_order_deleted( 7 );
$did['deleted'] = queued();

anew();
$GLOBALS['later'] = array();
$did['kept']      = array( affiliate_hub_refund_deleted( null, $GLOBALS['order'] ), affiliate_hub_refund_deleted( false, $GLOBALS['order'] ) );
$did['undone']    = queued();

anew();
$GLOBALS['later'] = array();
$GLOBALS['order'] = new Sold();
affiliate_hub_buyer_erased( $GLOBALS['order'] );
$did['erased'] = array( 'gone' => $GLOBALS['order']->gone, 'queued' => queued() );

anew();
$GLOBALS['later'] = array();
$GLOBALS['order'] = new Sold();
$erasers          = affiliate_hub_erasers( array( 'woocommerce-customer-orders' => array() ) );
$did['tool']      = array(
	'answer' => call_user_func( $erasers['affiliate-hub']['callback'], 'ann@buyer.example', 1 ),
	'queued' => queued(),
	'gone'   => $GLOBALS['order']->gone,
	'other'  => call_user_func( $erasers['affiliate-hub']['callback'], 'bob@buyer.example', 1 ),
	'after'  => count( queued() ),
);
$did['brief']     = array( affiliate_hub_be_brief( array( 'timeout' => 60 ), 5, 1 ), affiliate_hub_be_brief( array( 'timeout' => 60 ), 5, 99 ) );

anew();
$GLOBALS['later']   = array();
$GLOBALS['waiting'] = array(
	11 => new Action( 'affiliate_hub_deliver', array( 'webhook' => '1', 'arg' => '5', 'attempt' => '9' ) ),
	12 => new Action( 'affiliate_hub_send', array( 'topic' => 'affiliate_hub.erase', 'body' => '{}', 'attempt' => '3' ) ),
);
update_option( 'affiliate_hub_failing', time() - 60 );
affiliate_hub_note_delivery( array( 'body' => '{}' ), taken( '{}' ), 1, 6, 1 );
$did['short'] = queued();
update_option( 'affiliate_hub_failing', time() - 8 * 3600 );
affiliate_hub_note_delivery( array( 'body' => '{}' ), taken( '{}' ), 1, 6, 1 );
affiliate_hub_hurry();
$did['long'] = array( 'queued' => queued(), 'waiting' => count( $GLOBALS['waiting'] ) );

anew();
$GLOBALS['later']   = array();
$GLOBALS['waiting'] = array(
	1 => new Action( 'woocommerce_deliver_webhook_async', array( 'webhook_id' => 2, 'arg' => 5 ) ),
	2 => new Action( 'affiliate_hub_deliver', array( 'webhook' => '1', 'arg' => '5', 'attempt' => '2' ) ),
	3 => new Action( 'affiliate_hub_send', array( 'topic' => 't', 'body' => '{}', 'attempt' => '0' ) ),
	4 => new Action( 'affiliate_hub_catalogue', array( 'page' => '3' ) ),
	5 => new Action( 'woocommerce_deliver_webhook_async', array( 'webhook_id' => 99, 'arg' => 5 ) ),
	6 => new Action( 'another_plugins', array( 1 ) ),
);
array_map( 'affiliate_hub_ended_early', array_keys( $GLOBALS['waiting'] ) );
$did['ended_early'] = queued();

anew();
$GLOBALS['waiting'] = array( 7 => new Action( 'affiliate_hub_deliver', array( 'webhook' => '3', 'arg' => '5', 'attempt' => '4' ) ) );
affiliate_hub_deactivate();
$GLOBALS['waiting'] = array();
$GLOBALS['later']   = array();
affiliate_hub_activate();
$did['off'] = array( 'queued' => array_map( function ( $each ) { return $each[0]; }, $GLOBALS['later'] ), 'left' => get_option( 'affiliate_hub_off' ), 'status' => of_webhooks( 'status' ) );

anew();
$stored          = get_option( 'affiliate_hub_site' );
$GLOBALS['home'] = 'https://new.example';
$GLOBALS['later'] = array();
affiliate_hub_note_delivery( array(), affiliate_hub_hush( false, array(), affiliate_hub_config()['url'] ), 1, 5, 1 );
affiliate_hub_note_delivery( array(), affiliate_hub_hush( false, array(), affiliate_hub_config()['url'] ), 1, 5, 3 );
$quiet = queued();
$last  = affiliate_hub_last_sentence();
affiliate_hub_move_here();
$did['moved'] = array( 'stored' => $stored, 'quiet' => $quiet, 'last' => $last, 'then' => array_slice( queued(), 1 ), 'copy' => affiliate_hub_is_copy(), 'left' => get_option( 'affiliate_hub_quiet' ) );

anew();
$GLOBALS['home'] = 'https://staging.example';
$GLOBALS['later'] = array();
file_put_contents( CONFIG, str_replace( 's3cret', 'rotated', FIRST ) );
affiliate_hub_follow();
$rotated = affiliate_hub_is_copy();
file_put_contents( CONFIG, "<?php return array( 'url' => 'https://hub.example/connect/con_staging', 'secret' => 'own' );" );
affiliate_hub_follow();
$did['own_connection'] = array( 'rotated' => $rotated, 'copy' => affiliate_hub_is_copy(), 'queued' => queued() );

anew();
$named = affiliate_hub_name_site( array( 'headers' => array( 'X-WC-Webhook-Source' => 'https://www.shop.example/de/' ) ), affiliate_hub_config()['url'] );
$other = affiliate_hub_name_site( array( 'headers' => array( 'X-WC-Webhook-Source' => 'x' ) ), 'https://pay.example/' );
$did['source'] = array( $named['headers']['X-WC-Webhook-Source'], $other['headers']['X-WC-Webhook-Source'] );

anew( 0, array( 5 ) );
$GLOBALS['order']  = null;
$GLOBALS['owners'] = array( 6 );
$error             = array( 'code' => 'woocommerce_rest_cannot_view', 'message' => '', 'data' => array( 'status' => 401 ) );
$GLOBALS['saved'][2]->d['user_id'] = 5;
$seen              = affiliate_hub_payload( $error, 'order', 5, 2 );
$GLOBALS['saved'][2]->d['user_id'] = 5;
affiliate_hub_note_delivery( array( 'body' => '{}' ), taken( '{}' ), 1, 5, 2 );
$did['owner_gone'] = array( 'seen' => array_keys( $seen ), 'then' => $GLOBALS['saved'][2]->d['user_id'] );

anew();
update_option( 'affiliate_hub_proof', array( 'at' => time() - 100, 'fault' => '', 'package' => affiliate_hub_package() ) );
$fresh = affiliate_hub_proof_sentence();
affiliate_hub_note_delivery( array(), array( 'code' => 401 ), 1, 5, 1 );
$GLOBALS['waiting'] = array( 1 => new Action( 'woocommerce_deliver_webhook_async', array() ) );
$did['page'] = array( 'fresh' => $fresh[0], 'stale' => affiliate_hub_proof_sentence(), 'last' => affiliate_hub_last_sentence(), 'waiting' => affiliate_hub_waiting_sentences() );

anew();
$GLOBALS['later']     = array();
$GLOBALS['order']     = new Sold();
$GLOBALS['post_type'] = 'shop_order';
update_option( 'woocommerce_custom_orders_table_enabled', 'yes' );
affiliate_hub_post_deleted( 5 );
$due = array();
foreach ( array( 'page', 'shop_order', 'product' ) as $GLOBALS['post_type'] ) {
	$due[] = affiliate_hub_is_due( true, $GLOBALS['saved'][7], 5 );
}
$did['spare_posts'] = array( 'queued' => queued(), 'due' => $due, 'orders' => affiliate_hub_is_due( true, $GLOBALS['saved'][3], 5 ) );

anew();
$GLOBALS['later']                  = array();
$GLOBALS['saved'][2]->d['topic']   = 'coupon.updated';
$GLOBALS['saved'][3]->d['status']  = 'paused';
$GLOBALS['saved'][4]->d['api_version'] = 1;
$faults = count( affiliate_hub_faults() );
affiliate_hub_look_after();
$did['changed'] = array( 'faults' => $faults, 'after' => affiliate_hub_faults(), 'queued' => array_map( function ( $each ) { return $each[0]; }, $GLOBALS['later'] ) );

anew();
$parked = array( 'code' => 200, 'body' => '<h1>Buy this domain</h1>' );
affiliate_hub_note_delivery( array( 'body' => '{"id":5}' ), $parked, 1, 5, 1 );
$parked['headers'] = taken( '{"id":6}' )['headers'];
affiliate_hub_note_delivery( array( 'body' => '{"id":5}' ), $parked, 1, 5, 2 );
$did['parked'] = array( 'queued' => queued(), 'failing' => (bool) get_option( 'affiliate_hub_failing' ), 'said' => affiliate_hub_last_sentence() );
affiliate_hub_note_delivery( array( 'body' => '{"id":5}' ), taken( '{"id":5}' ), 1, 5, 1 );
$did['parked']['over'] = affiliate_hub_last_sentence()[0];
anew();
foreach ( array( 'lies', 'signs' ) as $knows ) {
	hub_that( $knows );
	affiliate_hub_look_after();
	$did['daily'][] = array( affiliate_hub_proof_sentence()[0], (bool) get_option( 'affiliate_hub_failing' ) );
}

file_put_contents( CONFIG, FIRST );
echo json_encode( $did );
