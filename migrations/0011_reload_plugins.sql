-- What each serving process has loaded of the plugins (JSON; null: nothing yet), and when an operator asked it to load
-- them anew (0: never), see `hub plugin reload`.
ALTER TABLE nodes ADD COLUMN plugins TEXT;
ALTER TABLE nodes ADD COLUMN reload_asked_at BIGINT NOT NULL DEFAULT 0;
