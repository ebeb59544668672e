-- What lists of an account need to return what changed since a moment without reading all of it.

ALTER TABLE conversions ADD COLUMN reviewed_at BIGINT;  -- when its review was closed; null: never
CREATE INDEX conversions_by_review ON conversions (account_id, reviewed_at) WHERE reviewed_at IS NOT NULL;
CREATE INDEX commissions_by_change ON commissions (account_id, updated_at);
