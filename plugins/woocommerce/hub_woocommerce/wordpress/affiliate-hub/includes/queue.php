<?php
/**
 * Deliveries that failed are sent again, with growing pauses, for a week: WooCommerce itself never does, and turns a
 * webhook off after six failures.
 */

defined( 'ABSPATH' ) || exit;

define( 'AFFILIATE_HUB_GROUP', 'affiliate-hub' );
define( 'AFFILIATE_HUB_ATTEMPTS', 36 );
define( 'AFFILIATE_HUB_TIMEOUT', 15 );

/** Gives the pause before an attempt in seconds: a minute, doubled each time, at most six hours; a week in all. */
function affiliate_hub_pause( $attempt ) {
	return (int) min( MINUTE_IN_SECONDS * pow( 2, max( 0, $attempt - 1 ) ), 6 * HOUR_IN_SECONDS );
}

/** Does something later, unless it is due anyway. Arguments are texts, so that a search among them is exact. */
function affiliate_hub_later( $hook, $args, $seconds, $same = null ) {
	if ( ! function_exists( 'as_schedule_single_action' ) ) {
		return;
	}
	$pending = as_get_scheduled_actions(
		array(
			'hook'                  => $hook,
			'args'                  => null === $same ? $args : $same,
			'partial_args_matching' => null === $same ? 'off' : 'like',
			'group'                 => AFFILIATE_HUB_GROUP,
			'status'                => ActionScheduler_Store::STATUS_PENDING,
			'per_page'              => 1,
		),
		'ids'
	);
	if ( ! $pending ) {
		as_schedule_single_action( time() + $seconds, $hook, $args, AFFILIATE_HUB_GROUP );
	}
}

/** Has a webhook of ours deliver something soon. */
function affiliate_hub_enqueue_delivery( $topic, $arg, $seconds = 1, $attempt = 0 ) {
	$known = affiliate_hub_known();
	if ( ! empty( $known[ $topic ] ) ) {
		affiliate_hub_enqueue_webhook( $known[ $topic ], $arg, $seconds, $attempt );
	}
}

/** The same by the webhook's id. */
function affiliate_hub_enqueue_webhook( $webhook_id, $arg, $seconds, $attempt ) {
	$same = array( 'webhook' => (string) $webhook_id, 'arg' => (string) $arg );
	affiliate_hub_later( 'affiliate_hub_deliver', $same + array( 'attempt' => (string) $attempt ), $seconds, $same );
}

/** Delivers once more. */
function affiliate_hub_deliver( $webhook_id, $arg, $attempt ) {
	$webhook = function_exists( 'wc_get_webhook' ) ? wc_get_webhook( (int) $webhook_id ) : null;
	if ( $webhook ) {
		$GLOBALS['affiliate_hub_attempt'] = (int) $attempt;
		try {
			$webhook->deliver( ctype_digit( $arg ) ? (int) $arg : $arg );
		} finally {
			$GLOBALS['affiliate_hub_attempt'] = 0;
		}
	}
}

/** Waits a quarter of a minute for the hub instead of one: while it hangs, the shop's other tasks wait behind. */
function affiliate_hub_be_brief( $http_args, $arg, $webhook_id ) {
	if ( affiliate_hub_is_ours( $webhook_id ) ) {
		$http_args['timeout'] = AFFILIATE_HUB_TIMEOUT;
	}
	return $http_args;
}

/** Notes what the hub answered; a delivery that failed is sent again, and never turns the webhook off. */
function affiliate_hub_note_delivery( $http_args, $response, $duration, $arg, $webhook_id ) {
	if ( ! affiliate_hub_is_ours( $webhook_id ) ) {
		return;
	}
	$attempt = isset( $GLOBALS['affiliate_hub_attempt'] ) ? (int) $GLOBALS['affiliate_hub_attempt'] : 0;
	$webhook = new WC_Webhook( (int) $webhook_id );
	affiliate_hub_keep_owner( $webhook );
	if ( affiliate_hub_was_hushed( $response ) ) {
		affiliate_hub_keep_awake( $webhook );
		if ( '.deleted' === substr( $webhook->get_topic(), -8 ) ) {
			affiliate_hub_enqueue_webhook( $webhook_id, $arg, DAY_IN_SECONDS, $attempt );
		}
	} elseif ( ! affiliate_hub_note_answer( $response, isset( $http_args['body'] ) ? (string) $http_args['body'] : '' ) ) {
		affiliate_hub_keep_awake( $webhook );
		affiliate_hub_try_again( $webhook_id, $arg, $attempt + 1 );
	}
}

/** Keeps a webhook active whatever failed. */
function affiliate_hub_keep_awake( $webhook ) {
	if ( 'disabled' === $webhook->get_status() || $webhook->get_failure_count() ) {
		$webhook->set_failure_count( 0 );
		$webhook->set_status( 'active' );
		$webhook->save();
	}
}

/** Has a webhook deliver again after the pause before this attempt; after the last one it is given up. */
function affiliate_hub_try_again( $webhook_id, $arg, $attempt ) {
	if ( $attempt > AFFILIATE_HUB_ATTEMPTS ) {
		update_option( 'affiliate_hub_given_up', time(), false );
	} elseif ( is_scalar( $arg ) ) {
		affiliate_hub_enqueue_webhook( $webhook_id, $arg, affiliate_hub_pause( $attempt ), $attempt );
	}
}

/** Notes an answer; says whether the hub took what was sent, which only the hub's own signature says. */
function affiliate_hub_note_answer( $response, $body ) {
	$code   = is_wp_error( $response ) ? 0 : (int) wp_remote_retrieve_response_code( $response );
	$kind   = $code >= 200 && $code < 300;
	$taken  = $kind && affiliate_hub_is_signed( $response, $body );
	$answer = is_wp_error( $response ) ? $response->get_error_message() : (string) $code;
	if ( $kind && ! $taken ) {
		/* translators: %d: an HTTP status. */
		$answer = sprintf( __( '%d, but not by your hub: the answer is not signed. Something else is at its address; what it did not take is sent again.', 'affiliate-hub' ), $code );
	}
	update_option( 'affiliate_hub_last', array( 'at' => time(), 'answer' => $answer, 'taken' => $taken ), false );
	if ( $taken ) {
		update_option( 'affiliate_hub_taken', time(), false );
		affiliate_hub_catch_up();
	} elseif ( ! get_option( 'affiliate_hub_failing' ) ) {
		update_option( 'affiliate_hub_failing', time(), true );
	}
	return $taken;
}

/** Counts what waits to be sent again. */
function affiliate_hub_waiting() {
	$waiting = 0;
	foreach ( array( 'affiliate_hub_deliver', 'affiliate_hub_send' ) as $hook ) {
		$waiting += (int) ActionScheduler_Store::instance()->query_actions( array( 'hook' => $hook, 'status' => ActionScheduler_Store::STATUS_PENDING ), 'count' );
	}
	return $waiting;
}

/** Sends a message of the plugin's own, signed like a webhook; one that fails is sent again. */
function affiliate_hub_send( $topic, $body, $attempt ) {
	$config   = affiliate_hub_config();
	$response = wp_safe_remote_post(
		$config['url'],
		array(
			'timeout' => AFFILIATE_HUB_TIMEOUT,
			'body'    => $body,
			'headers' => array(
				'Content-Type'           => 'application/json',
				'X-WC-Webhook-Source'    => home_url( '/' ),
				'X-WC-Webhook-Topic'     => $topic,
				'X-WC-Webhook-Signature' => base64_encode( hash_hmac( 'sha256', $body, $config['secret'], true ) ),
			),
		)
	);
	if ( affiliate_hub_was_hushed( $response ) ) {
		affiliate_hub_send_later( $topic, $body, (int) $attempt, DAY_IN_SECONDS );
	} elseif ( ! affiliate_hub_note_answer( $response, $body ) ) {
		affiliate_hub_send_later( $topic, $body, (int) $attempt + 1, affiliate_hub_pause( (int) $attempt + 1 ) );
	}
}

/** Has a message of the plugin's own sent later, unless its attempts are used up. */
function affiliate_hub_send_later( $topic, $body, $attempt, $seconds ) {
	if ( $attempt <= AFFILIATE_HUB_ATTEMPTS ) {
		affiliate_hub_later( 'affiliate_hub_send', array( 'topic' => $topic, 'body' => $body, 'attempt' => (string) $attempt ), $seconds );
	}
}

/** Has the webhooks looked after once a day. */
function affiliate_hub_schedule_daily() {
	if ( function_exists( 'as_has_scheduled_action' ) && ! as_has_scheduled_action( 'affiliate_hub_daily' ) ) {
		as_schedule_recurring_action( time() + DAY_IN_SECONDS, DAY_IN_SECONDS, 'affiliate_hub_daily', array(), AFFILIATE_HUB_GROUP );
	}
}
