-- Money leaving by the chain. Time is bigint microseconds UTC, 0 for never; money
-- is bigint micro-dollars.

-- Approved withdrawals that are paid together. One operator proposes a batch,
-- another approves it, unless alone says why one was enough.
CREATE TABLE payout_batch (
    id            {{bigkey}},
    way           TEXT   NOT NULL CHECK (way IN ('hot', 'manual')),
    state         TEXT   NOT NULL CHECK (state IN ('proposed', 'approved', 'cancelled', 'done')),
    payouts       BIGINT NOT NULL CHECK (payouts > 0),
    total         BIGINT NOT NULL CHECK (total > 0),
    proposed_by   BIGINT NOT NULL,
    proposed_name TEXT   NOT NULL,
    proposed_at   BIGINT NOT NULL,
    approved_by   BIGINT NOT NULL,
    approved_name TEXT   NOT NULL,
    approved_at   BIGINT NOT NULL,
    alone         TEXT   NOT NULL CHECK (alone IN ('', 'demo')),
    exported_at   BIGINT NOT NULL,
    ended_at      BIGINT NOT NULL,
    CHECK (approved_at = 0 OR alone <> '' OR proposed_by <> approved_by OR proposed_name <> approved_name)
);

-- One withdrawal in one batch. note says in words what it waits for or why it
-- failed. nonce is -1 until a transaction of the hot wallet is signed for it.
CREATE TABLE payout (
    batch      BIGINT NOT NULL,
    withdrawal BIGINT NOT NULL,
    way        TEXT   NOT NULL,
    uid        BIGINT NOT NULL,
    address    TEXT   NOT NULL,
    amount     BIGINT NOT NULL CHECK (amount > 0),
    state      TEXT   NOT NULL CHECK (state IN ('waiting', 'signed', 'sent', 'confirmed', 'failed', 'returned', 'cancelled')),
    sender     TEXT   NOT NULL,
    nonce      BIGINT NOT NULL,
    hash       TEXT   NOT NULL,
    note       TEXT   NOT NULL,
    signed_at  BIGINT NOT NULL,
    sent_at    BIGINT NOT NULL,
    ended_at   BIGINT NOT NULL,
    PRIMARY KEY (batch, withdrawal),
    CHECK (state NOT IN ('signed', 'sent', 'confirmed', 'failed') OR hash <> '')
);
-- A withdrawal is on its way in one batch only, and a nonce pays one payout.
CREATE UNIQUE INDEX payout_once ON payout (withdrawal) WHERE state NOT IN ('returned', 'cancelled');
CREATE UNIQUE INDEX payout_nonce ON payout (sender, nonce) WHERE nonce >= 0;
CREATE INDEX payout_open ON payout (state, batch, withdrawal) WHERE state IN ('waiting', 'signed', 'sent');
CREATE INDEX payout_signed ON payout (signed_at) WHERE signed_at > 0;

-- Every transaction that was signed, before it was ever broadcast, and every one
-- that was sent by hand, which has no raw bytes. One payout may have several of
-- the same nonce, of which the chain takes one.
CREATE TABLE payout_tx (
    hash       TEXT   PRIMARY KEY,
    batch      BIGINT NOT NULL,
    withdrawal BIGINT NOT NULL,
    n          BIGINT NOT NULL,
    chain      BIGINT NOT NULL,
    sender     TEXT   NOT NULL,
    nonce      BIGINT NOT NULL,
    raw        BYTEA  NOT NULL,
    by_name    TEXT   NOT NULL,
    at         BIGINT NOT NULL
);
CREATE UNIQUE INDEX payout_tx_payout ON payout_tx (batch, withdrawal, n);

-- The hot wallet's next nonce as this database knows it. If the chain has used
-- more, somebody else uses the key, or the database is an older copy: nothing is
-- paid until an operator has looked.
CREATE TABLE payout_wallet (
    sender  TEXT   PRIMARY KEY,
    chain   BIGINT NOT NULL,
    next    BIGINT NOT NULL CHECK (next >= 0),
    by_name TEXT   NOT NULL,
    at      BIGINT NOT NULL
);
