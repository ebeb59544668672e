-- A campaign's attribution policy, and what the clicks of a campaign that asks for it keep of their visitor for a while.

ALTER TABLE campaigns ADD COLUMN attribution TEXT;   -- JSON, see hub/domain/attribution_policy.py; null: the click decides
ALTER TABLE clicks ADD COLUMN visitor TEXT;          -- keyed hash of address and agent, null once the click does not count
ALTER TABLE sessions ADD COLUMN visitor TEXT;        -- the same of the person who signed in

CREATE INDEX clicks_by_visitor ON clicks (account_id, visitor) WHERE visitor IS NOT NULL;
CREATE INDEX clicks_with_visitor ON clicks (account_id, clicked_at) WHERE visitor IS NOT NULL;
