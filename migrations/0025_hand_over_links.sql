-- A sign-in link that one session hands over: sealed under that session's own cookie, which is stored nowhere.
ALTER TABLE shown_secrets ADD COLUMN sealed_link TEXT;
