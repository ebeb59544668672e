<?php

// What of PSR-7, 17 and 18 the client uses, and a small implementation over PHP's streams: for a test where no real one
// is installed. The signatures are those of the published interfaces.

declare(strict_types=1);

namespace Psr\Http\Message {
    interface StreamInterface
    {
        public function __toString();
    }

    interface MessageInterface
    {
        public function getHeaders();

        public function getHeaderLine(string $name);

        public function withHeader(string $name, $value);

        public function getBody();

        public function withBody(StreamInterface $body);
    }

    interface RequestInterface extends MessageInterface
    {
        public function getMethod();

        public function getUri();
    }

    interface ResponseInterface extends MessageInterface
    {
        public function getStatusCode();
    }

    interface RequestFactoryInterface
    {
        public function createRequest(string $method, $uri): RequestInterface;
    }

    interface StreamFactoryInterface
    {
        public function createStream(string $content = ''): StreamInterface;
    }
}

namespace Psr\Http\Client {
    use Psr\Http\Message\RequestInterface;
    use Psr\Http\Message\ResponseInterface;

    interface ClientExceptionInterface extends \Throwable
    {
    }

    interface ClientInterface
    {
        public function sendRequest(RequestInterface $request): ResponseInterface;
    }
}

namespace SmallPsr18 {
    use AffiliateHub\StreamTransport;
    use AffiliateHub\TransportFault;
    use Psr\Http\Client\ClientExceptionInterface;
    use Psr\Http\Client\ClientInterface;
    use Psr\Http\Message\RequestFactoryInterface;
    use Psr\Http\Message\RequestInterface;
    use Psr\Http\Message\ResponseInterface;
    use Psr\Http\Message\StreamFactoryInterface;
    use Psr\Http\Message\StreamInterface;

    final class Text implements StreamInterface
    {
        private string $text;

        public function __construct(string $text)
        {
            $this->text = $text;
        }

        public function __toString()
        {
            return $this->text;
        }
    }

    final class Message implements RequestInterface, ResponseInterface
    {
        /** @var array<string, mixed> */
        private array $parts;

        /** @param array<string, mixed> $parts */
        public function __construct(array $parts)
        {
            $this->parts = $parts + ['headers' => [], 'body' => new Text('')];
        }

        public function getHeaders()
        {
            return array_map(static fn ($value) => [$value], $this->parts['headers']);
        }

        public function getHeaderLine(string $name)
        {
            return $this->parts['headers'][$name] ?? '';
        }

        public function withHeader(string $name, $value)
        {
            return new self(['headers' => [$name => $value] + $this->parts['headers']] + $this->parts);
        }

        public function getBody()
        {
            return $this->parts['body'];
        }

        public function withBody(StreamInterface $body)
        {
            return new self(['body' => $body] + $this->parts);
        }

        public function getMethod()
        {
            return $this->parts['method'];
        }

        public function getUri()
        {
            return $this->parts['uri'];
        }

        public function getStatusCode()
        {
            return $this->parts['status'];
        }
    }

    final class Refused extends \Exception implements ClientExceptionInterface
    {
    }

    final class Client implements ClientInterface, RequestFactoryInterface, StreamFactoryInterface
    {
        public function createRequest(string $method, $uri): RequestInterface
        {
            return new Message(['method' => $method, 'uri' => $uri]);
        }

        public function createStream(string $content = ''): StreamInterface
        {
            return new Text($content);
        }

        public function sendRequest(RequestInterface $request): ResponseInterface
        {
            $headers = array_map(static fn ($values) => $values[0], $request->getHeaders());
            [$method, $uri, $body] = [$request->getMethod(), $request->getUri(), (string) $request->getBody()];
            try {
                [$status, $answer, $received] = (new StreamTransport())->send($method, $uri, $headers, $body, 30);
            } catch (TransportFault $fault) {
                throw new Refused($fault->getMessage(), 0, $fault);
            }
            return new Message(['status' => $status, 'headers' => $received, 'body' => new Text($answer)]);
        }
    }
}
