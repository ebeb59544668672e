-- When it was last reported that a deposit is too small, so that each shortage is reported once; null: not since the
-- last payment into it.
ALTER TABLE deposits ADD COLUMN shortage_at BIGINT;
