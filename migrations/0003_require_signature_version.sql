-- The lowest version of the request signature that a key takes: 2 covers the method and the target, too.
ALTER TABLE api_keys ADD COLUMN signature_version BIGINT NOT NULL DEFAULT 1 CHECK (signature_version BETWEEN 1 AND 2);
