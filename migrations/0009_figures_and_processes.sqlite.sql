-- The notes of the change feed on SQLite: every write of what the API prints notes the record, whoever writes. There is
-- one writer, so a note that is there already says it (see hub/processing/change_numbers.py).

-- An event prints what became of a submission; its conversion, if it has one, is told with it.
CREATE TRIGGER note_events_insert AFTER INSERT ON events
BEGIN
    INSERT INTO new_changes
    VALUES (NEW.account_id, 'event', NEW.event_id, 0) ON CONFLICT DO NOTHING;
END;
CREATE TRIGGER note_events_update AFTER UPDATE OF status, external_order_id, conversion_id, received_at, processed_at,
    attempts, explanation ON events
BEGIN
    INSERT INTO new_changes
    VALUES (NEW.account_id, 'event', NEW.event_id, 0) ON CONFLICT DO NOTHING;
END;
CREATE TRIGGER note_events_delete AFTER DELETE ON events
BEGIN
    INSERT INTO new_changes
    VALUES (OLD.account_id, 'event', OLD.event_id, 0) ON CONFLICT DO NOTHING;
END;

-- A body that is deleted, after the retention time or for privacy, takes what was submitted beside the facts with it.
CREATE TRIGGER note_payloads_delete AFTER DELETE ON payloads
WHEN OLD.body LIKE '%"reason"%' OR OLD.body LIKE '%"metadata"%'
BEGIN
    INSERT INTO new_changes
    VALUES (OLD.account_id, 'event', OLD.event_id, 0) ON CONFLICT DO NOTHING;
END;

-- A new conversion is told with the event that made it.
CREATE TRIGGER note_conversions_update AFTER UPDATE ON conversions
BEGIN
    INSERT INTO new_changes
    VALUES (NEW.account_id, 'conversion', NEW.conversion_id, 0) ON CONFLICT DO NOTHING;
END;
CREATE TRIGGER note_conversions_delete AFTER DELETE ON conversions
BEGIN
    INSERT INTO new_changes
    VALUES (OLD.account_id, 'conversion', OLD.conversion_id, 0) ON CONFLICT DO NOTHING;
END;

-- A commission is told with its conversion; a new one comes with an event, or closes a review.
CREATE TRIGGER note_commissions_update AFTER UPDATE ON commissions
BEGIN
    INSERT INTO new_changes
    VALUES (NEW.account_id, 'conversion', NEW.conversion_id, 0) ON CONFLICT DO NOTHING;
END;

-- One that is taken back is named itself, with the affiliate that it was of.
CREATE TRIGGER note_commissions_delete AFTER DELETE ON commissions
BEGIN
    INSERT INTO new_changes
    VALUES (OLD.account_id, 'commission', OLD.commission_id || '/' || OLD.affiliate_id, 0) ON CONFLICT DO NOTHING;
    INSERT INTO new_changes
    VALUES (OLD.account_id, 'conversion', OLD.conversion_id, 0) ON CONFLICT DO NOTHING;
END;

-- The first link makes somebody one of the account's affiliates.
CREATE TRIGGER note_links_insert AFTER INSERT ON links
BEGIN
    INSERT INTO new_changes
    VALUES (NEW.account_id, 'link', NEW.code, 0) ON CONFLICT DO NOTHING;
    INSERT INTO new_changes
    VALUES (NEW.account_id, 'affiliate', NEW.affiliate_id, 0) ON CONFLICT DO NOTHING;
END;
CREATE TRIGGER note_links_update AFTER UPDATE ON links
BEGIN
    INSERT INTO new_changes
    VALUES (NEW.account_id, 'link', NEW.code, 0) ON CONFLICT DO NOTHING;
    INSERT INTO new_changes
    VALUES (NEW.account_id, 'affiliate', NEW.affiliate_id, 0) ON CONFLICT DO NOTHING;
END;
CREATE TRIGGER note_links_delete AFTER DELETE ON links
BEGIN
    INSERT INTO new_changes
    VALUES (OLD.account_id, 'link', OLD.code, 0) ON CONFLICT DO NOTHING;
    INSERT INTO new_changes
    VALUES (OLD.account_id, 'affiliate', OLD.affiliate_id, 0) ON CONFLICT DO NOTHING;
END;

-- So does a membership.
CREATE TRIGGER note_memberships_insert AFTER INSERT ON memberships
BEGIN
    INSERT INTO new_changes
    VALUES (NEW.account_id, 'membership', NEW.campaign_id || '/' || NEW.affiliate_id, 0) ON CONFLICT DO NOTHING;
    INSERT INTO new_changes
    VALUES (NEW.account_id, 'affiliate', NEW.affiliate_id, 0) ON CONFLICT DO NOTHING;
END;
CREATE TRIGGER note_memberships_update AFTER UPDATE ON memberships
BEGIN
    INSERT INTO new_changes
    VALUES (NEW.account_id, 'membership', NEW.campaign_id || '/' || NEW.affiliate_id, 0) ON CONFLICT DO NOTHING;
    INSERT INTO new_changes
    VALUES (NEW.account_id, 'affiliate', NEW.affiliate_id, 0) ON CONFLICT DO NOTHING;
END;
CREATE TRIGGER note_memberships_delete AFTER DELETE ON memberships
BEGIN
    INSERT INTO new_changes
    VALUES (OLD.account_id, 'membership', OLD.campaign_id || '/' || OLD.affiliate_id, 0) ON CONFLICT DO NOTHING;
    INSERT INTO new_changes
    VALUES (OLD.account_id, 'affiliate', OLD.affiliate_id, 0) ON CONFLICT DO NOTHING;
END;

CREATE TRIGGER note_products_insert AFTER INSERT ON products
BEGIN
    INSERT INTO new_changes
    VALUES (NEW.account_id, 'product', NEW.product_id, 0) ON CONFLICT DO NOTHING;
END;
CREATE TRIGGER note_products_update AFTER UPDATE OF
    name, description, product_url, image_url, category, brand, price_minor, discount_minor, currency,
    stock_status, commission_type, commission_value, campaign_id, status, created_at, updated_at, record ON products
BEGIN
    INSERT INTO new_changes
    VALUES (NEW.account_id, 'product', NEW.product_id, 0) ON CONFLICT DO NOTHING;
END;
CREATE TRIGGER note_products_delete AFTER DELETE ON products
BEGIN
    INSERT INTO new_changes
    VALUES (OLD.account_id, 'product', OLD.product_id, 0) ON CONFLICT DO NOTHING;
END;

CREATE TRIGGER note_campaigns_insert AFTER INSERT ON campaigns
BEGIN
    INSERT INTO new_changes
    VALUES (NEW.account_id, 'campaign', NEW.campaign_id, 0) ON CONFLICT DO NOTHING;
END;
CREATE TRIGGER note_campaigns_update AFTER UPDATE ON campaigns
BEGIN
    INSERT INTO new_changes
    VALUES (NEW.account_id, 'campaign', NEW.campaign_id, 0) ON CONFLICT DO NOTHING;
END;
CREATE TRIGGER note_campaigns_delete AFTER DELETE ON campaigns
BEGIN
    INSERT INTO new_changes
    VALUES (OLD.account_id, 'campaign', OLD.campaign_id, 0) ON CONFLICT DO NOTHING;
END;

-- A subscription says how many messages wait for it; an affiliate's is in no account's list.
CREATE TRIGGER note_webhook_deliveries_insert AFTER INSERT ON webhook_deliveries
WHEN EXISTS (SELECT 1 FROM subscriptions AS s
             WHERE s.subscription_id = NEW.subscription_id AND s.account_id = NEW.account_id)
BEGIN
    INSERT INTO new_changes
    VALUES (NEW.account_id, 'subscription', NEW.subscription_id, 0) ON CONFLICT DO NOTHING;
END;
CREATE TRIGGER note_webhook_deliveries_update AFTER UPDATE OF status ON webhook_deliveries
WHEN EXISTS (SELECT 1 FROM subscriptions AS s
             WHERE s.subscription_id = NEW.subscription_id AND s.account_id = NEW.account_id)
BEGIN
    INSERT INTO new_changes
    VALUES (NEW.account_id, 'subscription', NEW.subscription_id, 0) ON CONFLICT DO NOTHING;
END;
CREATE TRIGGER note_webhook_deliveries_delete AFTER DELETE ON webhook_deliveries
WHEN EXISTS (SELECT 1 FROM subscriptions AS s
             WHERE s.subscription_id = OLD.subscription_id AND s.account_id = OLD.account_id)
BEGIN
    INSERT INTO new_changes
    VALUES (OLD.account_id, 'subscription', OLD.subscription_id, 0) ON CONFLICT DO NOTHING;
END;

-- Balances are sums of the days' figures.
CREATE TRIGGER note_daily_figures_insert AFTER INSERT ON daily_figures
WHEN NEW.campaign_id = '*' AND NEW.affiliate_id = '*' AND NEW.currency <> ''
BEGIN
    INSERT INTO new_changes
    VALUES (NEW.account_id, 'balance', NEW.currency, 0) ON CONFLICT DO NOTHING;
END;
CREATE TRIGGER note_daily_figures_update AFTER UPDATE ON daily_figures
WHEN NEW.campaign_id = '*' AND NEW.affiliate_id = '*' AND NEW.currency <> ''
BEGIN
    INSERT INTO new_changes
    VALUES (NEW.account_id, 'balance', NEW.currency, 0) ON CONFLICT DO NOTHING;
END;
CREATE TRIGGER note_daily_figures_delete AFTER DELETE ON daily_figures
WHEN OLD.campaign_id = '*' AND OLD.affiliate_id = '*' AND OLD.currency <> ''
BEGIN
    INSERT INTO new_changes
    VALUES (OLD.account_id, 'balance', OLD.currency, 0) ON CONFLICT DO NOTHING;
END;

-- A month's statement is the sum of its entries. The books have a time zone: both months beside a turn are told.
CREATE TRIGGER note_ledger_entries_insert AFTER INSERT ON ledger_entries
WHEN (NEW.kind = 'paid') OR (NEW.kind = 'adjusted') OR (NEW.kind = 'fee')
BEGIN
    INSERT INTO new_changes
    SELECT NEW.account_id, 'statement', strftime('%Y-%m', (NEW.posted_at + apart) / 1000, 'unixepoch'), 0
    FROM (SELECT -50400000 AS apart UNION ALL SELECT 50400000) WHERE true ON CONFLICT DO NOTHING;
END;
CREATE TRIGGER note_ledger_entries_update AFTER UPDATE ON ledger_entries
WHEN (NEW.kind = 'paid') OR (NEW.kind = 'adjusted') OR (NEW.kind = 'fee')
BEGIN
    INSERT INTO new_changes
    SELECT NEW.account_id, 'statement', strftime('%Y-%m', (NEW.posted_at + apart) / 1000, 'unixepoch'), 0
    FROM (SELECT -50400000 AS apart UNION ALL SELECT 50400000) WHERE true ON CONFLICT DO NOTHING;
END;
CREATE TRIGGER note_ledger_entries_delete AFTER DELETE ON ledger_entries
WHEN (OLD.kind = 'paid') OR (OLD.kind = 'adjusted') OR (OLD.kind = 'fee')
BEGIN
    INSERT INTO new_changes
    SELECT OLD.account_id, 'statement', strftime('%Y-%m', (OLD.posted_at + apart) / 1000, 'unixepoch'), 0
    FROM (SELECT -50400000 AS apart UNION ALL SELECT 50400000) WHERE true ON CONFLICT DO NOTHING;
END;

-- What is done to a subscription; that it was asked for work, and until when, nobody is shown.
CREATE TRIGGER note_subscriptions_insert AFTER INSERT ON subscriptions WHEN NEW.account_id IS NOT NULL
BEGIN
    INSERT INTO new_changes VALUES (NEW.account_id, 'subscription', NEW.subscription_id, 0) ON CONFLICT DO NOTHING;
END;
CREATE TRIGGER note_subscriptions_update AFTER UPDATE OF url, patterns, payload_version, status, reason, failures,
    failing_since
ON subscriptions WHEN NEW.account_id IS NOT NULL
BEGIN
    INSERT INTO new_changes VALUES (NEW.account_id, 'subscription', NEW.subscription_id, 0) ON CONFLICT DO NOTHING;
END;

-- Facts come with an event, which is told; a fact that is changed later is not.
CREATE TRIGGER note_order_facts_update AFTER UPDATE ON order_facts
BEGIN
    INSERT INTO new_changes
    SELECT c.account_id, 'conversion', c.conversion_id, 0 FROM conversions AS c
    WHERE c.account_id = NEW.account_id AND c.external_order_id = NEW.external_order_id
    ON CONFLICT DO NOTHING;
END;

-- What a deposit has paid of a month is taken off its statement.
CREATE TRIGGER note_deposit_covers_insert AFTER INSERT ON deposit_covers
BEGIN
    INSERT INTO new_changes
    SELECT e.account_id, 'statement', strftime('%Y-%m', (e.posted_at + apart) / 1000, 'unixepoch'), 0
    FROM ledger_entries AS e CROSS JOIN (SELECT -50400000 AS apart UNION ALL SELECT 50400000) AS k
    WHERE e.account_id = NEW.account_id AND e.commission_id = NEW.commission_id AND e.kind = 'paid'
    ON CONFLICT DO NOTHING;
END;

-- A name stands in every record of an affiliate, or of a merchant. Each change of one has a note of its own, because
-- it is worked off in several transactions, while the name may change again.
CREATE TRIGGER note_affiliates_update AFTER UPDATE OF name, status, channels ON affiliates
BEGIN
    INSERT INTO new_changes
    SELECT k.account_id, 'affiliate', NEW.affiliate_id, 0
    FROM (SELECT account_id FROM links WHERE affiliate_id = NEW.affiliate_id
          UNION SELECT account_id FROM memberships WHERE affiliate_id = NEW.affiliate_id) AS k
    WHERE true
    ON CONFLICT DO NOTHING;
END;
CREATE TRIGGER note_affiliates_name AFTER UPDATE OF name ON affiliates WHEN OLD.name <> NEW.name
BEGIN
    INSERT INTO new_names
    SELECT k.account_id, NEW.affiliate_id, random()
    FROM (SELECT account_id FROM links WHERE affiliate_id = NEW.affiliate_id
          UNION SELECT account_id FROM commissions WHERE affiliate_id = NEW.affiliate_id) AS k;
END;
CREATE TRIGGER note_merchants_name AFTER UPDATE OF name ON merchants WHEN OLD.name <> NEW.name
BEGIN
    INSERT INTO new_names SELECT a.account_id, '', random() FROM accounts AS a
    WHERE a.merchant_id = NEW.merchant_id;
END;
