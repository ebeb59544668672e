<?php

declare(strict_types=1);

namespace AffiliateHub;

use Psr\Http\Client\ClientExceptionInterface;
use Psr\Http\Client\ClientInterface;
use Psr\Http\Message\RequestFactoryInterface;
use Psr\Http\Message\StreamFactoryInterface;

/**
 * Any PSR-18 client with PSR-17 factories, such as Guzzle's or Symfony's.
 *
 * The client's own time limit holds, because PSR-18 has none: give it more than 30 seconds to follow changes. It must not
 * send a request again by itself, which would be signed as before; that is what Retries are for.
 */
final class Psr18Transport implements Transport
{
    private ClientInterface $client;
    private RequestFactoryInterface $requests;
    private StreamFactoryInterface $streams;

    public function __construct(
        ClientInterface $client,
        RequestFactoryInterface $requests,
        StreamFactoryInterface $streams
    ) {
        $this->client = $client;
        $this->requests = $requests;
        $this->streams = $streams;
    }

    public function send(string $method, string $url, array $headers, string $body, int $timeoutSeconds): array
    {
        // A connection of its own: on one that is used again, and ends, libcurl sends a request again by itself.
        $request = $this->requests->createRequest($method, $url)->withHeader('Connection', 'close');
        foreach ($headers as $name => $value) {
            $request = $request->withHeader($name, $value);
        }
        if ($body !== '') {
            $request = $request->withBody($this->streams->createStream($body));
        }
        try {
            $response = $this->client->sendRequest($request);
            $answer = (string) $response->getBody();
        } catch (ClientExceptionInterface | \RuntimeException $fault) {
            throw new TransportFault($fault->getMessage(), 0, $fault);
        }
        $received = [];
        foreach (array_keys($response->getHeaders()) as $name) {
            $received[strtolower((string) $name)] = $response->getHeaderLine((string) $name);
        }
        return [$response->getStatusCode(), $answer, $received];
    }
}
