-- What an operator wants the settings to become, and what became of
-- that. What is approved is a version of its section from holds_from on, until
-- a later one holds. was and body are JSON in one form. revision counts what
-- was written, so that other processes see that something changed. It takes two
-- operators, unless alone says why one was enough.
CREATE TABLE setting_proposal (
    id            {{bigkey}},
    revision      BIGINT NOT NULL,
    section       TEXT   NOT NULL CHECK (section IN ('content', 'banks', 'usdt', 'limits')),
    reason        TEXT   NOT NULL,
    proposed_by   BIGINT NOT NULL CHECK (proposed_by > 0),
    proposed_name TEXT   NOT NULL,
    proposed_at   BIGINT NOT NULL,
    state         TEXT   NOT NULL CHECK (state IN ('waiting', 'approved', 'refused', 'withdrawn', 'called off')),
    decided_by    BIGINT NOT NULL,
    decided_name  TEXT   NOT NULL,
    decided_at    BIGINT NOT NULL,
    holds_from    BIGINT NOT NULL,
    ended_by      BIGINT NOT NULL,
    ended_name    TEXT   NOT NULL,
    ended_at      BIGINT NOT NULL,
    alone         TEXT   NOT NULL CHECK (alone IN ('', 'demo')),
    was           TEXT   NOT NULL,
    body          TEXT   NOT NULL,
    CHECK (state NOT IN ('approved', 'called off') OR alone <> '' OR (decided_by > 0 AND decided_by <> proposed_by)),
    CHECK (state NOT IN ('approved', 'called off') OR holds_from > 0)
);
CREATE INDEX setting_proposal_revision ON setting_proposal (revision);
CREATE INDEX setting_proposal_section ON setting_proposal (section, state, id);
-- One change of a section waits at a time.
CREATE UNIQUE INDEX setting_proposal_waiting ON setting_proposal (section) WHERE state = 'waiting';
