-- name: link_of_code
-- Return a tracking link with its campaign as it is now, the merchant's domains, and whether the link may earn.
SELECT l.account_id, l.code, l.affiliate_id, l.campaign_id, l.destination, l.subs, m.domains, c.status, c.start_at, c.end_at,
       c.attribution, c.cookie_duration_days,
       (SELECT n.link_parameters FROM connections AS n
        WHERE n.account_id = l.account_id AND n.status = 'ACTIVE' AND n.link_parameters IS NOT NULL
        ORDER BY n.connection_id DESC LIMIT 1) AS link_parameters,
       CASE WHEN l.disabled_at IS NULL AND f.status = 'ACTIVE' AND m.status NOT IN ('SUSPENDED', 'REJECTED')
            THEN 1 ELSE 0 END AS may_earn
FROM tracking_codes AS t
JOIN links AS l ON l.account_id = t.account_id AND l.code = t.code
JOIN accounts AS a ON a.account_id = t.account_id
JOIN merchants AS m ON m.merchant_id = a.merchant_id
JOIN affiliates AS f ON f.affiliate_id = l.affiliate_id
LEFT JOIN campaigns AS c ON c.account_id = l.account_id AND c.campaign_id = l.campaign_id
WHERE t.code = :code

-- name: code_of_short
-- Return the code of the link that has a short address.
SELECT code FROM short_links WHERE short = :short

-- name: short_links_of
-- Return the short addresses of a link, newest first.
SELECT short FROM short_links WHERE account_id = :account_id AND code = :code
ORDER BY created_at DESC, short
LIMIT :limit

-- name: insert_short_link
-- Insert a short address of a link, unless it is taken.
INSERT INTO short_links (short, account_id, code, created_at) VALUES (:short, :account_id, :code, :now)
ON CONFLICT (short) DO NOTHING

-- name: insert_clicks
-- Insert clicks.
INSERT INTO clicks (account_id, click_id, code, affiliate_id, campaign_id, clicked_at, subs, visitor)
SELECT account_id, click_id, code, affiliate_id, campaign_id, clicked_at, subs, visitor
FROM @rows(:clicks; account_id text, click_id text, code text, affiliate_id text, campaign_id text, clicked_at bigint,
           subs text, visitor text)

-- name: clicks
-- Return clicks on tracking links, without what is kept of who clicked.
-- list: by click_id text; indexed (account_id); from since
-- filter account_id text: k.account_id = :account_id
-- filter since text: k.click_id >= :since
-- filter code text: k.code = :code
-- filter affiliate_id text: k.affiliate_id = :affiliate_id
-- filter campaign_id text: k.campaign_id = :campaign_id
-- filter created_from bigint: k.clicked_at >= :created_from
-- filter created_to bigint: k.clicked_at < :created_to
SELECT k.account_id, k.click_id, k.code, k.affiliate_id, k.campaign_id, k.clicked_at, k.subs, a.merchant_id, a.mode
FROM @listed(clicks AS k)
JOIN accounts AS a ON a.account_id = k.account_id

-- name: longest_cookie_duration
-- Return the longest attribution window among an account's campaigns in days; null if none has one of its own.
SELECT MAX(cookie_duration_days) AS days FROM campaigns WHERE account_id = :account_id

-- name: last_of_oldest_clicks
-- Return the last of an account's next `limit` clicks between two ids, which sort by time; null if there is none.
SELECT MAX(click_id) AS click_id FROM (
  SELECT click_id FROM clicks
  WHERE account_id = :account_id AND click_id > :after AND click_id < :before
  ORDER BY click_id
  LIMIT :limit
) AS oldest

-- name: forget_clicks
-- Delete the clicks of an account in a range of ids that happened by a moment and that no conversion names.
DELETE FROM clicks
WHERE account_id = :account_id AND click_id > :after AND click_id <= :last AND clicked_at <= :cutoff
  AND NOT EXISTS (
    SELECT 1 FROM conversions
    WHERE substr(conversions.click_id, 5, 10) = substr(clicks.click_id, 5, 10)
      AND conversions.account_id || '' = clicks.account_id AND conversions.click_id = clicks.click_id
  )

-- name: forget_visitors
-- Delete what clicks of an account that happened by a moment keep of their visitors.
UPDATE clicks SET visitor = NULL WHERE account_id = :account_id AND visitor IS NOT NULL AND clicked_at <= :cutoff
