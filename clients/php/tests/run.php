<?php

// The client against a real hub (HUB_BASE_URL, HUB_KEY, HUB_SECRET) and a proxy that fails (FAULTY_BASE_URL).
// It needs nothing but PHP: php tests/run.php. PSR18 says what sends the requests in place of PHP's streams: "small" is
// the client of tests/psr.php, anything else the autoloader of Guzzle.

declare(strict_types=1);

use AffiliateHub\AffiliatesHub;
use AffiliateHub\Hub;
use AffiliateHub\HubError;
use AffiliateHub\MissingSetting;
use AffiliateHub\NoAnswer;
use AffiliateHub\OperatorsHub;
use AffiliateHub\Psr18Transport;
use AffiliateHub\RateLimited;
use AffiliateHub\Retries;
use AffiliateHub\Signing;
use AffiliateHub\WebhookFault;
use AffiliateHub\Webhooks;

error_reporting(E_ALL);
set_error_handler(static function (int $level, string $message, string $file, int $line): bool {
    if (error_reporting() & $level) {
        throw new ErrorException($message, 0, $level, $file, $line);
    }
    return false;
});
require __DIR__ . '/../autoload.php';

/** @param mixed $expected @param mixed $seen */
function same($expected, $seen): void
{
    if ($expected !== $seen) {
        throw new RuntimeException('expected ' . var_export($expected, true) . ', but saw ' . var_export($seen, true));
    }
}

function fault(string $class, callable $act): Throwable
{
    try {
        $act();
    } catch (Throwable $fault) {
        if ($fault instanceof $class) {
            return $fault;
        }
        throw $fault;
    }
    throw new RuntimeException("expected $class");
}

/** @return array<string, string> */
function order(): array
{
    return ['externalOrderId' => 'php-' . bin2hex(random_bytes(8)), 'orderAmount' => '49.90'];
}

function attempts(string $key): int
{
    return (int) file_get_contents(getenv('FAULTY_ROOT') . "/attempts/$key");
}

$vectors = json_decode(file_get_contents(__DIR__ . '/../../vectors.json'), true);
$psr18 = (string) getenv('PSR18');
$transport = null;
if ($psr18 === 'small') {
    require __DIR__ . '/psr.php';
    $small = new SmallPsr18\Client();
    $transport = new Psr18Transport($small, $small, $small);
} elseif ($psr18 !== '') {
    require $psr18;
    $factory = new GuzzleHttp\Psr7\HttpFactory();
    $transport = new Psr18Transport(new GuzzleHttp\Client(['timeout' => 40]), $factory, $factory);
}
$hub = Hub::fromEnvironment(null, $transport);
$quick = new Retries(4, 0.01);
$own = [getenv('FAULTY_BASE_URL'), getenv('HUB_KEY'), getenv('HUB_SECRET')];
$faulty = new Hub($own[0], $own[1], $own[2], $quick, 10, null, $transport);

$tests = [
    'signatures are those of the shared vectors' => static function () use ($vectors): void {
        foreach ($vectors['requests'] as $each) {
            $shared = [$each['secret'], $each['timestamp'], $each['nonce']];
            same($each['signature'], Signing::signature(...[...$shared, $each['body']]));
            $asked = [$each['method'], $each['target'], $each['body']];
            same($each['signatureV2'], Signing::signatureV2(...[...$shared, ...$asked]));
        }
    },
    'changes are followed to their end, and from a cursor that was kept' => static function () use ($hub): void {
        $import = static function () use ($hub): void {
            $product = ['externalProductId' => 'feed-' . bin2hex(random_bytes(8)), 'name' => 'y', 'price' => '1.00'];
            $hub->importProducts(['products' => [$product + ['productUrl' => 'https://shop.example/p']]]);
        };
        $import();
        $parts = iterator_to_array($hub->followChanges(null, 'product', 0, 1), false);
        $last = $parts[count($parts) - 1];
        same(false, $last['more']);
        $import();
        $part = $hub->followChanges($last['cursor'], 'product', 5)->current();
        same(1, count($part['data']));
        $after = iterator_to_array($hub->followChanges($part['cursor'], 'product', 0), false);
        same([[]], array_column($after, 'data'));
    },
    'headers can be read, and iterators ask for as many as there may be' => static function () use ($quick, $transport): void {
        $answered = [];
        $note = static function (string $method, string $path, int $status, array $headers) use (&$answered): void {
            $answered[] = [$method, $path, $status, isset($headers['etag'])];
        };
        $own = [getenv('HUB_BASE_URL'), getenv('HUB_KEY'), getenv('HUB_SECRET')];
        $watched = new Hub($own[0], $own[1], $own[2], $quick, 10, $note, $transport);
        $watched->listBalances();
        same([['GET', '/v1/balances', 200, true]], $answered);
        same(true, is_array(iterator_to_array($watched->iterateLinks(['limit' => 3]), false)));
    },
    "a webhook is returned only if it is the hub's" => static function () use ($vectors): void {
        $each = $vectors['webhooks'][0];
        $headers = ['Webhook-Id' => $each['id'], 'Webhook-Timestamp' => $each['timestamp']];
        $headers['Webhook-Signature'] = 'v1,AAAA ' . $each['signature'];
        [$secret, $body, $now] = [$each['secret'], $each['body'], (int) $each['timestamp']];
        same('commission.payable', Webhooks::verify($secret, $headers, $body, $now)['type']);
        $wrong = [
            [$secret, $headers, "$body ", $now],
            [$secret, $headers, $body, $now + 301],
            ['whsec_QUFBQQ==', $headers, $body, $now],
            [$secret, ['Webhook-Id' => 'msg_other'] + $headers, $body, $now],
            [$secret, ['Webhook-Id' => 'msg'], $body, $now],
            [$secret, ['Webhook-Timestamp' => 'soon'] + $headers, $body, $now],
        ];
        foreach ($wrong as $arguments) {
            fault(WebhookFault::class, static fn () => Webhooks::verify(...$arguments));
        }
    },
    'an order is reported and looked up' => static function () use ($hub): void {
        $order = order();
        $accepted = $hub->reportConversion($order);
        same('RECEIVED', $accepted['status']);
        same('DUPLICATE', $hub->reportConversion($order)['status']);
        same('conversion', $hub->getEvent($accepted['eventId'])['type']);
    },
    'webhooks count once by their event id' => static function () use ($hub): void {
        [$body, $eventId] = [['external_order_id' => order()['externalOrderId']], bin2hex(random_bytes(8))];
        same('QUEUED', $hub->sendOrderPaid($body, $eventId)['status']);
        same('DUPLICATE', $hub->sendOrderPaid($body, $eventId)['status']);
    },
    'lists are paged to their end' => static function () use ($hub): void {
        $products = array_map(static fn (int $n) => [
            'externalProductId' => "PHP-$n", 'name' => 'x', 'productUrl' => 'https://shop.example/p', 'price' => '1.00',
        ], range(0, 4));
        same(5, $hub->importProducts(['products' => $products])['created']);
        $found = array_column(iterator_to_array($hub->iterateProducts(['pageSize' => 2, 'search' => 'PHP-']), false), 'externalProductId');
        sort($found);
        same(array_column($products, 'externalProductId'), $found);
        $reported = array_map(static fn () => $hub->reportConversion(order())['eventId'], range(1, 3));
        $listed = array_column(iterator_to_array($hub->iterateEvents(['limit' => 2]), false), 'eventId');
        same([], array_diff($reported, $listed));
    },
    'a list within an object is paged too' => static function () use ($hub): void {
        $made = $hub->createSubscription(['url' => 'https://shop.example/hook', 'events' => ['commission.*']]);
        same([], iterator_to_array($hub->iterateDeliveries($made['id'], ['limit' => 1]), false));
    },
    'files are sent as they are' => static function () use ($hub): void {
        $upload = $hub->uploadOrders("externalOrderId,orderAmount\n" . order()['externalOrderId'] . ",1.00\n");
        same('orders', $hub->getUpload($upload['uploadId'])['kind']);
    },
    'refusals are exceptions with codes' => static function () use ($hub): void {
        $fault = fault(HubError::class, static fn () => $hub->reportConversion(['orderAmount' => 'ten']));
        same([400, 'validation_failed', 'externalOrderId'], [$fault->status, $fault->errorCode, $fault->param]);
        same(2, count($fault->messages));
        same('not_found', fault(HubError::class, static fn () => $hub->getEvent('evt_none/../x'))->errorCode);
        $stranger = new Hub(getenv('HUB_BASE_URL'), getenv('HUB_KEY'), 'sec_wrong');
        same([401, ''], [($fault = fault(HubError::class, static fn () => $stranger->listProducts()))->status, $fault->errorCode]);
    },
    'after a lost answer, 503 and 429 the same is said again' => static function () use ($faulty): void {
        foreach (['lost' => 2, 'busy' => 3, 'limited' => 2] as $kind => $expected) {
            $key = $kind . '-' . bin2hex(random_bytes(8));
            same('RECEIVED', $faulty->reportConversion(order(), $key)['status']);
            same($expected, attempts($key));
        }
    },
    'an end comes' => static function () use ($faulty): void {
        $key = 'down-' . bin2hex(random_bytes(8));
        same('store_unavailable', fault(HubError::class, static fn () => $faulty->reportConversion(order(), $key))->errorCode);
        same(4, attempts($key));
    },
    'what would be done twice is not repeated' => static function () use ($faulty): void {
        fault(NoAnswer::class, static fn () => $faulty->createLink(['affiliateId' => 'aff_cut']));
        same(1, attempts('cut'));
    },
    'pauses grow to a bound and heed what is asked' => static function (): void {
        $retries = new Retries(6, 1.0, 8.0);
        foreach ([1 => 1, 2 => 2, 3 => 4, 4 => 8, 9 => 8] as $failed => $least) {
            $pause = $retries->pause($failed, 0.0);
            same(true, $pause >= 0.8 * $least && $pause <= 1.2 * $least);
        }
        same(7.0, $retries->pause(1, 7.0));
        same(null, $retries->pause(1, 3600.0));
        same(null, (new Retries(6, 1.0, 8.0, 10.0))->pause(1, 0.0, 9.9));
        same([60.0, 0.0, 0.0], array_map([Retries::class, 'secondsAsked'], ['60', '', 'soon']));
    },
    'a limit that is long ends the call with its pause' => static function () use ($faulty): void {
        $key = 'patience-' . bin2hex(random_bytes(8));
        same(3600.0, fault(RateLimited::class, static fn () => $faulty->reportConversion(order(), $key))->retryAfter);
        same(1, attempts($key));
    },
    "a merchant's token takes the place of a key, within its scopes" => static function () use ($transport): void {
        $bearer = new Hub(getenv('HUB_BASE_URL'), '', '', null, 10, null, $transport, getenv('MERCHANT_TOKEN'));
        $eventId = $bearer->reportConversion(order())['eventId'];
        same($eventId, $bearer->getEvent($eventId)['eventId']);
        same(403, fault(HubError::class, static fn () => $bearer->archiveProducts(['productIds' => ['x']]))->status);
    },
    'operators act and follow what changes' => static function () use ($transport): void {
        $hub = new OperatorsHub(getenv('HUB_BASE_URL'), getenv('OPERATOR_TOKEN'), null, 10, null, $transport);
        $key = bin2hex(random_bytes(8));
        $made = $hub->createAffiliate($wanted = ['name' => 'Php', 'email' => "$key@blog.example"], $key);
        same($made, $hub->createAffiliate($wanted, $key));
        same(true, in_array($made['id'], array_column(iterator_to_array($hub->iterateAffiliates(['limit' => 1]), false), 'id'), true));
        foreach ($hub->followChanges(null, null, 0) as $part) {
            $more = $part['more'];
        }
        same(false, $more);
    },
    'affiliates read what is theirs' => static function () use ($transport): void {
        $hub = new AffiliatesHub(getenv('HUB_BASE_URL'), getenv('AFFILIATE_TOKEN'), null, 10, null, $transport);
        same(0, strpos($hub->getAffiliate()['id'], 'aff_'));
        fault(MissingSetting::class, static fn () => new AffiliatesHub('https://hub.example/api', ''));
    },
    'a missing setting is named at once' => static function (): void {
        same(0, strpos(fault(MissingSetting::class, static fn () => new Hub('', 'k', ''))->getMessage(), 'Set baseUrl and secret:'));
    },
    'an empty object is sent as one' => static function () use ($hub): void {
        same('RECEIVED', $hub->reportConversion(order() + ['metadata' => []])['status']);
    },
];

$failures = 0;
foreach ($tests as $name => $test) {
    try {
        $test();
        echo "ok      $name\n";
    } catch (Throwable $fault) {
        $failures++;
        echo "FAILED  $name\n$fault\n";
    }
}
exit($failures === 0 ? 0 : 1);
