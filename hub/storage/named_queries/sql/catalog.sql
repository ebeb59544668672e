-- name: products_page
-- Return one page of an account's catalogue, newest first, as one text; count its products, and those with a record.
SELECT (SELECT COALESCE(MAX(number), 0) FROM products WHERE account_id = :account_id) AS total,
       COUNT(*) AS listed, COUNT(recorded) AS recorded, group_concat(record) AS records
FROM (SELECT record, CASE WHEN record IS NOT NULL THEN 1 END AS recorded
      FROM products
      WHERE account_id = :account_id
        AND number <= (SELECT MAX(number) FROM products WHERE account_id = :account_id) - :offset
      ORDER BY number DESC
      LIMIT :limit) AS page

-- name: products_found
-- Return one page of an account's products that match, newest first.
SELECT *
FROM products
WHERE account_id = :account_id
  AND (CAST(:status AS TEXT) IS NULL OR status = CAST(:status AS TEXT))
  AND (CAST(:category AS TEXT) IS NULL OR category = CAST(:category AS TEXT))
  AND (CAST(:pattern AS TEXT) IS NULL OR search_text LIKE CAST(:pattern AS TEXT) ESCAPE '!')
ORDER BY number DESC
LIMIT :limit OFFSET :offset

-- name: products_count
-- Count the products of an account that match.
SELECT COUNT(*) AS total
FROM products
WHERE account_id = :account_id
  AND (CAST(:status AS TEXT) IS NULL OR status = CAST(:status AS TEXT))
  AND (CAST(:category AS TEXT) IS NULL OR category = CAST(:category AS TEXT))
  AND (CAST(:pattern AS TEXT) IS NULL OR search_text LIKE CAST(:pattern AS TEXT) ESCAPE '!')

-- name: products_total
-- Return how many products an account has: the highest number, since none is ever deleted.
SELECT COALESCE(MAX(number), 0) AS total FROM products WHERE account_id = :account_id

-- name: product_named
-- Return the product with this id, the hub's or the merchant's; the hub's comes first.
SELECT *
FROM products
WHERE account_id = :account_id AND (product_id = :reference OR external_product_id = :reference)
ORDER BY CASE WHEN product_id = :reference THEN 0 ELSE 1 END
LIMIT 1

-- name: products_named
-- Return the products that these references name, each an id of the hub's or of the merchant's.
SELECT product_id, external_product_id
FROM products
WHERE account_id = :account_id
  AND (product_id IN @list(:references text) OR external_product_id IN @list(:references text))

-- name: archive_products
-- Archive products by the hub's ids; their JSON is made from the columns until they are written again.
UPDATE products
SET status = 'ARCHIVED', updated_at = :now, record = NULL
WHERE account_id = :account_id AND product_id IN @list(:ids text) AND status <> 'ARCHIVED'

-- name: write_products
-- Insert products, or replace those with the same merchant's id; the times of the last webhooks stay.
INSERT INTO products (account_id, product_id, external_product_id, name, description, product_url, image_url, category,
                      brand, currency, commission_type, commission_value, campaign_id, price_minor, discount_minor,
                      stock_status, status, created_at, updated_at, number, search_text, record)
SELECT account_id, product_id, external_product_id, name, description, product_url, image_url, category, brand,
       currency, commission_type, commission_value, campaign_id, price_minor, discount_minor, stock_status, status,
       created_at, updated_at, number, search_text, record
FROM @rows(:products; account_id text, product_id text, external_product_id text, name text, description text,
           product_url text, image_url text, category text, brand text, currency text, commission_type text,
           commission_value text, campaign_id text, price_minor bigint, discount_minor bigint, stock_status text,
           status text, created_at bigint, updated_at bigint, number bigint, search_text text, record text)
WHERE true
ON CONFLICT (account_id, external_product_id) DO UPDATE
SET name = excluded.name, description = excluded.description, product_url = excluded.product_url,
    image_url = excluded.image_url, category = excluded.category, brand = excluded.brand,
    price_minor = excluded.price_minor, discount_minor = excluded.discount_minor, currency = excluded.currency,
    stock_status = excluded.stock_status, commission_type = excluded.commission_type,
    commission_value = excluded.commission_value, campaign_id = excluded.campaign_id, status = excluded.status,
    updated_at = excluded.updated_at, search_text = excluded.search_text, record = excluded.record

-- name: products_of_account
-- Return products of an account by the merchant's ids: the columns of `hub.catalog.product.Product`, in its order.
SELECT account_id, product_id, external_product_id, name, description, product_url, image_url, category, brand,
       currency, commission_type, commission_value, campaign_id, price_minor, discount_minor, stock_status, status,
       created_at, updated_at, number
FROM products
WHERE account_id = :account_id AND external_product_id IN @list(:external_ids text)

-- name: load_products
-- Return these products with the times of their last webhooks.
SELECT p.account_id, p.product_id, p.external_product_id, p.name, p.description, p.product_url, p.image_url,
       p.category, p.brand, p.price_minor, p.discount_minor, p.currency, p.stock_status, p.commission_type,
       p.commission_value, p.campaign_id, p.status, p.created_at, p.updated_at, p.number, p.news_at, p.stock_at
FROM @rows(:products; account_id text, external_product_id text) AS k
CROSS JOIN products AS p
WHERE p.account_id = k.account_id AND p.external_product_id = k.external_product_id

-- name: write_offers
-- Replace prices, stock and status of stored products.
UPDATE products
SET price_minor = k.price_minor, discount_minor = k.discount_minor, stock_status = k.stock_status, status = k.status,
    updated_at = k.updated_at, record = k.record
FROM @rows(:products; account_id text, product_id text, price_minor bigint, discount_minor bigint, stock_status text,
           status text, updated_at bigint, record text) AS k
WHERE products.account_id = k.account_id AND products.product_id = k.product_id

-- name: campaigns_known
-- Return those of these ids that are campaigns of the account.
SELECT campaign_id FROM campaigns WHERE account_id = :account_id AND campaign_id IN @list(:ids text)

-- name: campaigns_page
-- Return one page of an account's campaigns, newest first, filtered by effective status.
SELECT *
FROM campaigns
WHERE account_id = :account_id
  AND (CAST(:status AS TEXT) IS NULL OR CAST(:status AS TEXT) =
       CASE WHEN status <> 'ARCHIVED' AND end_at IS NOT NULL AND end_at <= :now THEN 'EXPIRED' ELSE status END)
ORDER BY campaign_id DESC
LIMIT :limit OFFSET :offset

-- name: campaigns_count
-- Count the campaigns of an account that match.
SELECT COUNT(*) AS total
FROM campaigns
WHERE account_id = :account_id
  AND (CAST(:status AS TEXT) IS NULL OR CAST(:status AS TEXT) =
       CASE WHEN status <> 'ARCHIVED' AND end_at IS NOT NULL AND end_at <= :now THEN 'EXPIRED' ELSE status END)

-- name: campaign_of_account
-- Return one campaign of an account.
SELECT * FROM campaigns WHERE account_id = :account_id AND campaign_id = :campaign_id

-- name: insert_campaign
-- Insert a campaign.
INSERT INTO campaigns (account_id, campaign_id, campaign_code, title, description, start_at, end_at,
                       default_commission_type, default_commission_value, new_customer_commission_type,
                       new_customer_commission_value, volume_rates, cookie_duration_days, allowed_traffic_sources,
                       terms_and_conditions, approval_required, approval_status, status, created_at, updated_at)
VALUES (:account_id, :campaign_id, :campaign_code, :title, :description, :start_date, :end_date,
        :default_commission_type, :default_commission_value, :new_customer_commission_type,
        :new_customer_commission_value, :volume_rates, :cookie_duration_days, :allowed_traffic_sources,
        :terms_and_conditions, :approval_required, :approval_status, :status, :created_at, :updated_at)

-- name: update_campaign
-- Replace the columns of a campaign that may change.
UPDATE campaigns
SET title = :title, description = :description, start_at = :start_date, end_at = :end_date,
    default_commission_type = :default_commission_type, default_commission_value = :default_commission_value,
    new_customer_commission_type = :new_customer_commission_type,
    new_customer_commission_value = :new_customer_commission_value, volume_rates = :volume_rates,
    cookie_duration_days = :cookie_duration_days, allowed_traffic_sources = :allowed_traffic_sources,
    terms_and_conditions = :terms_and_conditions, approval_required = :approval_required,
    approval_status = :approval_status, status = :status, updated_at = :updated_at
WHERE account_id = :account_id AND campaign_id = :campaign_id

-- name: hold_campaign
-- Lock a campaign until the transaction ends, with an update that changes nothing.
UPDATE campaigns SET updated_at = updated_at WHERE account_id = :account_id AND campaign_id = :campaign_id

-- name: products
-- Return products of an account; a search is a pattern of their names, ids and brands.
-- list: by number bigint; indexed (account_id)
-- filter account_id text: p.account_id = :account_id
-- filter status text: p.status = :status
-- filter category text: p.category = :category
-- filter search text: p.search_text LIKE :search ESCAPE '!'
SELECT p.*
FROM @listed(products AS p)
