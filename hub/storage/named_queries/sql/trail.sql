-- name: append_act
-- Append an act to the trail.
INSERT INTO trail (trail_id, acted_at, actor_kind, actor_id, act, subject_kind, subject_id, before_json, after_json,
                   source, address)
VALUES (:trail_id, :now, :actor_kind, :actor_id, :act, :subject_kind, :subject_id, :before_json, :after_json,
        :source, :address)

-- name: acts
-- Return acts of people, programs and commands.
-- list: by trail_id text; indexed (), (subject), (actor), (act); from since
-- filter since text: t.trail_id >= :since
-- filter subject text: t.subject_id = :subject
-- filter actor text: t.actor_id = :actor
-- filter act text: t.act = :act
SELECT t.trail_id, t.acted_at, t.actor_kind, t.actor_id, t.act, t.subject_kind, t.subject_id, t.before_json, t.after_json,
       t.source, t.address
FROM @listed(trail AS t)

-- name: act_on
-- Return what was acted on, if the trail has it.
SELECT subject_id FROM trail WHERE subject_id = :subject LIMIT 1
