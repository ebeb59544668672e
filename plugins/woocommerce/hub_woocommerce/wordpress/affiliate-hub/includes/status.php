<?php
/**
 * The page WooCommerce > Affiliate Hub: whether the hub answers, and when it last did.
 */

defined( 'ABSPATH' ) || exit;

/** Adds the page for those who manage the shop. */
function affiliate_hub_menu() {
	add_submenu_page( 'woocommerce', __( 'Affiliate Hub', 'affiliate-hub' ), __( 'Affiliate Hub', 'affiliate-hub' ), 'manage_woocommerce', 'affiliate-hub', 'affiliate_hub_page' );
}

/** Counts our webhooks that are active. */
function affiliate_hub_active() {
	$active = 0;
	foreach ( (array) get_option( 'affiliate_hub_webhooks', array() ) as $id ) {
		$webhook = wc_get_webhook( (int) $id );
		if ( $webhook && 'active' === $webhook->get_status() ) {
			++$active;
		}
	}
	return $active;
}

/** Shows the page. */
function affiliate_hub_page() {
	if ( ! current_user_can( 'manage_woocommerce' ) ) {
		return;
	}
	$last   = (array) get_option( 'affiliate_hub_last', array() );
	$ping   = (string) get_option( 'affiliate_hub_ping', '' );
	$config = affiliate_hub_config();
	$due    = count( affiliate_hub_topics() );
	echo '<div class="wrap"><h1>' . esc_html__( 'Affiliate Hub', 'affiliate-hub' ) . '</h1>';
	echo '<p>' . esc_html__( 'Connected to', 'affiliate-hub' ) . ' <code>' . esc_html( $config['url'] ) . '</code></p>';
	/* translators: 1: active webhooks, 2: all webhooks. */
	echo '<p>' . esc_html( sprintf( __( 'Active webhooks: %1$d of %2$d', 'affiliate-hub' ), affiliate_hub_active(), $due ) ) . '</p>';
	if ( isset( $last['at'], $last['answer'] ) ) {
		/* translators: 1: date and time in UTC, 2: HTTP status or error. */
		echo '<p>' . esc_html( sprintf( __( 'Last delivery: %1$s UTC, answered %2$s', 'affiliate-hub' ), gmdate( 'Y-m-d H:i:s', (int) $last['at'] ), $last['answer'] ) ) . '</p>';
	} else {
		echo '<p>' . esc_html__( 'Nothing was delivered yet.', 'affiliate-hub' ) . '</p>';
	}
	if ( '' !== $ping ) {
		echo '<p>' . esc_html( 'ok' === $ping ? __( 'The hub answers.', 'affiliate-hub' ) : $ping ) . '</p>';
	}
	echo '<form method="post" action="' . esc_url( admin_url( 'admin-post.php' ) ) . '">';
	echo '<input type="hidden" name="action" value="affiliate_hub_check">';
	wp_nonce_field( 'affiliate_hub_check' );
	echo '<button class="button button-primary">' . esc_html__( 'Mend and check the connection', 'affiliate-hub' ) . '</button></form></div>';
}

/** Brings the webhooks up to date and pings the hub, then shows the page again. */
function affiliate_hub_check() {
	if ( ! current_user_can( 'manage_woocommerce' ) ) {
		wp_die( esc_html__( 'You may not do this.', 'affiliate-hub' ) );
	}
	check_admin_referer( 'affiliate_hub_check' );
	affiliate_hub_activate();
	$ids     = (array) get_option( 'affiliate_hub_webhooks', array() );
	$webhook = $ids ? wc_get_webhook( (int) reset( $ids ) ) : null;
	$answer  = $webhook ? $webhook->deliver_ping() : false;
	update_option( 'affiliate_hub_ping', true === $answer ? 'ok' : ( is_wp_error( $answer ) ? $answer->get_error_message() : __( 'There is no webhook to check.', 'affiliate-hub' ) ), false );
	wp_safe_redirect( admin_url( 'admin.php?page=affiliate-hub' ) );
	exit;
}
