-- name: make_change_head
-- Insert the row that whoever numbers changes holds, unless it is there.
INSERT INTO change_heads (name, number, expired_to) VALUES ('hub', 0, :now)
ON CONFLICT (name) DO NOTHING

-- name: hold_change_head
-- Lock the head of the changes until the transaction ends, and return it.
UPDATE change_heads SET number = number WHERE name = 'hub'
RETURNING number, expired_to

-- name: move_change_head
-- Store the last number that was given.
UPDATE change_heads SET number = :number WHERE name = 'hub'

-- name: move_expiry_of_campaigns
-- Store up to when campaigns that ended are noted.
UPDATE change_heads SET expired_to = :now WHERE name = 'hub' AND expired_to < :now

-- name: change_head
-- Return the last number that was given to a change, and up to when campaigns that ended are noted.
SELECT number, expired_to FROM change_heads WHERE name = 'hub'

-- name: note_expired_campaigns
-- Insert notes of the campaigns that ended within a time: nothing is written when one does.
INSERT INTO new_changes (account_id, record_type, record_id, noted_by)
SELECT account_id, 'campaign', campaign_id, 0 FROM campaigns
WHERE end_at IS NOT NULL AND end_at > :since AND end_at <= :now
ON CONFLICT (account_id, record_type, record_id, noted_by) DO NOTHING

-- name: new_change
-- Return one note of a change, if there is any.
SELECT account_id FROM new_changes LIMIT 1

-- name: new_name
-- Return one note of a name that changed, if there is any.
SELECT account_id FROM new_names LIMIT 1

-- name: new_change_of_account
-- Return one note of a change in an account, if there is any.
SELECT account_id FROM new_changes WHERE account_id = :account_id LIMIT 1

-- name: end_of_notes
-- Return the key of the note that ends a transaction's worth of them, from an account on; none if there are fewer.
SELECT account_id, record_type, record_id
FROM new_changes
WHERE account_id >= :account_id
ORDER BY account_id, record_type, record_id
LIMIT 1 OFFSET :place

-- name: number_changes
-- Give the records of notes between two keys a number, but events that made a conversion, which is told with them.
-- A value that is asked for one note at a time cannot become a hash of all events, as an EXISTS of many notes does.
INSERT INTO changes (account_id, number, record_type, record_id, affiliate_id)
SELECT n.account_id, CAST(:number AS BIGINT), n.record_type,
       CASE n.record_type WHEN 'commission' THEN substr(n.record_id, 1, 36) ELSE n.record_id END,
       CASE n.record_type
            WHEN 'conversion' THEN (SELECT m.affiliate_id FROM commissions AS m
                                    WHERE m.account_id = n.account_id AND m.conversion_id = n.record_id)
            WHEN 'link' THEN (SELECT l.affiliate_id FROM links AS l
                              WHERE l.account_id = n.account_id AND l.code = n.record_id)
            WHEN 'commission' THEN substr(n.record_id, 38)
            WHEN 'membership' THEN substr(n.record_id, 38)
       END
FROM new_changes AS n
WHERE (n.account_id, n.record_type, n.record_id) >= (:account_id, '', '')
  AND (n.account_id, n.record_type, n.record_id) <= (:last_account_id, :last_record_type, :last_record_id)
  AND n.noted_by < CAST(:horizon AS BIGINT)
  AND (n.record_type <> 'event'
       OR (SELECT c.event_id FROM events AS e
           JOIN conversions AS c ON c.account_id = e.account_id AND c.conversion_id = e.conversion_id
           WHERE e.account_id = n.account_id AND e.event_id = n.record_id AND c.event_id = e.event_id) IS NULL)
GROUP BY n.account_id, n.record_type, n.record_id
ON CONFLICT (account_id, record_type, record_id) DO UPDATE
SET number = excluded.number, affiliate_id = COALESCE(excluded.affiliate_id, changes.affiliate_id)

-- name: number_conversions_of_events
-- Give the conversions of the events that are noted between two keys a number; they are looked up one by one, too.
WITH found AS MATERIALIZED (
    SELECT n.account_id,
           (SELECT c.conversion_id FROM events AS e
            JOIN conversions AS c ON c.account_id = e.account_id AND c.conversion_id = e.conversion_id
            WHERE e.account_id = n.account_id AND e.event_id = n.record_id) AS conversion_id
    FROM new_changes AS n
    WHERE (n.account_id, n.record_type, n.record_id) >= (:account_id, '', '')
      AND (n.account_id, n.record_type, n.record_id) <= (:last_account_id, :last_record_type, :last_record_id)
      AND n.noted_by < CAST(:horizon AS BIGINT)
      AND n.record_type = 'event'
)
INSERT INTO changes (account_id, number, record_type, record_id, affiliate_id)
SELECT DISTINCT account_id, CAST(:number AS BIGINT), 'conversion', conversion_id,
       (SELECT m.affiliate_id FROM commissions AS m
        WHERE m.account_id = found.account_id AND m.conversion_id = found.conversion_id)
FROM found
WHERE conversion_id IS NOT NULL
ON CONFLICT (account_id, record_type, record_id) DO UPDATE
SET number = excluded.number, affiliate_id = COALESCE(excluded.affiliate_id, changes.affiliate_id)

-- name: forget_numbered
-- Delete the notes between two keys whose transactions have ended.
DELETE FROM new_changes
WHERE (account_id, record_type, record_id) >= (:account_id, '', '')
  AND (account_id, record_type, record_id) <= (:last_account_id, :last_record_type, :last_record_id)
  AND noted_by < CAST(:horizon AS BIGINT)

-- name: new_names
-- Return notes of names that changed, whose transactions have ended.
SELECT account_id, affiliate_id, noted_by FROM new_names WHERE noted_by < CAST(:horizon AS BIGINT)
ORDER BY account_id, affiliate_id, noted_by

-- name: forget_new_name
-- Delete the note of a name that changed.
DELETE FROM new_names WHERE account_id = :account_id AND affiliate_id = :affiliate_id AND noted_by = :noted_by

-- name: store_changes
-- Give records the numbers of their latest changes.
INSERT INTO changes (account_id, number, record_type, record_id, affiliate_id)
SELECT account_id, number, record_type, record_id, NULL
FROM @rows(:changes; account_id text, number bigint, record_type text, record_id text)
WHERE true
ON CONFLICT (account_id, record_type, record_id) DO UPDATE SET number = excluded.number

-- name: conversions_to_tell
-- Return the next conversions of an account, of one affiliate if given, by their ids.
SELECT conversion_id AS record_id FROM conversions
WHERE account_id = :account_id AND conversion_id > :after AND (:affiliate_id = '' OR affiliate_id = :affiliate_id)
ORDER BY conversion_id
LIMIT :limit

-- name: links_to_tell
-- Return the next links of an account, of one affiliate if given, by their codes.
SELECT code AS record_id FROM links
WHERE account_id = :account_id AND code > :after AND (:affiliate_id = '' OR affiliate_id = :affiliate_id)
ORDER BY code
LIMIT :limit

-- name: changes_of_account
-- Return the changes of an account after a key, of these types, the earliest first.
SELECT account_id, number, record_type, record_id
FROM changes
WHERE account_id = :account_id AND (number, record_type, record_id) > (:number, :record_type, :record_id)
  AND record_type IN @list(:types text)
ORDER BY number, record_type, record_id
LIMIT :limit

-- name: changes_of_affiliate
-- Return the changes of what is an affiliate's after a key, of these types, the earliest first.
SELECT account_id, number, record_type, record_id
FROM changes
WHERE affiliate_id = :affiliate_id AND (number, record_type, record_id) > (:number, :record_type, :record_id)
  AND record_type IN @list(:types text)
ORDER BY number, record_type, record_id
LIMIT :limit

-- name: next_change_of_any
-- Return the first number from one on, over all accounts, of which the latter part is not read.
SELECT MIN(k.number) AS number
FROM (SELECT (SELECT MIN(c.number) FROM changes AS c
              WHERE c.account_id = a.account_id AND c.number > :number) AS number
      FROM accounts AS a) AS k

-- name: changes_of_all
-- Return the changes of all accounts after a key and up to a number, of these types, the earliest first.
SELECT c.account_id, c.number, c.record_type, c.record_id
FROM accounts AS a
CROSS JOIN changes AS c
WHERE c.account_id = a.account_id AND c.number >= :number AND c.number <= :upto
  AND (c.number, c.record_type, c.record_id, c.account_id) > (:number, :record_type, :record_id, :account_id)
  AND c.record_type IN @list(:types text)
ORDER BY c.number, c.record_type, c.record_id, c.account_id
LIMIT :limit

-- name: account_to_tell
-- Return whose account this is, and its mode.
SELECT account_id, merchant_id, mode FROM accounts WHERE account_id = :account_id

-- name: conversions_told
-- Return these conversions of an account.
SELECT c.*
FROM (SELECT account_id, conversion_id FROM conversions
      WHERE account_id = :account_id AND conversion_id IN @list(:ids text)) AS k
JOIN listed_conversions AS c ON c.account_id = k.account_id AND c.conversion_id = k.conversion_id

-- name: commissions_told
-- Return these commissions of an account, and those of these conversions.
SELECT m.*
FROM (SELECT account_id, commission_id FROM commissions
      WHERE account_id = :account_id AND commission_id IN @list(:ids text)
      UNION SELECT account_id, commission_id FROM commissions
      WHERE account_id = :account_id AND conversion_id IN @list(:conversions text)) AS k
JOIN listed_commissions AS m ON m.account_id = k.account_id AND m.commission_id = k.commission_id

-- name: events_told
-- Return these events of an account, and those that made these conversions.
SELECT e.event_id, e.type, e.kind, e.status, e.received_at, e.processed_at, e.attempts, e.conversion_id, e.explanation,
       e.external_order_id
FROM (SELECT event_id FROM events WHERE account_id = :account_id AND event_id IN @list(:ids text)
      UNION SELECT event_id FROM conversions
      WHERE account_id = :account_id AND conversion_id IN @list(:conversions text)) AS k
JOIN events AS e ON e.account_id = :account_id AND e.event_id = k.event_id

-- name: products_told
-- Return these products of an account.
SELECT * FROM products WHERE account_id = :account_id AND product_id IN @list(:ids text)

-- name: campaigns_told
-- Return these campaigns of an account.
SELECT * FROM campaigns WHERE account_id = :account_id AND campaign_id IN @list(:ids text)

-- name: affiliates_told
-- Return those of these affiliates that have a link or an approved membership in an account.
SELECT f.affiliate_id, f.name, f.status, f.channels
FROM affiliates AS f
WHERE f.affiliate_id IN @list(:ids text)
  AND (EXISTS (SELECT 1 FROM links AS l WHERE l.account_id = :account_id AND l.affiliate_id = f.affiliate_id)
       OR EXISTS (SELECT 1 FROM memberships AS m
                  WHERE m.account_id = :account_id AND m.affiliate_id = f.affiliate_id AND m.status = 'APPROVED'))

-- name: memberships_told
-- Return the memberships of these affiliates in these campaigns of an account.
SELECT campaign_id, affiliate_id, status, commission_type, commission_value, message, reason, applied_at, decided_at
FROM memberships
WHERE account_id = :account_id AND campaign_id IN @list(:campaigns text) AND affiliate_id IN @list(:affiliates text)

-- name: own_commissions_told
-- Return these commissions of an affiliate in an account, and those of these conversions, with their orders.
SELECT m.commission_id, m.conversion_id, m.state, m.amount_minor, m.currency, m.hold_until, c.external_order_id,
       c.ordered_at, c.campaign_id, a.merchant_id, s.name AS merchant_name, k.code, k.subs
FROM (SELECT account_id, commission_id FROM commissions
      WHERE account_id = :account_id AND commission_id IN @list(:ids text)
      UNION SELECT account_id, commission_id FROM commissions
      WHERE account_id = :account_id AND conversion_id IN @list(:conversions text)) AS t
JOIN commissions AS m ON m.account_id = t.account_id AND m.commission_id = t.commission_id
JOIN accounts AS a ON a.account_id = m.account_id
JOIN merchants AS s ON s.merchant_id = a.merchant_id
JOIN conversions AS c ON c.account_id = m.account_id AND c.conversion_id = m.conversion_id
LEFT JOIN clicks AS k ON k.account_id = c.account_id AND k.click_id = c.click_id
WHERE m.affiliate_id = :affiliate_id
