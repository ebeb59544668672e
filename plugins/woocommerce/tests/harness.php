<?php
// Runs the plugin's functions once, from the activation to the uninstallation.
require __DIR__ . '/stubs.php';
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
affiliate_hub_note_delivery( array( 'body' => '{}' ), taken( '{}' ), 1, 5, 1 );
ob_start();
affiliate_hub_page();
$page  = ob_get_clean();
$count = count( $GLOBALS['saved'] );
affiliate_hub_deactivate();
$paused = reset( $GLOBALS['saved'] )->d['status'];
define( 'WP_UNINSTALL_PLUGIN', true );
require $argv[1] . '/uninstall.php';
echo json_encode( array( 'first' => $first, 'count' => $count, 'refused' => $refused, 'payload' => $payload, 'foreign' => $foreign, 'error' => $error, 'page' => $page, 'deleted' => $deleted, 'again' => $again, 'failing' => $failing, 'pauses' => array_map( 'affiliate_hub_pause', array( 1, 2, 3, 30 ) ), 'paused' => $paused, 'left' => count( $GLOBALS['saved'] ) + count( $GLOBALS['options'] ), 'hooks' => array_keys( $GLOBALS['hooks'] ) ) );
