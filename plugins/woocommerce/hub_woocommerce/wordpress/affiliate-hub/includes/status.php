<?php
/**
 * The page WooCommerce > Affiliate Hub, and the notices of what its owner should know.
 */

defined( 'ABSPATH' ) || exit;

/** Adds the page for those who manage the shop. */
function affiliate_hub_menu() {
	add_submenu_page( 'woocommerce', __( 'Affiliate Hub', 'affiliate-hub' ), __( 'Affiliate Hub', 'affiliate-hub' ), 'manage_woocommerce', 'affiliate-hub', 'affiliate_hub_page' );
}

/** Lets only those act who manage the shop and come from the page. */
function affiliate_hub_require_owner( $action ) {
	if ( ! current_user_can( 'manage_woocommerce' ) ) {
		wp_die( esc_html__( 'You may not do this.', 'affiliate-hub' ) );
	}
	check_admin_referer( $action );
}

/** Shows the page again. */
function affiliate_hub_back() {
	wp_safe_redirect( admin_url( 'admin.php?page=affiliate-hub' ) );
	exit;
}

/** Takes the owner's wish to repair and check the connection. */
function affiliate_hub_check() {
	affiliate_hub_require_owner( 'affiliate_hub_check' );
	affiliate_hub_mend();
	affiliate_hub_back();
}

/** Brings the webhooks up to date, asks the hub to prove itself, and sends what waits and what an outage may have lost. */
function affiliate_hub_mend() {
	affiliate_hub_repair();
	affiliate_hub_sync();
	affiliate_hub_schedule_daily();
	if ( '' === affiliate_hub_prove_and_note() ) {
		affiliate_hub_catch_up();
		affiliate_hub_later( 'affiliate_hub_hurry', array(), 1 );
	}
}

/** Gives a time as people read it, in UTC. */
function affiliate_hub_time( $seconds ) {
	return gmdate( 'Y-m-d H:i:s', (int) $seconds ) . ' UTC';
}

/** Shows the page. */
function affiliate_hub_page() {
	if ( ! current_user_can( 'manage_woocommerce' ) ) {
		return;
	}
	echo '<div class="wrap"><h1>' . esc_html__( 'Affiliate Hub', 'affiliate-hub' ) . '</h1>';
	echo '<p>' . esc_html__( 'Connected to', 'affiliate-hub' ) . ' <code>' . esc_html( affiliate_hub_config()['url'] ) . '</code></p>';
	foreach ( affiliate_hub_sentences() as $said ) {
		echo '<div class="notice inline notice-' . esc_attr( $said[0] ) . '"><p>' . esc_html( $said[1] ) . '</p></div>';
	}
	affiliate_hub_form( 'affiliate_hub_check', __( 'Repair and check the connection', 'affiliate-hub' ), '', 'button-primary' );
	$since = '<label>' . esc_html__( 'Orders changed since', 'affiliate-hub' ) . ' <input type="date" name="since" required value="' . esc_attr( gmdate( 'Y-m-d', time() - 7 * DAY_IN_SECONDS ) ) . '"></label> ';
	affiliate_hub_form( 'affiliate_hub_resend', __( 'Send again', 'affiliate-hub' ), $since, '' );
	if ( affiliate_hub_is_copy() ) {
		affiliate_hub_form( 'affiliate_hub_site', __( 'The shop has moved here: connect this site', 'affiliate-hub' ), '', '' );
	}
	echo '</div>';
}

/** Shows a form of one button; `$fields` are its other fields, escaped. */
function affiliate_hub_form( $action, $label, $fields, $style ) {
	echo '<form method="post" action="' . esc_url( admin_url( 'admin-post.php' ) ) . '" style="margin:1em 0">';
	echo '<input type="hidden" name="action" value="' . esc_attr( $action ) . '">';
	wp_nonce_field( $action );
	// phpcs:ignore WordPress.Security.EscapeOutput.OutputNotEscaped -- escaped where it is made.
	echo $fields . '<button class="button ' . esc_attr( $style ) . '">' . esc_html( $label ) . '</button></form>';
}

/** Says on every admin page what keeps orders from reaching the hub, while it lasts. */
function affiliate_hub_notices() {
	if ( ! current_user_can( 'manage_woocommerce' ) ) {
		return;
	}
	$page = admin_url( 'admin.php?page=affiliate-hub' );
	if ( affiliate_hub_is_copy() ) {
		$text = __( 'Affiliate Hub: this looks like a copy of the shop, so nothing is sent to the hub.', 'affiliate-hub' );
	} elseif ( get_option( 'affiliate_hub_failing' ) ) {
		/* translators: %s: a time. */
		$text = sprintf( __( 'Affiliate Hub: the hub has not taken deliveries since %s. What it missed is sent once it takes them again.', 'affiliate-hub' ), affiliate_hub_time( get_option( 'affiliate_hub_failing' ) ) );
	} elseif ( affiliate_hub_is_overdue() ) {
		$text = __( 'Affiliate Hub: the hub hears of no order, because WordPress\'s scheduled tasks do not run. Nothing is lost: it is sent once they do.', 'affiliate-hub' );
	} else {
		return;
	}
	echo '<div class="notice notice-warning"><p>' . esc_html( $text ) . ' <a href="' . esc_url( $page ) . '">' . esc_html__( 'Show', 'affiliate-hub' ) . '</a></p></div>';
}
