<?php
// Runs PHP from standard input inside PrestaShop, and prints what it returns as JSON after a record separator.
$_SERVER['HTTP_HOST']      = $_SERVER['SERVER_NAME'] = getenv('SHOP_HOST');
$_SERVER['REQUEST_METHOD'] = 'GET';
$_SERVER['REQUEST_URI']    = '/';
$_SERVER['REMOTE_ADDR']    = '127.0.0.1';
if (getenv('SHOP_AS') === 'employee') {
    define('_PS_ADMIN_DIR_', getenv('SHOP_FOLDER') . '/admin-dev');
}
require getenv('SHOP_FOLDER') . '/config/config.inc.php';
require __DIR__ . '/acts.php';
act_enter();
$result = eval(stream_get_contents(STDIN));
register_shutdown_function(function () use ($result) {
    echo "\x1e", json_encode($result);
});
