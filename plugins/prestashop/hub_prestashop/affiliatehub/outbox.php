<?php
/**
 * What waits to be told, and how it is sent: outside the buyer's request, again and again until the hub proves it has it.
 *
 * A row says that an order or a product changed; its snapshot is made when it is sent, so that many changes are one
 * delivery. A row that changes while it is sent gets another mark, and stays.
 *
 * License: Apache-2.0
 */

if (!defined('_PS_VERSION_')) {
    exit;
}

const AFFILIATEHUB_OUTBOX = 'affiliatehub_outbox';
const AFFILIATEHUB_CLICKS = ['cart' => 'affiliatehub_cart', 'order' => 'affiliatehub_click'];
const AFFILIATEHUB_LONGEST_PAUSE = 21600;

function affiliatehub_tables()
{
    $outbox = _DB_PREFIX_ . AFFILIATEHUB_OUTBOX;
    $made = Db::getInstance()->execute(
        "CREATE TABLE IF NOT EXISTS `$outbox` (topic VARCHAR(16) NOT NULL, id_thing INT UNSIGNED NOT NULL,"
        . ' mark CHAR(16) NOT NULL, attempts INT UNSIGNED NOT NULL, due_at INT UNSIGNED NOT NULL,'
        . ' PRIMARY KEY (topic, id_thing), KEY due_at (due_at))'
    );
    foreach (AFFILIATEHUB_CLICKS as $thing => $table) {
        $made = $made && Db::getInstance()->execute(
            'CREATE TABLE IF NOT EXISTS `' . _DB_PREFIX_ . $table . "` (id_$thing INT UNSIGNED NOT NULL PRIMARY KEY,"
            . ' click_id VARCHAR(128) NOT NULL)'
        );
    }
    return $made;
}

/** Keeps the click of a cart or an order; without one, an older thing of the same number had the one that is there. */
function affiliatehub_keep_click($thing, $id, $click)
{
    if ($click) {
        $row = ["id_$thing" => (int) $id, 'click_id' => pSQL($click)];
        Db::getInstance()->insert(AFFILIATEHUB_CLICKS[$thing], $row, false, false, Db::REPLACE);
    } else {
        Db::getInstance()->delete(AFFILIATEHUB_CLICKS[$thing], "id_$thing = " . (int) $id);
    }
}

/** Gives the click of a cart or an order, null if there is none. */
function affiliatehub_click($thing, $id)
{
    $click = Db::getInstance()->getValue(
        'SELECT click_id FROM `' . _DB_PREFIX_ . AFFILIATEHUB_CLICKS[$thing] . "` WHERE id_$thing = " . (int) $id,
        false
    );
    return $click ? (string) $click : null;
}

/** Notes that a thing must be told, at once even if an earlier attempt failed; one write, however slow the hub is. */
function affiliatehub_queue($topic, $id)
{
    $row = [
        'topic' => pSQL($topic), 'id_thing' => (int) $id, 'mark' => bin2hex(random_bytes(8)), 'attempts' => 0,
        'due_at' => time(),
    ];
    Db::getInstance()->insert(AFFILIATEHUB_OUTBOX, $row, false, false, Db::REPLACE);
}

/** Gives how many things wait, of those that are due by a moment if one is given. */
function affiliatehub_waiting($by = null)
{
    $due = $by === null ? '' : ' WHERE due_at <= ' . (int) $by;
    return (int) Db::getInstance()->getValue('SELECT COUNT(*) FROM `' . _DB_PREFIX_ . AFFILIATEHUB_OUTBOX . '`' . $due, false);
}

/**
 * Sends what is due for so many seconds; one process at a time. `$parts` gives a thing's snapshot, `$post`
 * the status of the hub's proved answer, else a negative one.
 */
function affiliatehub_send(callable $parts, callable $post, $seconds)
{
    $lock = pSQL(_DB_NAME_ . '.' . _DB_PREFIX_ . AFFILIATEHUB_OUTBOX);
    if (!Db::getInstance()->getValue("SELECT GET_LOCK('$lock', 0)", false)) {
        return;
    }
    try {
        $end = time() + $seconds;
        while (time() < $end && ($row = affiliatehub_next()) && affiliatehub_send_one($row, $parts, $post)) {
        }
    } finally {
        Db::getInstance()->getValue("SELECT RELEASE_LOCK('$lock')", false);
    }
}

function affiliatehub_next()
{
    return Db::getInstance()->getRow(
        'SELECT topic, id_thing, mark, attempts FROM `' . _DB_PREFIX_ . AFFILIATEHUB_OUTBOX . '` WHERE due_at <= ' . time()
        . ' ORDER BY due_at, topic, id_thing',
        false
    );
}

/** Sends one thing; says whether it is worth trying the next: not while the hub is away. */
function affiliatehub_send_one(array $row, callable $parts, callable $post)
{
    $this_row = "topic = '" . pSQL($row['topic']) . "' AND id_thing = " . (int) $row['id_thing'] . " AND mark = '" . pSQL($row['mark']) . "'";
    try {
        $status = $post($row['topic'], $parts($row['topic'], (int) $row['id_thing']));
    } catch (Throwable $fault) {
        // What cannot be read must not keep the others waiting.
        PrestaShopLogger::addLog('Affiliate hub: ' . $row['topic'] . ' ' . (int) $row['id_thing'] . ': ' . $fault->getMessage(), 3);
        $status = 400;
    }
    if ($status === 200) {
        return Db::getInstance()->delete(AFFILIATEHUB_OUTBOX, $this_row);
    }
    $attempts = (int) $row['attempts'] + 1;
    $pause = min(AFFILIATEHUB_LONGEST_PAUSE, 60 * 2 ** min($attempts - 1, 9));
    Db::getInstance()->update(AFFILIATEHUB_OUTBOX, ['attempts' => $attempts, 'due_at' => time() + $pause], $this_row);
    return in_array($status, [400, 413], true);
}

/** Runs something once the buyer has the page; says whether this server can. */
function affiliatehub_after_answer(callable $work)
{
    $finish = array_filter(['fastcgi_finish_request', 'litespeed_finish_request'], 'function_exists');
    if (!$finish) {
        return false;
    }
    register_shutdown_function(function () use ($finish, $work) {
        session_write_close();
        call_user_func(reset($finish));
        ignore_user_abort(true);
        $work();
    });
    return true;
}

/** Asks this shop for an address without waiting for its answer. */
function affiliatehub_knock($url)
{
    $part = parse_url($url);
    if (!isset($part['host'])) {
        return;
    }
    $is_tls = ($part['scheme'] ?? '') === 'https';
    $port = $part['port'] ?? ($is_tls ? 443 : 80);
    $socket = @stream_socket_client(($is_tls ? 'ssl://' : 'tcp://') . $part['host'] . ':' . $port, $code, $message, 1);
    if ($socket) {
        $path = ($part['path'] ?? '/') . (isset($part['query']) ? '?' . $part['query'] : '');
        fwrite($socket, "GET $path HTTP/1.1\r\nHost: {$part['host']}" . (isset($part['port']) ? ":$port" : '') . "\r\nConnection: close\r\n\r\n");
        fclose($socket);
    }
}
