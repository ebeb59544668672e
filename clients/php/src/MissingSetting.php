<?php

declare(strict_types=1);

namespace AffiliateHub;

/** The client was not told where the hub is, or with which key to sign. */
final class MissingSetting extends \InvalidArgumentException
{
    /** @param list<string> $names */
    public function __construct(array $names)
    {
        $wanted = implode(' and ', $names);
        parent::__construct("Set $wanted: the hub's address with /api at its end, and a key's two parts, or a token.");
    }
}
