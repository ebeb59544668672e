-- name: note_rate_changes
-- Insert changes of rates.
INSERT INTO rate_changes (account_id, level, subject, changed_at, change_id, before_type, before_value, after_type,
                          after_value, changed_by)
SELECT account_id, level, subject, changed_at, change_id, before_type, before_value, after_type, after_value, changed_by
FROM @rows(:changes; account_id text, level text, subject text, changed_at bigint, change_id text, before_type text,
           before_value text, after_type text, after_value text, changed_by text)

-- name: accounts_with_later_rates
-- Return those of these accounts in which a rate was changed after a moment.
SELECT k.account_id
FROM @rows(:accounts; account_id text, since bigint) AS k
WHERE EXISTS (SELECT 1 FROM rate_changes AS r WHERE r.account_id = k.account_id AND r.changed_at > k.since)

-- name: load_rate_changes
-- Return the changes of rates of these accounts after a moment, but for those of products.
SELECT r.account_id, r.level, r.subject, r.changed_at, r.change_id, r.before_type, r.before_value
FROM @rows(:accounts; account_id text, since bigint) AS k
CROSS JOIN rate_changes AS r
WHERE r.account_id = k.account_id AND r.changed_at > k.since AND r.level <> 'PRODUCT'

-- name: load_product_rate_changes
-- Return the changes of the rates of these products after a moment.
SELECT r.account_id, r.level, r.subject, r.changed_at, r.change_id, r.before_type, r.before_value
FROM @rows(:products; account_id text, subject text, since bigint) AS k
CROSS JOIN rate_changes AS r
WHERE r.account_id = k.account_id AND r.level = 'PRODUCT' AND r.subject = k.subject AND r.changed_at > k.since

-- name: rate_history
-- Return the changes of one rate, the newest first.
SELECT changed_at, change_id, before_type, before_value, after_type, after_value, changed_by
FROM rate_changes
WHERE account_id = :account_id AND level = :level AND subject = :subject
ORDER BY changed_at DESC, change_id DESC
LIMIT :limit

-- name: insert_rate_draft
-- Insert a rate that is tried.
INSERT INTO rate_drafts (account_id, draft_id, level, subject, type, value, status, created_by, created_at)
VALUES (:account_id, :draft_id, :level, :subject, :type, :value, 'DRAFT', :created_by, :now)

-- name: decide_rate_draft
-- Set what became of a rate that was tried.
UPDATE rate_drafts SET status = :status, decided_by = :decided_by, decided_at = :now
WHERE account_id = :account_id AND draft_id = :draft_id AND status = 'DRAFT'

-- name: set_merchant_rate
-- Set the default rate of a merchant.
UPDATE merchants SET commission_type = :type, commission_value = :value, updated_at = :now
WHERE merchant_id = (SELECT merchant_id FROM accounts WHERE account_id = :account_id)

-- name: accounts_of_same_merchant
-- Return the accounts of the merchant that an account belongs to.
SELECT b.account_id FROM accounts AS a JOIN accounts AS b ON b.merchant_id = a.merchant_id
WHERE a.account_id = :account_id
ORDER BY b.account_id

-- name: age_rate_changes
-- Set the times at which an account's rates changed back.
UPDATE rate_changes SET changed_at = changed_at - :by WHERE account_id = :account_id

-- name: age_rate_drafts
-- Set the times of the rates that an account tried back.
UPDATE rate_drafts SET created_at = created_at - :by, decided_at = decided_at - :by WHERE account_id = :account_id

-- name: empty_rate_changes
-- Delete the changes of an account's rates.
DELETE FROM rate_changes WHERE account_id = :account_id

-- name: empty_rate_drafts
-- Delete the rates that an account tried.
DELETE FROM rate_drafts WHERE account_id = :account_id
