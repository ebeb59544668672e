-- The filters of lists that a person keeps under a name.
CREATE TABLE saved_views (
    user_id    TEXT   NOT NULL REFERENCES users (user_id),
    view_id    TEXT   NOT NULL,
    list       TEXT   NOT NULL,                    -- the address of the list, such as /merchant/orders
    name       TEXT   NOT NULL,
    filters    TEXT   NOT NULL,                    -- as in the query of its address
    created_at BIGINT NOT NULL,
    PRIMARY KEY (user_id, view_id),
    UNIQUE (user_id, list, name)
) {clustered};
