<?php
// What shop owners, buyers and time do in the tests; run.php loads it inside WordPress.

/** Lets everything that waits be sent now, in the order in which it is due; gives how much waits on. */
function act_run_queue() {
	global $wpdb;
	if ( ! function_exists( 'affiliate_hub_waiting' ) ) {
		act_run_actions();
		return 0;
	}
	$table = $wpdb->prefix . 'actionscheduler_actions';
	$pages = "SELECT COUNT(*) FROM $table WHERE status = 'pending'
		AND hook IN ('affiliate_hub_catalogue', 'affiliate_hub_resend_orders')";
	do {
		$more = (int) $wpdb->get_var( $pages );
		$wpdb->query(
			"UPDATE $table SET scheduled_date_gmt = scheduled_date_gmt - INTERVAL 1 YEAR WHERE status = 'pending'
			AND scheduled_date_gmt > UTC_TIMESTAMP() - INTERVAL 30 DAY
			AND (hook LIKE 'affiliate_hub_%' OR hook = 'woocommerce_deliver_webhook_async')
			AND hook <> 'affiliate_hub_daily'"
		);
		while ( ActionScheduler_QueueRunner::instance()->run( 'tests' ) ) {
			continue;
		}
	} while ( $more );
	return affiliate_hub_waiting();
}

/** Lets time pass while the hub does not answer: each attempt that falls due fails; gives how much waits. */
function act_fail( $attempts ) {
	for ( $i = 0; $i < $attempts; $i++ ) {
		act_run_queue();
	}
	return affiliate_hub_waiting();
}

/** Makes a key of WooCommerce's REST API; gives its two halves. */
function act_api_key() {
	global $wpdb;
	$key    = 'ck_' . wc_rand_hash();
	$secret = 'cs_' . wc_rand_hash();
	$wpdb->insert(
		$wpdb->prefix . 'woocommerce_api_keys',
		array( 'user_id' => 1, 'description' => 'Hub', 'permissions' => 'read_write', 'consumer_key' => wc_api_hash( $key ), 'consumer_secret' => $secret, 'truncated_key' => substr( $key, -7 ) )
	);
	return array( $key, $secret );
}

/** Lets WooCommerce send what waits, without any plugin of ours. */
function act_run_actions() {
	global $wpdb;
	$wpdb->query( "UPDATE {$wpdb->prefix}actionscheduler_actions SET scheduled_date_gmt = '2020-01-01 00:00:00' WHERE status = 'pending' AND hook = 'woocommerce_deliver_webhook_async'" );
	while ( ActionScheduler_QueueRunner::instance()->run( 'tests' ) ) {
		continue;
	}
}

/** Gives the distinct states of the shop's webhooks for created orders. */
function act_webhook_states() {
	global $wpdb;
	return $wpdb->get_col( "SELECT DISTINCT status FROM {$wpdb->prefix}wc_webhooks WHERE topic = 'order.created'" );
}

/** Calculates an order anew, as the order screen does. */
function act_recalculate( $order ) {
	$order = wc_get_order( $order->get_id() );
	$order->calculate_totals();
	$order->save();
}

/** Gives the item of an order with a name. */
function act_item( $order, $name, $type = 'line_item' ) {
	foreach ( $order->get_items( $type ) as $item ) {
		if ( $name === $item->get_name() ) {
			return $item;
		}
	}
}

function act_removed( $order ) {
	act_item( $order, 'Rope' )->delete( true );
	act_recalculate( $order );
}

function act_added( $order, $rope ) {
	$order->add_product( wc_get_product( $rope ), 2 );
	act_recalculate( $order );
}

function act_more( $order ) {
	$item = act_item( $order, 'Lantern' );
	$item->set_props( array( 'quantity' => 3, 'subtotal' => 150, 'total' => 150 ) );
	$item->save();
	act_recalculate( $order );
}

function act_coupon( $order ) {
	$coupon = new WC_Coupon();
	$coupon->set_props( array( 'code' => 'ten' . $order->get_id(), 'discount_type' => 'percent', 'amount' => 10 ) );
	$coupon->save();
	$order->apply_coupon( $coupon->get_code() );
	$order->save();
}

/** Adds shipping and a fee to an order, and pays it. */
function act_extras( $order ) {
	$shipping = new WC_Order_Item_Shipping();
	$shipping->set_props( array( 'method_title' => 'Parcel', 'total' => 5.83 ) );
	$order->add_item( $shipping );
	$fee = new WC_Order_Item_Fee();
	$fee->set_props( array( 'name' => 'Wrapping', 'total' => 10 ) );
	$order->add_item( $fee );
	$order->calculate_totals( false );
	$order->save();
	$order->payment_complete();
}

/** Refunds all of one item of an order. */
function act_refund( $order, $type, $name, $money ) {
	$line = array( 'qty' => 'line_item' === $type ? 1 : 0, 'refund_total' => $money, 'refund_tax' => array() );
	$id   = act_item( $order, $name, $type )->get_id();
	wc_create_refund( array( 'order_id' => $order->get_id(), 'amount' => $money, 'line_items' => array( $id => $line ) ) );
}

/** Adds a tax of 19 percent to an order's goods, and pays it. */
function act_tax( $order ) {
	foreach ( $order->get_items() as $item ) {
		$tax = wc_format_decimal( $item->get_total() * 0.19, 2 );
		$item->set_taxes( array( 'total' => array( 1 => $tax ), 'subtotal' => array( 1 => $tax ) ) );
		$item->save();
	}
	$order->update_taxes();
	$order->calculate_totals( false );
	$order->save();
	$order->payment_complete();
}

/** Refunds what each entry names: type, name, pieces, money, tax; all in one refund. */
function act_refund_parts( $order, $parts ) {
	$lines = array();
	$money = 0;
	foreach ( $parts as $part ) {
		list( $type, $name, $pieces, $total, $tax ) = $part;
		$id           = act_item( $order, $name, $type )->get_id();
		$lines[ $id ] = array( 'qty' => $pieces, 'refund_total' => $total, 'refund_tax' => $tax ? array( 1 => $tax ) : array() );
		$money       += $total + $tax;
	}
	return wc_create_refund( array( 'order_id' => $order->get_id(), 'amount' => $money, 'line_items' => $lines ) );
}

/** Pays an order by a gift card but for some money, as plugins do that lower its total. */
function act_gift_card( $order, $money ) {
	$order->set_total( $money );
	$order->save();
	$order->payment_complete();
}

/** Refunds pieces of one item of an order for less money than they are worth; without pieces, money alone. */
function act_refund_less( $order, $name, $pieces, $worth, $money ) {
	$line  = array( 'qty' => $pieces, 'refund_total' => $worth, 'refund_tax' => array() );
	$lines = $pieces ? array( act_item( $order, $name, 'line_item' )->get_id() => $line ) : array();
	$made  = wc_create_refund( array( 'order_id' => $order->get_id(), 'amount' => $money, 'line_items' => $lines ) );
	return is_wp_error( $made ) ? $made->get_error_message() : true;
}

/** Writes an order in another currency, with as many decimals as the shop is set to, and pays it. */
function act_currency( $order, $currency, $decimals, $each ) {
	update_option( 'woocommerce_price_num_decimals', $decimals );
	$order->set_currency( $currency );
	foreach ( $order->get_items() as $item ) {
		$item->set_props( array( 'subtotal' => $each, 'total' => $each ) );
		$item->save();
	}
	$order->calculate_totals( false );
	$order->save();
	$order->payment_complete();
}

/** Deletes an order's refunds as the button on its page does. */
function act_undo_refunds( $order ) {
	foreach ( $order->get_refunds() as $refund ) {
		$id = $refund->get_id();
		$refund->delete( true );
		do_action( 'woocommerce_refund_deleted', $id, $order->get_id() );
	}
}

/** Deletes an order's refunds by WooCommerce's REST API. */
function act_rest_undo_refunds( $order ) {
	wp_set_current_user( 1 );
	foreach ( $order->get_refunds() as $refund ) {
		$request = new WP_REST_Request( 'DELETE', '/wc/v3/orders/' . $order->get_id() . '/refunds/' . $refund->get_id() );
		$request->set_param( 'force', true );
		rest_do_request( $request );
	}
}

/** Puts the database back to before an order, as a restored backup does: the next order gets its number. */
function act_restore( $order_id ) {
	global $wpdb;
	foreach ( array( 'posts' => 'ID', 'postmeta' => 'post_id', 'wc_orders' => 'id', 'wc_orders_meta' => 'order_id', 'wc_order_addresses' => 'order_id', 'wc_order_operational_data' => 'order_id', 'woocommerce_order_items' => 'order_id', 'wc_order_stats' => 'order_id' ) as $table => $column ) {
		$wpdb->query( "DELETE FROM {$wpdb->prefix}$table WHERE $column >= " . (int) $order_id );
	}
	$wpdb->query( "ALTER TABLE {$wpdb->prefix}posts AUTO_INCREMENT = " . (int) $order_id );
	wp_cache_flush();
}

/** Deletes an order for good by WooCommerce's REST API; gives the status of the answer. */
function act_rest_delete( $order_id ) {
	wp_set_current_user( 1 );
	$request = new WP_REST_Request( 'DELETE', '/wc/v3/orders/' . $order_id );
	$request->set_param( 'force', true );
	return rest_do_request( $request )->get_status();
}

/** Erases a buyer's data from an order, as Tools > Erase Personal Data does. */
function act_erase_buyer( $order_id ) {
	WC_Privacy_Erasers::remove_order_personal_data( wc_get_order( $order_id ) );
	return true;
}

/** Presses Tools > Erase Personal Data for a buyer whose orders WooCommerce keeps; gives what the hub's eraser says. */
function act_erase_by_tool( $order_id, $email ) {
	update_option( 'woocommerce_erasure_request_removes_order_data', 'no' );
	$order = wc_get_order( $order_id );
	$order->set_billing_email( $email );
	$order->save();
	foreach ( apply_filters( 'wp_privacy_personal_data_erasers', array() ) as $name => $eraser ) {
		$said[ $name ] = call_user_func( $eraser['callback'], $email, 1 );
	}
	return $said['affiliate-hub'];
}

/** Makes a product with a price. */
function act_product( $name ) {
	$product = new WC_Product_Simple();
	$product->set_props( array( 'name' => $name, 'regular_price' => '5.00' ) );
	return $product->save();
}

/** Makes a variable product of two variations, each with a stock of its own. */
function act_variable() {
	$attribute = new WC_Product_Attribute();
	$attribute->set_name( 'Size' );
	$attribute->set_options( array( 'S', 'L' ) );
	$attribute->set_variation( true );
	$parent = new WC_Product_Variable();
	$parent->set_name( 'Coat' );
	$parent->set_attributes( array( $attribute ) );
	$id = $parent->save();
	foreach ( array( 'S', 'L' ) as $size ) {
		$variation = new WC_Product_Variation();
		$variation->set_props(
			array( 'parent_id' => $id, 'attributes' => array( 'size' => $size ), 'regular_price' => '30.00', 'manage_stock' => true, 'stock_quantity' => 2 )
		);
		$variation->save();
	}
	WC_Product_Variable::sync( $id );
	return $id;
}

/** Sells the last piece of each variation. */
function act_sell_out( $parent ) {
	foreach ( wc_get_product( $parent )->get_children() as $id ) {
		wc_update_product_stock( $id, 0 );
	}
	return true;
}

/** Takes an order out of the trash, as the list of orders does. */
function act_untrash( $order ) {
	if ( 'yes' === get_option( 'woocommerce_custom_orders_table_enabled' ) ) {
		$order->untrash();
	} else {
		wp_untrash_post( $order->get_id() );
	}
}

/** Takes the owner of the webhooks away, as WordPress does when a user is deleted without reassigning. */
function act_orphan() {
	foreach ( affiliate_hub_known() as $id ) {
		$webhook = wc_get_webhook( $id );
		$webhook->set_user_id( 0 );
		$webhook->save();
	}
}

/** Lets nobody read orders, for this run. */
function act_nobody() {
	add_filter(
		'user_has_cap',
		function ( $able ) {
			unset( $able['read_private_shop_orders'] );
			return $able;
		}
	);
}

/** Lets PHP be stopped in the middle of every delivery that waits, and WooCommerce's queue find that out. */
function act_crash() {
	global $wpdb;
	$stopped = $wpdb->query(
		"UPDATE {$wpdb->prefix}actionscheduler_actions SET status = 'in-progress', last_attempt_gmt = '2020-01-01 00:00:00'
		WHERE status = 'pending' AND hook IN ('woocommerce_deliver_webhook_async', 'affiliate_hub_deliver')"
	);
	( new ActionScheduler_QueueCleaner( null, 1000 ) )->mark_failures( 1 );
	return $stopped;
}

/** Lets time pass since the first delivery failed. */
function act_hours( $hours ) {
	update_option( 'affiliate_hub_failing', time() - $hours * HOUR_IN_SECONDS, true );
}

/** Lets WordPress's scheduled tasks send what is due, and nothing else; gives how much waits on. */
function act_run_due() {
	while ( ActionScheduler_QueueRunner::instance()->run( 'tests' ) ) {
		continue;
	}
	return affiliate_hub_waiting();
}

/** Asks the hub to prove itself: with a wrong signature, or where something else answers. */
function act_prove( $how ) {
	if ( 'wrong' === $how ) {
		add_filter(
			'http_request_args',
			function ( $args ) {
				$args['headers']['X-Affiliate-Hub-Signature'] = 'ab';
				return $args;
			}
		);
	} elseif ( 'other' === $how ) {
		add_filter(
			'pre_http_request',
			function () {
				return array( 'response' => array( 'code' => 200 ), 'body' => '{}' );
			}
		);
	}
	return affiliate_hub_prove();
}

/** Gives the path of a checkout page, either of blocks or of the classic shortcode, which is then the shop's own. */
function act_checkout_page( $which ) {
	$content = 'classic' === $which ? '<!-- wp:shortcode -->[woocommerce_checkout]<!-- /wp:shortcode -->' : '';
	if ( '' === $content ) {
		delete_option( 'woocommerce_checkout_page_id' );
		WC_Install::create_pages();
		$id = wc_get_page_id( 'checkout' );
	} else {
		$id = wp_insert_post( array( 'post_type' => 'page', 'post_status' => 'publish', 'post_title' => 'Classic', 'post_content' => $content ) );
		update_option( 'woocommerce_checkout_page_id', $id );
	}
	flush_rewrite_rules();
	return wp_parse_url( get_permalink( $id ), PHP_URL_PATH );
}

/** Presses the page's button; gives '' if the connection is proved. */
function act_mend() {
	affiliate_hub_mend();
	return get_option( 'affiliate_hub_proof' )['fault'];
}

/** Leaves the webhooks to WooCommerce alone, for this run. */
function act_without_queue() {
	remove_action( 'woocommerce_webhook_delivery', 'affiliate_hub_note_delivery', 10 );
}

/** Gives what the owner is told on every admin page. */
function act_notices() {
	wp_set_current_user( 1 );
	ob_start();
	affiliate_hub_notices();
	return ob_get_clean();
}

/** Deletes the plugin as the Plugins screen does; gives what is left of it. */
function act_delete_plugin() {
	deactivate_plugins( 'affiliate-hub/affiliate-hub.php' );
	uninstall_plugin( 'affiliate-hub/affiliate-hub.php' );
	return act_left();
}

/** Gives what is left of the plugin: its settings, scheduled actions and webhooks. */
function act_left() {
	global $wpdb;
	return array(
		$wpdb->get_col( "SELECT option_name FROM {$wpdb->options} WHERE option_name LIKE 'affiliate_hub%'" ),
		$wpdb->get_col(
			"SELECT hook FROM {$wpdb->prefix}actionscheduler_actions
			WHERE hook LIKE 'affiliate_hub%'"
		),
		$wpdb->get_col( "SELECT name FROM {$wpdb->prefix}wc_webhooks WHERE name LIKE 'Affiliate Hub:%'" ),
	);
}
