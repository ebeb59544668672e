<?php

declare(strict_types=1);

namespace AffiliateHub;

/** The client of the affiliates' API, which is asked with a token. */
final class AffiliatesHub extends TokenCaller
{
    use AffiliatesOperations;
}
