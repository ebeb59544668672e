<?php

declare(strict_types=1);

namespace AffiliateHub;

/** What sends calls: the clients are this with the operations of their API. */
abstract class Caller
{
    private const USER_AGENT = 'affiliate-hub-php/0.1.0';
    private string $baseUrl;
    /** @var callable(string, string, string): array<string, string> */
    private $proof;
    private Retries $retries;
    private int $timeoutSeconds;
    /** @var (callable(string, string, int, array<string, string>): void)|null */
    private $onAnswer;
    private Transport $transport;

    /**
     * @param callable(string, string, string): array<string, string> $proof returns the headers that say whose an attempt
     *     is, from its method, its path with query as they are sent, and its body
     * @param (callable(string, string, int, array<string, string>): void)|null $onAnswer
     */
    protected function __construct(
        string $baseUrl,
        callable $proof,
        ?Retries $retries,
        int $timeoutSeconds,
        ?callable $onAnswer,
        ?Transport $transport
    ) {
        self::refuseMissing(['baseUrl' => $baseUrl]);
        $this->baseUrl = rtrim($baseUrl, '/');
        $this->proof = $proof;
        $this->retries = $retries ?? new Retries();
        $this->timeoutSeconds = $timeoutSeconds;
        $this->onAnswer = $onAnswer;
        $this->transport = $transport ?? new StreamTransport();
    }

    /** @return callable(string, string, string): array<string, string> the header of a token, which covers nothing else */
    protected static function bearer(string $token): callable
    {
        return static fn (): array => ['Authorization' => "Bearer $token"];
    }

    /** @return array<string, string> */
    protected static function environment(string ...$names): array
    {
        $settings = [];
        foreach ($names as $name) {
            $settings[$name] = (string) getenv($name);
        }
        self::refuseMissing($settings);
        return $settings;
    }

    /** @param array<string, string> $settings */
    protected static function refuseMissing(array $settings): void
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
            $proof = ($this->proof)($call->method, $target, $body); // anew for each attempt
            [$status, $answer, $received] = $this->attempt($call, $headers + $proof, $body);
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
     * @return \Generator<int, array{data: list<array<string, mixed>>, cursor: string, more: bool}>
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

    /**
     * @param array<string, mixed> $query
     * @return array<string, mixed>
     */
    abstract public function listChanges(array $query = []): array;

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
