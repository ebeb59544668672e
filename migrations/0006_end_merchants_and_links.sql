-- Why a merchant has its status, and when it was closed. A closed merchant is stored as SUSPENDED with the time of its
-- closing, so that every reader of the status, the release before among them, takes it for one that may do nothing.
ALTER TABLE merchants ADD COLUMN status_reason TEXT;
ALTER TABLE merchants ADD COLUMN closed_at BIGINT;

-- When an operator disabled a link, whose clicks earn nothing since; null: it is enabled.
ALTER TABLE links ADD COLUMN disabled_at BIGINT;
