<?php

declare(strict_types=1);

namespace AffiliateHub;

/** The hub refused a request; `code` says why (empty for a 401), and `docUrl` leads to an explanation. */
class HubError extends \RuntimeException
{
    public int $status;
    public string $errorCode;
    /** @var list<string> every fault of the input */
    public array $messages;
    public ?string $param;
    public ?string $docUrl;
    public ?string $requestId;
    /** How many seconds the hub asks to wait, 0 if it does not. */
    public float $retryAfter;

    public function __construct(int $status, string $raw, float $retryAfter = 0.0)
    {
        $this->retryAfter = $retryAfter;
        $body = json_decode($raw, true);
        $body = is_array($body) ? $body : ['message' => substr($raw, 0, 200)];
        $this->status = $status;
        $this->errorCode = (string) ($body['code'] ?? '');
        $this->messages = array_map('strval', (array) ($body['message'] ?? []));
        $this->param = $body['param'] ?? null;
        $this->docUrl = $body['docUrl'] ?? null;
        $this->requestId = $body['requestId'] ?? null;
        parent::__construct(trim("$status $this->errorCode") . ': ' . implode('; ', $this->messages), $status);
    }
}
