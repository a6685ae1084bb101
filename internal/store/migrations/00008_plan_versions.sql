-- A plan that somebody wants to hold from a day on, and who approved it: two
-- operators, unless alone says why one was enough. A version's name is used
-- once, whatever becomes of it.
CREATE TABLE plan_proposal (
    version        TEXT   PRIMARY KEY,
    first_day      BIGINT NOT NULL,
    body           TEXT   NOT NULL,
    proposed_by    BIGINT NOT NULL,
    proposed_name  TEXT   NOT NULL,
    proposed_at    BIGINT NOT NULL,
    approved_by    BIGINT NOT NULL,
    approved_name  TEXT   NOT NULL,
    approved_at    BIGINT NOT NULL,
    cancelled_by   BIGINT NOT NULL,
    cancelled_name TEXT   NOT NULL,
    cancelled_at   BIGINT NOT NULL,
    alone          TEXT   NOT NULL CHECK (alone IN ('', 'demo', 'command line')),
    CHECK (approved_at = 0 OR alone <> '' OR (proposed_by > 0 AND approved_by > 0 AND proposed_by <> approved_by))
);

-- A version that was called off before its first day never held.
ALTER TABLE plan_version ADD COLUMN cancelled_at BIGINT NOT NULL DEFAULT 0;
CREATE INDEX plan_version_first ON plan_version (first_day, no);

-- What an event was, as a scenario tells it, so that a history can be lived
-- again under another plan. Events from before have none; what they did is told
-- by the ledger and the other tables.
ALTER TABLE day_event ADD COLUMN recorded_at BIGINT NOT NULL DEFAULT 0;
ALTER TABLE day_event ADD COLUMN body TEXT NOT NULL DEFAULT '';
