<?php

declare(strict_types=1);

namespace AffiliateHub;

/** PHP's own streams: nothing has to be installed. */
final class StreamTransport implements Transport
{
    public function send(string $method, string $url, array $headers, string $body, int $timeoutSeconds): array
    {
        $lines = ['Connection: close'];
        foreach ($headers as $name => $value) {
            $lines[] = "$name: $value";
        }
        $options = ['method' => $method, 'header' => $lines, 'timeout' => $timeoutSeconds];
        $options += ['ignore_errors' => true, 'follow_location' => 0, 'protocol_version' => 1.1];
        if ($body !== '') {
            $options['content'] = $body;
        }
        $stream = @fopen($url, 'rb', false, stream_context_create(['http' => $options]));
        if ($stream === false) {
            throw new TransportFault((string) (error_get_last()['message'] ?? 'no connection'));
        }
        $answer = stream_get_contents($stream);
        $meta = stream_get_meta_data($stream);
        fclose($stream);
        $received = self::received($meta['wrapper_data'] ?? []);
        $length = $received['content-length'] ?? null;
        if ($answer === false || $meta['timed_out'] || ($length !== null && strlen($answer) < (int) $length)) {
            throw new TransportFault('the answer broke off');
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
