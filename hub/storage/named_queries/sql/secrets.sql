-- name: sealed_key_page
-- Return a page of the sealed secrets of API keys, in the order of their ids.
SELECT key_id, sealed_secret FROM api_keys WHERE key_id > :after ORDER BY key_id LIMIT :limit

-- name: reseal_key
-- Replace the sealed secret of an API key, if it is still the one that was read.
UPDATE api_keys SET sealed_secret = :new WHERE key_id = :key_id AND sealed_secret = :old

-- name: sealed_connection_page
-- Return a page of the sealed secrets of connections, in the order of their ids.
SELECT account_id, connection_id, secrets FROM connections
WHERE (account_id, connection_id) > (:account_id, :connection_id)
ORDER BY account_id, connection_id
LIMIT :limit

-- name: reseal_connection
-- Replace the sealed secrets of a connection, if they are still those that were read.
UPDATE connections SET secrets = :new
WHERE account_id = :account_id AND connection_id = :connection_id AND secrets = :old
