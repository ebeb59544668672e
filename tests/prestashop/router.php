<?php
// PrestaShop behind PHP's own web server: files as they are, the webservice under /api, everything else by index.php.
$_SERVER['HTTP_HOST'] = $_SERVER['SERVER_NAME'] = 'shop.example'; // PrestaShop redirects every other host to its own
$path = parse_url($_SERVER['REQUEST_URI'], PHP_URL_PATH);
if (strpos($path, '/api/') === 0) {
    $_GET['url'] = substr($path, 5);
    $_SERVER['SCRIPT_NAME'] = '/webservice/dispatcher.php';
    chdir($_SERVER['DOCUMENT_ROOT'] . '/webservice');
    require 'dispatcher.php';
    return true;
}
if ($path !== '/' && is_file($_SERVER['DOCUMENT_ROOT'] . $path)) {
    return false;
}
$_SERVER['SCRIPT_NAME'] = $_SERVER['PHP_SELF'] = '/index.php';
require $_SERVER['DOCUMENT_ROOT'] . '/index.php';
