-- After a restore the database is an older copy: payouts may have been made that it
-- does not know. Time is bigint microseconds UTC, 0 for never; money is bigint
-- micro-dollars.

-- Written by 'bifolia restore' when the copy is in place, without the ledger's key.
-- Payouts are held from here on; the next server that leads makes a hold of it.
CREATE TABLE restore_note (
    id      TEXT   PRIMARY KEY,
    made_at BIGINT NOT NULL,
    batch   BIGINT NOT NULL,
    at      BIGINT NOT NULL
);

-- While one is not lifted no batch is made, approved, exported, signed or broadcast.
-- since is from when on the chain is looked at. settling: nonces below until are
-- being used for good, so that no payment that was signed in the lost time can come
-- later; settled: what the chain says of that time is in payout_found. One operator
-- begins to settle; to lift it takes two, unless alone says why one was enough: the
-- second names the digest of what the first saw.
CREATE TABLE payout_hold (
    id           {{bigkey}},
    cause        TEXT   NOT NULL CHECK (cause IN ('restore', 'anchor', 'chain')),
    note         TEXT   NOT NULL,
    detail       TEXT   NOT NULL,
    since        BIGINT NOT NULL,
    at           BIGINT NOT NULL,
    state        TEXT   NOT NULL CHECK (state IN ('held', 'settling', 'settled', 'lifted')),
    sender       TEXT   NOT NULL,
    until        BIGINT NOT NULL,
    settled_by   BIGINT NOT NULL,
    settled_name TEXT   NOT NULL,
    settled_at   BIGINT NOT NULL,
    first_by     BIGINT NOT NULL,
    first_name   TEXT   NOT NULL,
    first_at     BIGINT NOT NULL,
    digest       TEXT   NOT NULL,
    lifted_by    BIGINT NOT NULL,
    lifted_name  TEXT   NOT NULL,
    lifted_at    BIGINT NOT NULL,
    alone        TEXT   NOT NULL CHECK (alone IN ('', 'demo', 'only operator')),
    reason       TEXT   NOT NULL,
    CHECK (state <> 'lifted' OR alone <> '' OR (first_by <> lifted_by AND first_by > 0 AND lifted_by > 0))
);
CREATE UNIQUE INDEX payout_hold_note ON payout_hold (note) WHERE note <> '';
CREATE INDEX payout_hold_open ON payout_hold (id) WHERE state <> 'lifted';

-- Transfers of the token that the chain has and this database does not know: out of
-- the hot wallet, or to an address that a withdrawal waits to be paid to. withdrawal
-- is what it paid, or may have paid; 0 if nothing here fits. An operator may dismiss
-- one that did not come from the hot wallet.
CREATE TABLE payout_found (
    hold           BIGINT NOT NULL,
    n              BIGINT NOT NULL,
    hash           TEXT   NOT NULL,
    sender         TEXT   NOT NULL,
    address        TEXT   NOT NULL,
    amount         BIGINT NOT NULL,
    block          BIGINT NOT NULL,
    withdrawal     BIGINT NOT NULL,
    own            BIGINT NOT NULL CHECK (own IN (0, 1)),
    dismissed_by   BIGINT NOT NULL,
    dismissed_name TEXT   NOT NULL,
    dismissed_at   BIGINT NOT NULL,
    reason         TEXT   NOT NULL,
    PRIMARY KEY (hold, n),
    CHECK (own = 0 OR dismissed_at = 0)
);
CREATE INDEX payout_found_withdrawal ON payout_found (withdrawal) WHERE withdrawal > 0;
