-- What an affiliate notes on a link to tell its places apart: a JSON object of sub1 to sub5, null without any. A click
-- keeps those that it came with; an order has them through its click.
ALTER TABLE links ADD COLUMN subs TEXT;
ALTER TABLE clicks ADD COLUMN subs TEXT;

-- The affiliate, if it disabled the link itself; null: somebody else did, or the link is enabled.
ALTER TABLE links ADD COLUMN disabled_by TEXT;

-- An affiliate's links, over all accounts.
CREATE INDEX links_by_affiliate ON links (affiliate_id, code);
