-- name: users
-- Return users; a search is a pattern of their names and e-mail addresses.
-- list: by user_id text; indexed (), (user_id)
-- filter user_id text: u.user_id = :user_id
-- filter search text: lower(u.name) LIKE :search ESCAPE '!' OR u.email_key LIKE :search ESCAPE '!'
-- filter status text: u.status = :status
SELECT u.user_id, u.email, u.name, u.status, u.password_hash IS NOT NULL AS has_password, u.link_asked_at, u.created_at
FROM @listed(users AS u)

-- name: roles_of_users
-- Return the roles of these users.
SELECT user_id, role, subject_id, level
FROM user_roles
WHERE user_id IN @list(:users text)
ORDER BY user_id, role, subject_id

-- name: tokens
-- Return tokens without their secrets.
-- list: by created_at bigint, token_id text; small
-- filter user_id text: t.user_id = :user_id
-- filter account_id text: t.account_id = :account_id
-- filter merchant_id text: o.merchant_id = :merchant_id
SELECT t.token_id, t.name, t.scopes, t.affiliate_id, t.user_id, t.allowed_cidrs, t.expires_at, t.revoked_at,
       t.last_used_at, t.last_address, t.created_at, o.merchant_id, o.mode
FROM @listed(api_tokens AS t)
LEFT JOIN accounts AS o ON o.account_id = t.account_id

-- name: questions
-- Return questions about orders with their orders; `closed` is 1 for those that were closed, 0 for the others.
-- list: by opened_at bigint, conversion_id text, review_key text; small
-- filter merchant_id text: a.merchant_id = :merchant_id
-- filter closed bigint: CASE WHEN r.closed_at IS NULL THEN 0 ELSE 1 END = :closed
SELECT r.conversion_id, r.review_key, c.external_order_id, a.merchant_id, a.mode, r.reason, r.details, r.event_id,
       r.opened_at, r.closed_at, r.note
FROM @listed(order_reviews AS r)
JOIN conversions AS c ON c.account_id = r.account_id AND c.conversion_id = r.conversion_id
JOIN accounts AS a ON a.account_id = r.account_id

-- name: uploads
-- Return uploads of an account.
-- list: by upload_id text; indexed (account_id)
-- filter account_id text: u.account_id = :account_id
SELECT u.*
FROM @listed(uploads AS u)

-- name: rate_drafts
-- Return rates that were tried, with their accounts.
-- list: by draft_id text; small
-- filter merchant_id text: a.merchant_id = :merchant_id
-- filter mode text: a.mode = :mode
-- filter draft_id text: d.draft_id = :draft_id
-- filter status text: d.status = :status
-- filter own bigint: CASE WHEN d.level = 'MERCHANT' THEN 0 ELSE 1 END = :own
SELECT d.account_id, d.draft_id, d.level, d.subject, d.type, d.value, d.status, d.created_by, d.created_at, d.decided_by,
       d.decided_at, a.merchant_id, a.mode, m.name AS merchant_name, m.currency
FROM @listed(rate_drafts AS d)
JOIN accounts AS a ON a.account_id = d.account_id
JOIN merchants AS m ON m.merchant_id = a.merchant_id

-- name: threads
-- Return the last message of each order that an affiliate wrote about, with how many there are and how many are new.
-- list: by message_id text; indexed (account_id), (affiliate_id)
-- filter account_id text: q.account_id = :account_id
-- filter affiliate_id text: q.affiliate_id = :affiliate_id
SELECT q.account_id, q.conversion_id, q.message_id, q.written_at AS last_at,
       (SELECT COUNT(*) FROM order_messages AS o WHERE o.account_id = q.account_id AND o.conversion_id = q.conversion_id
        AND o.affiliate_id = q.affiliate_id) AS messages,
       (SELECT COUNT(*) FROM order_messages AS o WHERE o.account_id = q.account_id AND o.conversion_id = q.conversion_id
        AND o.affiliate_id = q.affiliate_id AND o.read_at IS NULL AND o.author <> 'affiliate') AS unread,
       (SELECT COUNT(*) FROM order_messages AS o WHERE o.account_id = q.account_id AND o.conversion_id = q.conversion_id
        AND o.affiliate_id = q.affiliate_id AND o.read_at IS NULL AND o.author = 'affiliate') AS unread_by_merchant,
       c.external_order_id, s.merchant_id, s.name AS merchant_name, f.affiliate_id, f.name AS affiliate_name, a.mode,
       m.commission_id
FROM @listed(order_messages AS q)
JOIN conversions AS c ON c.account_id = q.account_id AND c.conversion_id = q.conversion_id
JOIN commissions AS m ON m.account_id = q.account_id AND m.conversion_id = q.conversion_id
JOIN accounts AS a ON a.account_id = q.account_id
JOIN merchants AS s ON s.merchant_id = a.merchant_id
JOIN affiliates AS f ON f.affiliate_id = q.affiliate_id
WHERE NOT EXISTS (SELECT 1 FROM order_messages AS n
                  WHERE n.account_id = q.account_id AND n.conversion_id = q.conversion_id
                    AND n.affiliate_id = q.affiliate_id AND n.message_id > q.message_id)
  AND @filters
ORDER BY @order
LIMIT :limit

-- name: own_payouts
-- Return what released runs pay affiliates, a row for each currency.
-- list: by payout_id text, currency text; small
-- filter affiliate_id text: i.affiliate_id = :affiliate_id
-- filter mode text: p.mode = :mode
SELECT i.payout_id, p.released_at, i.currency, i.amount_minor, i.status, i.carried, i.reference, i.returned,
       x.sent_currency, x.sent_minor, x.rate
FROM @listed(payout_items AS i)
JOIN payouts AS p ON p.payout_id = i.payout_id
LEFT JOIN payout_exchanges AS x
    ON x.payout_id = i.payout_id AND x.affiliate_id = i.affiliate_id AND x.currency = i.currency
WHERE p.status IN ('RELEASED', 'SETTLED') AND @filters
ORDER BY @order
LIMIT :limit
