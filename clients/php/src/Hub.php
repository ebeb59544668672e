<?php

declare(strict_types=1);

namespace AffiliateHub;

/** The client. It signs each attempt anew and sends again what may be repeated, under one idempotency key. */
final class Hub
{
    use Operations;

    private const USER_AGENT = 'affiliate-hub-php/0.1.0';
    private string $baseUrl;
    private string $key;
    private string $secret;
    private Retries $retries;
    private int $timeoutSeconds;
    /** @var (callable(string, string, int, array<string, string>): void)|null */
    private $onAnswer;
    private Transport $transport;

    /**
     * @param (callable(string, string, int, array<string, string>): void)|null $onAnswer called with the method, the path,
     *     the status and the headers, by their names in lower case, of what the hub answered to each attempt
     * @param Transport|null $transport what sends an attempt: PHP's own streams, or a Psr18Transport
     */
    public function __construct(
        string $baseUrl,
        string $key,
        string $secret,
        ?Retries $retries = null,
        int $timeoutSeconds = 10,
        ?callable $onAnswer = null,
        ?Transport $transport = null
    ) {
        $this->transport = $transport ?? new StreamTransport();
        $this->onAnswer = $onAnswer;
        self::refuseMissing(['baseUrl' => $baseUrl, 'key' => $key, 'secret' => $secret]);
        $this->baseUrl = rtrim($baseUrl, '/');
        $this->key = $key;
        $this->secret = $secret;
        $this->retries = $retries ?? new Retries();
        $this->timeoutSeconds = $timeoutSeconds;
    }

    /** A client with HUB_BASE_URL, HUB_KEY and HUB_SECRET. */
    public static function fromEnvironment(?Retries $retries = null, ?Transport $transport = null): self
    {
        $settings = [];
        foreach (['HUB_BASE_URL', 'HUB_KEY', 'HUB_SECRET'] as $name) {
            $settings[$name] = (string) getenv($name);
        }
        self::refuseMissing($settings);
        [$baseUrl, $key, $secret] = array_values($settings);
        return new self($baseUrl, $key, $secret, $retries, 10, null, $transport);
    }

    /** @param array<string, string> $settings */
    private static function refuseMissing(array $settings): void
    {
        $missing = array_keys($settings, '', true);
        if ($missing !== []) {
            throw new MissingSetting($missing);
        }
    }

    /**
     * Send a call, again if it may be, and return the body of its answer.
     *
     * @return mixed
     */
    protected function send(Call $call)
    {
        $body = $call->rawBody();
        $headers = ['User-Agent' => self::USER_AGENT] + $call->headers();
        $target = (string) parse_url($this->baseUrl, PHP_URL_PATH) . $call->target();
        $began = microtime(true);
        for ($failed = 1;; $failed++) {
            $signed = Signing::headers($this->key, $this->secret, $call->method, $target, $body);
            [$status, $answer, $received] = $this->attempt($call, $headers + $signed, $body);
            if ($status !== 0 && $this->onAnswer !== null) {
                ($this->onAnswer)($call->method, $call->path, $status, $received);
            }
            if ($status >= 200 && $status < 400) {
                $isJson = strpos($received['content-type'] ?? '', 'application/json') === 0;
                return $isJson ? json_decode($answer, true, 512, JSON_THROW_ON_ERROR) : $answer;
            }
            $asked = Retries::secondsAsked($received['retry-after'] ?? '');
            $again = Retries::maySendAgain($status, $call->mayRepeat) && $failed < $this->retries->attempts;
            $pause = $again ? $this->retries->pause($failed, $asked, microtime(true) - $began) : null;
            if ($pause === null) {
                throw self::fault($call, $status, $answer, $asked);
            }
            usleep((int) (1e6 * $pause));
        }
    }

    private static function fault(Call $call, int $status, string $answer, float $asked): \RuntimeException
    {
        if ($status === 0) {
            return new NoAnswer("$call->method $call->path: $answer");
        }
        return $status === 429 ? new RateLimited($status, $answer, $asked) : new HubError($status, $answer, $asked);
    }

    /**
     * Yield what changed, part by part, from a cursor on; without one, from everything that there is.
     *
     * Keep a part's `cursor` once its `data` is dealt with, and go on from that the next time. While nothing changes, each
     * part comes after $wait seconds and is empty; with 0 the last part is the end.
     *
     * @return \Generator<int, ChangeList>
     */
    public function followChanges(
        ?string $after = null,
        ?string $types = null,
        int $wait = 20,
        int $limit = 200
    ): \Generator {
        do {
            $part = $this->listChanges(['after' => $after, 'types' => $types, 'wait' => $wait, 'limit' => $limit]);
            $after = $part['cursor'];
            yield $part;
        } while ($wait > 0 || $part['more']);
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
        $held = (int) ($call->query['wait'] ?? 0); // the hub holds the request open for so long
        $url = $this->baseUrl . $call->target();
        try {
            return $this->transport->send($call->method, $url, $headers, $body, $this->timeoutSeconds + $held);
        } catch (TransportFault $fault) {
            return [0, $fault->getMessage(), []];
        }
    }
}
