-- Clicks that no conversion names are forgotten after a time, see hub/processing/click_retention.py.
CREATE INDEX conversions_by_click ON conversions (account_id, click_id) WHERE click_id IS NOT NULL;
