-- name: insert_saved_view
-- Insert a view of a list, or give the one of this name other filters; nothing if the user has too many.
INSERT INTO saved_views (user_id, view_id, list, name, filters, created_at)
SELECT :user_id, :view_id, :list, :name, :filters, :now
WHERE (SELECT COUNT(*) FROM saved_views WHERE user_id = :user_id) < :most
ON CONFLICT (user_id, list, name) DO UPDATE SET filters = excluded.filters

-- name: saved_views_of
-- Return the views of a user: of one list, if it is given, by list and name.
SELECT view_id, list, name, filters FROM saved_views
WHERE user_id = :user_id AND (CAST(:list AS TEXT) IS NULL OR list = :list)
ORDER BY list, name

-- name: rename_saved_view
-- Set the name of a user's view, unless another one of the list has it.
UPDATE saved_views SET name = :name
WHERE user_id = :user_id AND view_id = :view_id
  AND NOT EXISTS (SELECT 1 FROM saved_views AS other
                  WHERE other.user_id = saved_views.user_id AND other.list = saved_views.list
                    AND other.name = :name AND other.view_id <> saved_views.view_id)

-- name: delete_saved_view
-- Delete a view of a user.
DELETE FROM saved_views WHERE user_id = :user_id AND view_id = :view_id
