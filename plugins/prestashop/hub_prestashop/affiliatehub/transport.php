<?php
/**
 * Posts a body to the hub, or asks whether it is the hub, and believes only an answer that the hub has signed.
 *
 * License: Apache-2.0
 */

if (!defined('_PS_VERSION_')) {
    exit;
}

/** Gives the status of the hub's answer; negative if it is not the hub's: a parked domain answers 200, too. */
function affiliatehub_post($url, $secret, $body)
{
    $headers = ['Content-Type: application/json', 'X-Affiliate-Hub-Signature: ' . affiliatehub_signature($body, $secret)];
    list($status, $proofs) = function_exists('curl_init')
        ? affiliatehub_by_curl($url, $body, $headers)
        : affiliatehub_by_stream($url, $body, $headers);
    return $status === 200 && !affiliatehub_is_proved($proofs, $secret, $body) ? -200 : $status;
}

/** Says whether one of the answer's proofs is the hub's: an HMAC over what it took. */
function affiliatehub_is_proved($proofs, $secret, $body)
{
    $due = hash_hmac('sha256', 'taken:' . hash('sha256', $body), $secret);
    foreach (explode(',', $proofs) as $proof) {
        if (hash_equals($due, trim($proof))) {
            return true;
        }
    }
    return false;
}

/** Has the hub prove that it knows the secret, with a number that nobody can know before; gives a status as above. */
function affiliatehub_prove($url, $secret)
{
    $nonce = bin2hex(random_bytes(16));
    $headers = ['X-Affiliate-Hub-Signature: ' . hash_hmac('sha256', "nonce=$nonce", $secret)];
    list($status, , $said) = function_exists('curl_init')
        ? affiliatehub_by_curl("$url?nonce=$nonce", null, $headers)
        : affiliatehub_by_stream("$url?nonce=$nonce", null, $headers);
    $answer = json_decode($said, true);
    $proof = is_array($answer) && isset($answer['proof']) ? (string) $answer['proof'] : '';
    return $status === 200 && !hash_equals(hash_hmac('sha256', $nonce, $secret), $proof) ? -200 : $status;
}

function affiliatehub_by_curl($url, $body, array $headers)
{
    $proofs = '';
    $request = curl_init($url);
    curl_setopt_array($request, ($body === null ? [] : [CURLOPT_POST => true, CURLOPT_POSTFIELDS => $body]) + [
        CURLOPT_RETURNTRANSFER => true,
        CURLOPT_CONNECTTIMEOUT => 5,
        CURLOPT_TIMEOUT => 15,
        CURLOPT_HTTPHEADER => $headers,
        CURLOPT_HEADERFUNCTION => function ($_, $line) use (&$proofs) {
            $proofs = affiliatehub_proofs_in($line) ?? $proofs;
            return strlen($line);
        },
    ]);
    $said = (string) curl_exec($request);
    return [(int) curl_getinfo($request, CURLINFO_HTTP_CODE), $proofs, $said];
}

function affiliatehub_by_stream($url, $body, array $headers)
{
    $sent = $body === null ? ['method' => 'GET'] : ['method' => 'POST', 'content' => $body];
    $context = stream_context_create(['http' => $sent + [
        'header' => $headers, 'timeout' => 15, 'ignore_errors' => true, 'follow_location' => 0,
    ]]);
    $stream = @fopen($url, 'r', false, $context);
    if (!$stream) {
        return [0, '', ''];
    }
    $said = (string) stream_get_contents($stream);
    $lines = (array) stream_get_meta_data($stream)['wrapper_data'];
    fclose($stream);
    $proofs = '';
    foreach ($lines as $line) {
        $proofs = affiliatehub_proofs_in($line) ?? $proofs;
    }
    return [preg_match('#^HTTP/\S+ (\d{3})#', $lines[0], $found) ? (int) $found[1] : 0, $proofs, $said];
}

function affiliatehub_proofs_in($line)
{
    return stripos($line, 'X-Affiliate-Hub-Proof:') === 0 ? trim(substr($line, 22)) : null;
}
