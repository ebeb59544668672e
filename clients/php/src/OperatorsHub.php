<?php

declare(strict_types=1);

namespace AffiliateHub;

/** The client of the operators' API, which is asked with a token. */
final class OperatorsHub extends TokenCaller
{
    use OperatorsOperations;
}
