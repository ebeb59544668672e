<?php

declare(strict_types=1);

namespace AffiliateHub;

/** An attempt was not answered; whether it was taken is not known. */
final class TransportFault extends \RuntimeException
{
}
