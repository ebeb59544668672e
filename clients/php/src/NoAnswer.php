<?php

declare(strict_types=1);

namespace AffiliateHub;

/** No attempt was answered; whether the last was taken is not known. */
final class NoAnswer extends \RuntimeException
{
}
