-- Checks are few and whole rules: PostgreSQL reads each anew for every statement.
-- What they leave out, the ledger's code holds and 'bifolia verify' replays.
-- The ledger. Money is bigint micro-dollars, time bigint microseconds UTC.
-- {{bigkey}} is the engine's 64-bit primary key type.

CREATE TABLE head (
    id          {{bigkey}} CHECK (id = 1),
    epoch       BIGINT NOT NULL,
    holder      TEXT   NOT NULL,
    seq         BIGINT NOT NULL,
    batch       BIGINT NOT NULL,
    accounts    BIGINT NOT NULL,
    holds       BIGINT NOT NULL,
    entries     BIGINT NOT NULL,
    recorded_at BIGINT NOT NULL,
    hash        BYTEA  NOT NULL,
    frozen      TEXT   NOT NULL,
    genesis     BYTEA  NOT NULL
);

CREATE TABLE account (
    id      {{bigkey}},
    code    TEXT   NOT NULL UNIQUE,
    kind    TEXT   NOT NULL,
    owner   BIGINT NOT NULL,
    posted  BIGINT NOT NULL,
    held    BIGINT NOT NULL,
    floor   BIGINT NOT NULL,
    version BIGINT NOT NULL,
    CHECK (posted - held >= floor AND held >= 0 AND (floor = 0 OR kind IN ('E:COMPANY', 'A:OPERATING')))
);
CREATE INDEX account_owner ON account (owner, kind);

CREATE TABLE transfer (
    seq          {{bigkey}},
    id           TEXT   NOT NULL UNIQUE,
    batch        BIGINT NOT NULL,
    actor        TEXT   NOT NULL,
    command_key  TEXT   NOT NULL,
    kind         TEXT   NOT NULL,
    reason       TEXT   NOT NULL,
    reference    TEXT   NOT NULL,
    effective_at BIGINT NOT NULL,
    recorded_at  BIGINT NOT NULL,
    reverses     BIGINT NOT NULL,
    legs         BIGINT NOT NULL,
    leaf         BYTEA  NOT NULL
);
-- A transfer is reversed once.
CREATE UNIQUE INDEX transfer_reverses ON transfer (reverses) WHERE reverses > 0;

-- beneficiary: whose income the transfer credits (0 nobody's, -1 several).
-- The last two checks are the no-payment-out-of-deposits rule: an income is
-- credited only for its beneficiary, and only working pools, held profit or the
-- beneficiary's own incomes and principals are debited for it.
CREATE TABLE entry (
    account       BIGINT NOT NULL,
    version       BIGINT NOT NULL,
    seq           BIGINT NOT NULL,
    leg           BIGINT NOT NULL,
    kind          TEXT   NOT NULL,
    owner         BIGINT NOT NULL,
    beneficiary   BIGINT NOT NULL,
    delta         BIGINT NOT NULL,
    held_delta    BIGINT NOT NULL,
    balance_after BIGINT NOT NULL,
    held_after    BIGINT NOT NULL,
    hold          BIGINT NOT NULL,
    PRIMARY KEY (account, version),
    CHECK (balance_after - held_after >= 0 OR kind IN ('E:COMPANY', 'A:OPERATING')),
    CHECK (kind NOT IN ('L:INCOME', 'L:HELD') OR delta <= 0 OR beneficiary IN (owner, -1)),
    CHECK (beneficiary = 0 OR delta >= 0 OR substr(kind, 1, 2) = 'A:'
           OR kind IN ('P:LEVEL', 'P:MATCH', 'P:LEAD', 'P:ROYALTY', 'L:ROI_HELD')
           OR (beneficiary > 0 AND owner = beneficiary AND kind <> 'L:FUND'))
);
CREATE INDEX entry_seq ON entry (seq, leg);

CREATE TABLE hold (
    id         {{bigkey}},
    account    BIGINT NOT NULL,
    amount     BIGINT NOT NULL CHECK (amount > 0),
    state      TEXT   NOT NULL CHECK (state IN ('open', 'settled', 'voided', 'expired')),
    expires_at BIGINT NOT NULL,
    placed     BIGINT NOT NULL,
    resolved   BIGINT NOT NULL,
    CHECK ((state = 'open') = (resolved = 0))
);
CREATE INDEX hold_due ON hold (expires_at) WHERE state = 'open';

-- What was asked under a key, and the answer: remembered with the posting.
CREATE TABLE command (
    actor       TEXT   NOT NULL,
    command_key TEXT   NOT NULL,
    batch       BIGINT NOT NULL,
    n           BIGINT NOT NULL,
    request     BYTEA  NOT NULL,
    response    BYTEA  NOT NULL,
    first_seq   BIGINT NOT NULL,
    last_seq    BIGINT NOT NULL,
    recorded_at BIGINT NOT NULL,
    leaf        BYTEA  NOT NULL,
    PRIMARY KEY (actor, command_key)
);
CREATE INDEX command_batch ON command (batch, n);

CREATE TABLE batch (
    no          {{bigkey}},
    epoch       BIGINT NOT NULL,
    first_seq   BIGINT NOT NULL,
    last_seq    BIGINT NOT NULL,
    commands    BIGINT NOT NULL,
    recorded_at BIGINT NOT NULL,
    prev_hash   BYTEA  NOT NULL,
    root        BYTEA  NOT NULL,
    hash        BYTEA  NOT NULL,
    key_id      TEXT   NOT NULL,
    signature   BYTEA  NOT NULL
);
