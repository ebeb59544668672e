<?php

declare(strict_types=1);

namespace AffiliateHub;

/** One call of the API, whatever number of attempts it takes. */
final class Call
{
    /** Members that are objects: PHP writes an empty one as a list. */
    private const OBJECTS = ['metadata', 'subIds'];

    public string $method;
    public string $path;
    /** @var array<string, mixed> */
    public array $query;
    /** @var array<string, mixed>|string|null */
    public $body;
    public ?string $eventId;
    public ?string $idempotencyKey;
    public bool $mayRepeat;

    /**
     * @param array<string, mixed> $query
     * @param array<string, mixed>|string|null $body
     */
    public function __construct(
        string $method,
        string $path,
        array $query,
        $body,
        ?string $eventId,
        ?string $idempotencyKey,
        bool $isIdempotent,
        bool $mayRepeat
    ) {
        $this->method = $method;
        $this->path = $path;
        $this->query = $query;
        $this->body = $body;
        $this->eventId = $eventId;
        // Without a key of the caller's, one of the call's own, so that its attempts count once.
        $this->idempotencyKey = $idempotencyKey ?? ($isIdempotent ? bin2hex(random_bytes(16)) : null);
        $this->mayRepeat = $mayRepeat;
    }

    public function target(): string
    {
        $given = array_filter($this->query, static fn ($value) => $value !== null);
        $texts = array_map(static fn ($value) => is_bool($value) ? ($value ? 'true' : 'false') : $value, $given);
        return $texts === [] ? $this->path : $this->path . '?' . http_build_query($texts, '', '&', PHP_QUERY_RFC3986);
    }

    /** The bytes to sign and to send; a text is the content of a file. */
    public function rawBody(): string
    {
        if ($this->body === null || is_string($this->body)) {
            return (string) $this->body;
        }
        $flags = JSON_THROW_ON_ERROR | JSON_UNESCAPED_SLASHES | JSON_UNESCAPED_UNICODE;
        $body = $this->body;
        foreach (self::OBJECTS as $name) {
            if (($body[$name] ?? null) === []) {
                $body[$name] = new \stdClass();
            }
        }
        return json_encode($body === [] ? new \stdClass() : $body, $flags);
    }

    /** @return array<string, string> the headers that every attempt has in common */
    public function headers(): array
    {
        $headers = ['Content-Type' => is_string($this->body) ? 'text/csv' : 'application/json'];
        if ($this->eventId !== null) {
            $headers['X-External-Event-Id'] = $this->eventId;
        }
        if ($this->idempotencyKey !== null) {
            $headers['X-Idempotency-Key'] = $this->idempotencyKey;
        }
        return $headers;
    }
}
