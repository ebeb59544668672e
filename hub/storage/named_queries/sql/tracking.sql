-- name: link_of_code
-- Return a tracking link with its campaign as it is now, and the domains that its merchant may send buyers to.
SELECT l.account_id, l.code, l.affiliate_id, l.campaign_id, l.destination, m.domains, c.status, c.start_at, c.end_at
FROM tracking_codes AS t
JOIN links AS l ON l.account_id = t.account_id AND l.code = t.code
JOIN accounts AS a ON a.account_id = t.account_id
JOIN merchants AS m ON m.merchant_id = a.merchant_id
LEFT JOIN campaigns AS c ON c.account_id = l.account_id AND c.campaign_id = l.campaign_id
WHERE t.code = :code

-- name: insert_clicks
-- Insert clicks.
INSERT INTO clicks (account_id, click_id, code, affiliate_id, campaign_id, clicked_at)
SELECT account_id, click_id, code, affiliate_id, campaign_id, clicked_at
FROM @rows(:clicks; account_id text, click_id text, code text, affiliate_id text, campaign_id text, clicked_at bigint)
