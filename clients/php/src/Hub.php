<?php

declare(strict_types=1);

namespace AffiliateHub;

/** The client. It signs each attempt anew and sends again what may be repeated, under one idempotency key. */
final class Hub
{
    use Operations;

    private string $baseUrl;
    private string $key;
    private string $secret;
    private Retries $retries;
    private int $timeoutSeconds;

    public function __construct(
        string $baseUrl,
        string $key,
        string $secret,
        ?Retries $retries = null,
        int $timeoutSeconds = 10
    ) {
        $this->baseUrl = rtrim($baseUrl, '/');
        $this->key = $key;
        $this->secret = $secret;
        $this->retries = $retries ?? new Retries();
        $this->timeoutSeconds = $timeoutSeconds;
    }

    /** A client with HUB_BASE_URL, HUB_KEY and HUB_SECRET. */
    public static function fromEnvironment(?Retries $retries = null): self
    {
        return new self((string) getenv('HUB_BASE_URL'), (string) getenv('HUB_KEY'), (string) getenv('HUB_SECRET'), $retries);
    }

    /**
     * Send a call, again if it may be, and return the body of its answer.
     *
     * @return mixed
     */
    protected function send(Call $call)
    {
        $body = $call->rawBody();
        $headers = $call->headers();
        for ($failed = 1;; $failed++) {
            $signed = Signing::headers($this->key, $this->secret, $body);
            [$status, $answer, $received] = $this->attempt($call, $headers + $signed, $body);
            if ($status >= 200 && $status < 400) {
                $isJson = strpos($received['content-type'] ?? '', 'application/json') === 0;
                return $isJson ? json_decode($answer, true, 512, JSON_THROW_ON_ERROR) : $answer;
            }
            if (!Retries::maySendAgain($status, $call->mayRepeat) || $failed >= $this->retries->attempts) {
                throw $status === 0 ? new NoAnswer("$call->method $call->path: $answer") : new HubError($status, $answer);
            }
            usleep((int) (1e6 * $this->retries->pause($failed, $received['retry-after'] ?? '')));
        }
    }

    /** @return \Generator<int, array<string, mixed>> */
    protected function pages(callable $page, string $place): \Generator
    {
        $at = $place === 'page' ? 1 : null;
        do {
            $answer = $page($at);
            foreach ($answer['data'] as $each) {
                yield $each;
            }
            if ($place === 'page') {
                $at = $answer['page'] * $answer['pageSize'] < $answer['total'] ? $answer['page'] + 1 : null;
            } else {
                $at = $answer['nextCursor'];
            }
        } while ($at !== null);
    }

    /**
     * @param array<string, string> $headers
     * @return array{int, string, array<string, string>} the status, 0 if there was no answer, the body and the headers
     */
    private function attempt(Call $call, array $headers, string $body): array
    {
        $lines = ['Connection: close'];
        foreach ($headers as $name => $value) {
            $lines[] = "$name: $value";
        }
        $options = ['method' => $call->method, 'header' => $lines, 'timeout' => $this->timeoutSeconds];
        $options += ['ignore_errors' => true, 'follow_location' => 0, 'protocol_version' => 1.1];
        if ($body !== '') {
            $options['content'] = $body;
        }
        $stream = @fopen($this->baseUrl . $call->target(), 'rb', false, stream_context_create(['http' => $options]));
        if ($stream === false) {
            return [0, (string) (error_get_last()['message'] ?? 'no connection'), []];
        }
        $answer = stream_get_contents($stream);
        $meta = stream_get_meta_data($stream);
        fclose($stream);
        $received = self::received($meta['wrapper_data'] ?? []);
        $length = $received['content-length'] ?? null;
        if ($answer === false || $meta['timed_out'] || ($length !== null && strlen($answer) < (int) $length)) {
            return [0, 'the answer broke off', []];
        }
        return [(int) ($received[''] ?? 0), $answer, $received];
    }

    /**
     * @param list<string> $lines
     * @return array<string, string> the headers by their names in lower case, and the status under an empty one
     */
    private static function received(array $lines): array
    {
        $received = [];
        foreach ($lines as $line) {
            if (preg_match('~^HTTP/\S+ (\d{3})~', $line, $match)) {
                $received = ['' => $match[1]];
            } elseif (strpos($line, ':') !== false) {
                [$name, $value] = explode(':', $line, 2);
                $received[strtolower(trim($name))] = trim($value);
            }
        }
        return $received;
    }
}
