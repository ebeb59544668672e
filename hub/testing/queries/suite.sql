-- Queries of the stores' conformance suite; they use tables of the hub's own schema.

-- name: suite_put_lease
-- Adds one lease; fails where the name is taken.
INSERT INTO leases (name, owner, expires_at) VALUES (:name, :owner, :expires_at)

-- name: suite_put_leases
-- Adds leases; the names that come back were free.
INSERT INTO leases (name, owner, expires_at)
SELECT name, owner, expires_at
FROM @rows(:leases; name text, owner text, expires_at bigint)
WHERE true
ON CONFLICT (name) DO NOTHING
RETURNING name

-- name: suite_copy_leases
-- Adds leases by a statement that does not begin with its verb.
WITH given AS (SELECT k.name, k.owner, k.expires_at FROM @rows(:leases; name text, owner text, expires_at bigint) AS k)
INSERT INTO leases (name, owner, expires_at) SELECT name, owner, expires_at FROM given

-- name: suite_move_leases
-- Gives leases other owners.
UPDATE leases SET owner = k.owner
FROM @rows(:owners; name text, owner text) AS k
WHERE leases.name = k.name

-- name: suite_leases
-- Leases of these names.
SELECT name, owner, expires_at FROM leases WHERE name IN @list(:names text) ORDER BY name

-- name: suite_leases_at
-- Names of the leases that end at one of these times.
SELECT name FROM leases WHERE expires_at IN @list(:times bigint) ORDER BY name

-- name: suite_leases_of
-- Names of the leases of an owner, of all where none is given.
SELECT name FROM leases WHERE CAST(:owner AS TEXT) IS NULL OR owner = CAST(:owner AS TEXT) ORDER BY name

-- name: suite_count
-- How many leases there are.
SELECT count(*) AS number FROM leases

-- name: suite_count_up
-- Adds to a lease's number.
UPDATE leases SET expires_at = expires_at + :step WHERE name = :name

-- name: suite_claim_leases
-- The next leases that nobody holds locked.
SELECT name FROM leases ORDER BY name LIMIT :limit @skip_locked

-- name: suite_echo
-- Gives a batch back as it was understood.
SELECT k.word, k.number FROM @rows(:batch; word text, number bigint) AS k

-- name: suite_echo_one
-- Gives a text and a number back.
SELECT CAST(:word AS TEXT) AS word, CAST(:number AS BIGINT) AS number

-- name: suite_literals
-- Holds in a text what would be a parameter, a comment or a macro outside of it.
SELECT 'it''s :word -- @rows(:x; y text)' || CAST(:word AS TEXT) AS text -- :nothing @here

-- name: suite_put_claims
-- Adds claims, whose conversion may be null.
INSERT INTO claims (account_id, scope, claim_key, event_id, conversion_id)
SELECT account_id, scope, claim_key, event_id, conversion_id
FROM @rows(:claims; account_id text, scope text, claim_key text, event_id text, conversion_id text)
WHERE true
ON CONFLICT (account_id, scope, claim_key) DO UPDATE SET conversion_id = excluded.conversion_id
WHERE claims.conversion_id IS NULL
RETURNING claim_key

-- name: suite_open_claims
-- Claims without a conversion.
SELECT claim_key FROM claims WHERE conversion_id IS NULL ORDER BY claim_key

-- name: suite_put_coupon
-- Gives a coupon to an affiliate that must exist.
INSERT INTO affiliate_coupons (coupon_code, affiliate_id) VALUES (:coupon_code, :affiliate_id)

-- name: suite_put_affiliate
-- Adds an affiliate; its status is one of two words.
INSERT INTO affiliates (affiliate_id, name, email, status, created_at)
VALUES (:affiliate_id, 'Suite', 'suite@example.test', :status, 0)
