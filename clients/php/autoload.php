<?php

// For shops without Composer: require this file, and the classes of the client are found.

declare(strict_types=1);

spl_autoload_register(static function (string $class): void {
    $prefix = 'AffiliateHub\\';
    $file = __DIR__ . '/src/' . str_replace('\\', '/', substr($class, strlen($prefix))) . '.php';
    if (strncmp($class, $prefix, strlen($prefix)) === 0 && is_file($file)) {
        require $file;
    }
});
