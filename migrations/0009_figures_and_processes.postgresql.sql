-- The notes of the change feed on PostgreSQL: every statement that writes what the API prints notes the records,
-- whoever runs it. A note belongs to its transaction, by whose number it is told from another's: no writer waits for
-- one, and none is taken for one that was numbered meanwhile (see hub/processing/change_numbers.py).
CREATE FUNCTION this_transaction() RETURNS BIGINT LANGUAGE sql STABLE AS $$
    SELECT CAST(CAST(pg_current_xact_id() AS TEXT) AS BIGINT)
$$;

-- An event prints what became of a submission; its conversion, if it has one, is told with it.
CREATE FUNCTION note_events() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO new_changes
    SELECT DISTINCT r.account_id, 'event', r.event_id, this_transaction()
    FROM changed AS r
    ON CONFLICT DO NOTHING;
    RETURN NULL;
END
$$;
CREATE TRIGGER note_events_insert AFTER INSERT ON events
REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_events();
CREATE TRIGGER note_events_update AFTER UPDATE ON events
REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_events();
CREATE TRIGGER note_events_delete AFTER DELETE ON events
REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_events();

-- A body that is deleted, after the retention time or for privacy, takes what was submitted beside the facts with it.
CREATE FUNCTION note_payloads() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO new_changes
    SELECT DISTINCT r.account_id, 'event', r.event_id, this_transaction()
    FROM changed AS r
    WHERE r.body LIKE '%"reason"%' OR r.body LIKE '%"metadata"%'
    ON CONFLICT DO NOTHING;
    RETURN NULL;
END
$$;
CREATE TRIGGER note_payloads_delete AFTER DELETE ON payloads
REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_payloads();

-- A new conversion is told with the event that made it.
CREATE FUNCTION note_conversions() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO new_changes
    SELECT DISTINCT r.account_id, 'conversion', r.conversion_id, this_transaction()
    FROM changed AS r
    ON CONFLICT DO NOTHING;
    RETURN NULL;
END
$$;
CREATE TRIGGER note_conversions_update AFTER UPDATE ON conversions
REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_conversions();
CREATE TRIGGER note_conversions_delete AFTER DELETE ON conversions
REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_conversions();

-- A commission is told with its conversion; a new one comes with an event, or closes a review.
CREATE FUNCTION note_commissions() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO new_changes
    SELECT DISTINCT r.account_id, 'conversion', r.conversion_id, this_transaction()
    FROM changed AS r
    ON CONFLICT DO NOTHING;
    RETURN NULL;
END
$$;
CREATE TRIGGER note_commissions_update AFTER UPDATE ON commissions
REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_commissions();

-- One that is taken back is named itself, with the affiliate that it was of.
CREATE FUNCTION note_commissions_delete() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO new_changes
    SELECT DISTINCT r.account_id, 'commission', r.commission_id || '/' || r.affiliate_id, this_transaction()
    FROM changed AS r
    ON CONFLICT DO NOTHING;
    INSERT INTO new_changes
    SELECT DISTINCT r.account_id, 'conversion', r.conversion_id, this_transaction()
    FROM changed AS r
    ON CONFLICT DO NOTHING;
    RETURN NULL;
END
$$;
CREATE TRIGGER note_commissions_delete AFTER DELETE ON commissions
REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_commissions_delete();

-- The first link makes somebody one of the account's affiliates.
CREATE FUNCTION note_links() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO new_changes
    SELECT DISTINCT r.account_id, 'link', r.code, this_transaction()
    FROM changed AS r
    ON CONFLICT DO NOTHING;
    INSERT INTO new_changes
    SELECT DISTINCT r.account_id, 'affiliate', r.affiliate_id, this_transaction()
    FROM changed AS r
    ON CONFLICT DO NOTHING;
    RETURN NULL;
END
$$;
CREATE TRIGGER note_links_insert AFTER INSERT ON links
REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_links();
CREATE TRIGGER note_links_update AFTER UPDATE ON links
REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_links();
CREATE TRIGGER note_links_delete AFTER DELETE ON links
REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_links();

-- So does a membership.
CREATE FUNCTION note_memberships() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO new_changes
    SELECT DISTINCT r.account_id, 'membership', r.campaign_id || '/' || r.affiliate_id, this_transaction()
    FROM changed AS r
    ON CONFLICT DO NOTHING;
    INSERT INTO new_changes
    SELECT DISTINCT r.account_id, 'affiliate', r.affiliate_id, this_transaction()
    FROM changed AS r
    ON CONFLICT DO NOTHING;
    RETURN NULL;
END
$$;
CREATE TRIGGER note_memberships_insert AFTER INSERT ON memberships
REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_memberships();
CREATE TRIGGER note_memberships_update AFTER UPDATE ON memberships
REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_memberships();
CREATE TRIGGER note_memberships_delete AFTER DELETE ON memberships
REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_memberships();

CREATE FUNCTION note_products() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO new_changes
    SELECT DISTINCT r.account_id, 'product', r.product_id, this_transaction()
    FROM changed AS r
    ON CONFLICT DO NOTHING;
    RETURN NULL;
END
$$;
CREATE TRIGGER note_products_insert AFTER INSERT ON products
REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_products();
CREATE TRIGGER note_products_update AFTER UPDATE ON products
REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_products();
CREATE TRIGGER note_products_delete AFTER DELETE ON products
REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_products();

CREATE FUNCTION note_campaigns() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO new_changes
    SELECT DISTINCT r.account_id, 'campaign', r.campaign_id, this_transaction()
    FROM changed AS r
    ON CONFLICT DO NOTHING;
    RETURN NULL;
END
$$;
CREATE TRIGGER note_campaigns_insert AFTER INSERT ON campaigns
REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_campaigns();
CREATE TRIGGER note_campaigns_update AFTER UPDATE ON campaigns
REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_campaigns();
CREATE TRIGGER note_campaigns_delete AFTER DELETE ON campaigns
REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_campaigns();

-- A subscription says how many messages wait for it; an affiliate's is in no account's list.
CREATE FUNCTION note_webhook_deliveries() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO new_changes
    SELECT DISTINCT r.account_id, 'subscription', r.subscription_id, this_transaction()
    FROM changed AS r
    WHERE EXISTS (SELECT 1 FROM subscriptions AS s
             WHERE s.subscription_id = r.subscription_id AND s.account_id = r.account_id)
    ON CONFLICT DO NOTHING;
    RETURN NULL;
END
$$;
CREATE TRIGGER note_webhook_deliveries_insert AFTER INSERT ON webhook_deliveries
REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_webhook_deliveries();
CREATE TRIGGER note_webhook_deliveries_update AFTER UPDATE ON webhook_deliveries
REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_webhook_deliveries();
CREATE TRIGGER note_webhook_deliveries_delete AFTER DELETE ON webhook_deliveries
REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_webhook_deliveries();

-- Balances are sums of the days' figures.
CREATE FUNCTION note_daily_figures() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO new_changes
    SELECT DISTINCT r.account_id, 'balance', r.currency, this_transaction()
    FROM changed AS r
    WHERE r.campaign_id = '*' AND r.affiliate_id = '*' AND r.currency <> ''
    ON CONFLICT DO NOTHING;
    RETURN NULL;
END
$$;
CREATE TRIGGER note_daily_figures_insert AFTER INSERT ON daily_figures
REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_daily_figures();
CREATE TRIGGER note_daily_figures_update AFTER UPDATE ON daily_figures
REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_daily_figures();
CREATE TRIGGER note_daily_figures_delete AFTER DELETE ON daily_figures
REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_daily_figures();

-- A month's statement is the sum of its entries. The books have a time zone: both months beside a turn are told.
CREATE FUNCTION note_ledger_entries() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO new_changes
    SELECT DISTINCT r.account_id, 'statement',
           to_char(to_timestamp((r.posted_at + k.apart) / 1000) AT TIME ZONE 'UTC', 'YYYY-MM'), this_transaction()
    FROM changed AS r CROSS JOIN (VALUES (-50400000), (50400000)) AS k (apart)
    WHERE r.kind IN ('paid', 'adjusted', 'fee')
    ON CONFLICT DO NOTHING;
    RETURN NULL;
END
$$;
CREATE TRIGGER note_ledger_entries_insert AFTER INSERT ON ledger_entries
REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_ledger_entries();
CREATE TRIGGER note_ledger_entries_update AFTER UPDATE ON ledger_entries
REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_ledger_entries();
CREATE TRIGGER note_ledger_entries_delete AFTER DELETE ON ledger_entries
REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_ledger_entries();

-- What is done to a subscription; that it was asked for work, and until when, nobody is shown.
CREATE FUNCTION note_subscriptions() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO new_changes VALUES (NEW.account_id, 'subscription', NEW.subscription_id, this_transaction())
    ON CONFLICT DO NOTHING;
    RETURN NULL;
END
$$;
CREATE TRIGGER note_subscriptions_insert AFTER INSERT ON subscriptions
FOR EACH ROW WHEN (NEW.account_id IS NOT NULL) EXECUTE FUNCTION note_subscriptions();
CREATE TRIGGER note_subscriptions_update AFTER UPDATE OF url, patterns, payload_version, status, reason, failures,
    failing_since
ON subscriptions FOR EACH ROW WHEN (NEW.account_id IS NOT NULL) EXECUTE FUNCTION note_subscriptions();

-- Facts come with an event, which is told; a fact that is changed later is not.
CREATE FUNCTION note_order_facts() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO new_changes
    SELECT DISTINCT c.account_id, 'conversion', c.conversion_id, this_transaction()
    FROM changed AS r
    JOIN conversions AS c ON c.account_id = r.account_id AND c.external_order_id = r.external_order_id
    ON CONFLICT DO NOTHING;
    RETURN NULL;
END
$$;
CREATE TRIGGER note_order_facts_update AFTER UPDATE ON order_facts
REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_order_facts();

-- What a deposit has paid of a month is taken off its statement.
CREATE FUNCTION note_deposit_covers() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO new_changes
    SELECT DISTINCT e.account_id, 'statement',
           to_char(to_timestamp((e.posted_at + k.apart) / 1000) AT TIME ZONE 'UTC', 'YYYY-MM'), this_transaction()
    FROM changed AS r
    JOIN ledger_entries AS e ON e.account_id = r.account_id AND e.commission_id = r.commission_id AND e.kind = 'paid'
    CROSS JOIN (VALUES (-50400000), (50400000)) AS k (apart)
    ON CONFLICT DO NOTHING;
    RETURN NULL;
END
$$;
CREATE TRIGGER note_deposit_covers_insert AFTER INSERT ON deposit_covers
REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_deposit_covers();

-- A name stands in every record of an affiliate, or of a merchant: a note of its own says so, which is worked off in
-- several transactions.
CREATE FUNCTION note_affiliates() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO new_changes
    SELECT k.account_id, 'affiliate', NEW.affiliate_id, this_transaction()
    FROM (SELECT account_id FROM links WHERE affiliate_id = NEW.affiliate_id
          UNION SELECT account_id FROM memberships WHERE affiliate_id = NEW.affiliate_id) AS k
    ON CONFLICT DO NOTHING;
    IF OLD.name <> NEW.name THEN
        INSERT INTO new_names
        SELECT k.account_id, NEW.affiliate_id, this_transaction()
        FROM (SELECT account_id FROM links WHERE affiliate_id = NEW.affiliate_id
              UNION SELECT account_id FROM commissions WHERE affiliate_id = NEW.affiliate_id) AS k
        ON CONFLICT DO NOTHING;
    END IF;
    RETURN NULL;
END
$$;
CREATE TRIGGER note_affiliates_update AFTER UPDATE OF name, status, channels ON affiliates
FOR EACH ROW EXECUTE FUNCTION note_affiliates();
CREATE FUNCTION note_merchants() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO new_names
    SELECT a.account_id, '', this_transaction() FROM accounts AS a WHERE a.merchant_id = NEW.merchant_id
    ON CONFLICT DO NOTHING;
    RETURN NULL;
END
$$;
CREATE TRIGGER note_merchants_name AFTER UPDATE OF name ON merchants
FOR EACH ROW WHEN (OLD.name <> NEW.name) EXECUTE FUNCTION note_merchants();
