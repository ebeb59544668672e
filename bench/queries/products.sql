-- name: products_by_number
-- One page of all of an account's products, newest first: the columns, as a hub without stored records would read them.
SELECT *
FROM products
WHERE account_id = :account_id
  AND number <= (SELECT MAX(number) FROM products WHERE account_id = :account_id) - :offset
ORDER BY number DESC
LIMIT :limit
