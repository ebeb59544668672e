<?php
/**
 * What the page says of the connection's state, sentence by sentence, each with its kind of notice.
 */

defined( 'ABSPATH' ) || exit;

/** Gives all that the page says, as kind and sentence. */
function affiliate_hub_sentences() {
	$said = array();
	if ( affiliate_hub_is_copy() ) {
		/* translators: 1: the address that was connected, 2: this one. */
		$said[] = array( 'error', sprintf( __( 'This site is %2$s, but %1$s was connected. Nothing is sent from here, so that trial orders of a copy change nothing.', 'affiliate-hub' ), affiliate_hub_known_site(), affiliate_hub_site() ) );
	}
	foreach ( affiliate_hub_faults() as $fault ) {
		$said[] = array( 'error', $fault );
	}
	return array_merge( $said, array( affiliate_hub_proof_sentence(), affiliate_hub_last_sentence() ), affiliate_hub_waiting_sentences() );
}

/** Gives what is known of the secret; a proof from before deliveries began to fail proves nothing any more. */
function affiliate_hub_proof_sentence() {
	$proof   = get_option( 'affiliate_hub_proof' );
	$failing = (int) get_option( 'affiliate_hub_failing' );
	if ( ! is_array( $proof ) || ! isset( $proof['at'], $proof['fault'], $proof['package'] ) || affiliate_hub_package() !== $proof['package'] ) {
		return array( 'warning', __( 'The connection was not proved yet. Press the button.', 'affiliate-hub' ) );
	}
	if ( '' !== $proof['fault'] ) {
		return array( 'error', affiliate_hub_time( $proof['at'] ) . ': ' . $proof['fault'] );
	}
	if ( $failing > $proof['at'] ) {
		/* translators: 1: a time, 2: a later one. */
		return array( 'warning', sprintf( __( 'Proved at %1$s, but deliveries have failed since %2$s. Press the button to see why.', 'affiliate-hub' ), affiliate_hub_time( $proof['at'] ), affiliate_hub_time( $failing ) ) );
	}
	/* translators: %s: a time. */
	return array( 'success', sprintf( __( 'Proved at %s: this shop and the hub know the same secret.', 'affiliate-hub' ), affiliate_hub_time( $proof['at'] ) ) );
}

/** Gives what became of the last delivery. */
function affiliate_hub_last_sentence() {
	$last = get_option( 'affiliate_hub_last' );
	if ( ! is_array( $last ) || ! isset( $last['at'], $last['answer'] ) ) {
		return array( 'info', __( 'Nothing was delivered yet.', 'affiliate-hub' ) );
	}
	/* translators: 1: a time, 2: HTTP status or error. */
	$text = sprintf( __( 'Last delivery: %1$s, answered %2$s', 'affiliate-hub' ), affiliate_hub_time( $last['at'] ), $last['answer'] );
	if ( ! empty( $last['taken'] ) ) {
		return array( 'info', $text );
	}
	return array( 'error', ctype_digit( (string) $last['answer'] ) ? $text . '. ' . affiliate_hub_meaning( (int) $last['answer'] ) : $text );
}

/** Gives what waits, and whether anything runs that would send it. */
function affiliate_hub_waiting_sentences() {
	$said    = array();
	$waiting = affiliate_hub_waiting() + affiliate_hub_not_tried();
	if ( $waiting ) {
		/* translators: %d: how many deliveries. */
		$said[] = array( 'info', sprintf( __( 'Waiting to be sent: %d', 'affiliate-hub' ), $waiting ) );
	}
	if ( as_has_scheduled_action( 'affiliate_hub_resend_orders' ) || as_has_scheduled_action( 'affiliate_hub_catalogue' ) ) {
		$said[] = array( 'info', __( 'Orders or products are being gathered to be sent.', 'affiliate-hub' ) );
	}
	if ( affiliate_hub_is_overdue() ) {
		$said[] = array( 'error', __( 'What was due a quarter of an hour ago has not been sent: WordPress\'s scheduled tasks (wp-cron) do not run. See WooCommerce > Status > Scheduled Actions.', 'affiliate-hub' ) );
	}
	return $said;
}

/** Counts deliveries of our webhooks that WooCommerce has not tried yet. */
function affiliate_hub_not_tried() {
	global $wpdb;
	$waiting = 0;
	foreach ( affiliate_hub_known() as $id ) {
		// Not by Action Scheduler's own search, for which webhook 1 is the beginning of webhook 12.
		$counted  = "SELECT COUNT(*) FROM {$wpdb->prefix}actionscheduler_actions WHERE hook = 'woocommerce_deliver_webhook_async' AND status = 'pending' AND args LIKE %s";
		$waiting += (int) $wpdb->get_var( $wpdb->prepare( $counted, '{"webhook\\_id":' . (int) $id . ',%' ) ); // phpcs:ignore WordPress.DB.PreparedSQL.NotPrepared -- prepared here.
	}
	return $waiting;
}

/** Says whether a delivery has been due for a quarter of an hour. */
function affiliate_hub_is_overdue() {
	foreach ( array( 'woocommerce_deliver_webhook_async', 'affiliate_hub_deliver', 'affiliate_hub_send' ) as $hook ) {
		$overdue = array( 'hook' => $hook, 'status' => ActionScheduler_Store::STATUS_PENDING, 'date' => '-15 minutes', 'date_compare' => '<=', 'per_page' => 1 );
		if ( as_get_scheduled_actions( $overdue, 'ids' ) ) {
			return true;
		}
	}
	return false;
}
