-- An operator's second factor. Secrets are sealed with a key that the database
-- does not hold; empty when there is none. pending is one that waits to be
-- confirmed by a code. step is the last time step whose code was taken: no code
-- is taken twice. tries and locked count wrong codes given with the right
-- password.
CREATE TABLE operator_factor (
    operator   {{bigkey}},
    secret     BYTEA  NOT NULL,
    set_at     BIGINT NOT NULL,
    pending    BYTEA  NOT NULL,
    pending_at BIGINT NOT NULL,
    step       BIGINT NOT NULL,
    tries      BIGINT NOT NULL,
    locked     BIGINT NOT NULL
);

-- Recovery codes, each good once in place of a code; keyed hashes only.
CREATE TABLE operator_recovery (
    operator BIGINT NOT NULL,
    hash     BYTEA  NOT NULL,
    used_at  BIGINT NOT NULL,
    PRIMARY KEY (operator, hash)
);

-- One-time links by which an operator chooses a password.
CREATE TABLE operator_invitation (
    operator {{bigkey}},
    token    BYTEA  NOT NULL,
    until    BIGINT NOT NULL
);

-- What an owner wants changed about an operator and another owner must approve.
-- kind: role, or end. alone says why one owner was enough.
CREATE TABLE operator_proposal (
    id          {{bigkey}},
    kind        TEXT   NOT NULL CHECK (kind IN ('role', 'end')),
    operator    BIGINT NOT NULL,
    was         TEXT   NOT NULL,
    wanted      TEXT   NOT NULL,
    reason      TEXT   NOT NULL,
    proposed_by BIGINT NOT NULL,
    proposed_at BIGINT NOT NULL,
    decided_by  BIGINT NOT NULL,
    decided_at  BIGINT NOT NULL,
    state       TEXT   NOT NULL CHECK (state IN ('waiting', 'approved', 'refused', 'withdrawn')),
    alone       TEXT   NOT NULL CHECK (alone IN ('', 'only owner')),
    CHECK (state <> 'approved' OR alone <> '' OR (decided_by > 0 AND decided_by <> proposed_by))
);
-- One change of an operator waits at a time.
CREATE UNIQUE INDEX operator_proposal_waiting ON operator_proposal (operator) WHERE state = 'waiting';
