<?php

declare(strict_types=1);

namespace AffiliateHub;

/** Too many requests; `retryAfter` says in how many seconds there is room again. */
final class RateLimited extends HubError
{
}
