<?php

declare(strict_types=1);

namespace AffiliateHub;

/** The message is not the hub's, or too old: answer with 400, and do nothing. */
final class WebhookFault extends \RuntimeException
{
}
