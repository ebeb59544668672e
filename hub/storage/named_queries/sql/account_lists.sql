-- name: conversion_of_account
-- Return one conversion of an account, by its id or by its order, whichever is given.
SELECT c.*
FROM (SELECT account_id, conversion_id FROM conversions
      WHERE account_id = :account_id AND conversion_id = :conversion_id
      UNION SELECT account_id, conversion_id FROM conversions
      WHERE account_id = :account_id AND external_order_id = :external_order_id) AS k
JOIN listed_conversions AS c ON c.account_id = k.account_id AND c.conversion_id = k.conversion_id

-- name: conversion_of_order
-- Return the conversion of an account's order if it matches each filter given.
SELECT c.*
FROM conversions AS k
JOIN listed_conversions AS c ON c.account_id = k.account_id AND c.conversion_id = k.conversion_id
LEFT JOIN commissions AS m ON m.account_id = k.account_id AND m.conversion_id = k.conversion_id
WHERE k.account_id = :account_id AND k.external_order_id = :external_order_id
  AND (CAST(:status AS TEXT) IS NULL OR COALESCE(m.state, CASE k.review WHEN 'OPEN' THEN 'IN_REVIEW' ELSE k.review END)
       = CAST(:status AS TEXT))
  AND (CAST(:affiliate_id AS TEXT) IS NULL OR k.affiliate_id = CAST(:affiliate_id AS TEXT))
  AND (CAST(:campaign_id AS TEXT) IS NULL OR k.campaign_id = CAST(:campaign_id AS TEXT))
  AND (CAST(:created_from AS BIGINT) IS NULL OR k.received_at >= CAST(:created_from AS BIGINT))
  AND (CAST(:created_to AS BIGINT) IS NULL OR k.received_at < CAST(:created_to AS BIGINT))
  AND (CAST(:updated_since AS BIGINT) IS NULL OR c.change_number >= CAST(:updated_since AS BIGINT))

-- name: commission_of_account
-- Return one commission of an account.
SELECT m.*
FROM listed_commissions AS m
WHERE m.account_id = :account_id AND m.commission_id = :commission_id

-- name: link_of_account
-- Return the code of a link, if it is the account's.
SELECT code FROM links WHERE account_id = :account_id AND code = :code

-- name: conversion_id_of_account
-- Return the id of a conversion, if it is the account's.
SELECT conversion_id FROM conversions WHERE account_id = :account_id AND conversion_id = :conversion_id

-- name: progress_of_conversions
-- Return the explanation, the wait for a deposit and the sub-ids of these conversions, named with events and clicks.
SELECT k.conversion_id, e.explanation, m.awaits_deposit, c.subs
FROM @rows(:conversions; account_id text, conversion_id text, event_id text, click_id text) AS k
LEFT JOIN events AS e ON e.account_id = k.account_id AND e.event_id = k.event_id
LEFT JOIN commissions AS m ON m.account_id = k.account_id AND m.conversion_id = k.conversion_id
LEFT JOIN clicks AS c ON c.account_id = k.account_id AND c.click_id = k.click_id
