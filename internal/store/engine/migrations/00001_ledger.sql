-- The ledger. In all tables money is bigint micro-dollars and time is bigint
-- microseconds UTC, 0 for never. {{bigkey}} is the engine's 64-bit primary key type.
--
-- CHECKs are few and whole rules: PostgreSQL reads each anew for every statement.
-- What they leave out, the ledger's code holds and 'bifolia verify' replays.

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
-- A transaction number is looked for among the deposits of all members.
CREATE INDEX transfer_deposit ON transfer (reference) WHERE kind = 'deposit';

-- beneficiary: the member whose income the transfer credits (0 for none, -1 for
-- several). The last two checks are the no-payment-out-of-deposits rule: an income is
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

-- The request made under an idempotency key, and its answer, committed with the posting.
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

-- The batch that has the last signed line of a row, so that a payout need not read the
-- whole chain. This table is not signed: the line it leads to is verified in its batch.
CREATE TABLE witness_at (
    what  TEXT   PRIMARY KEY,
    batch BIGINT NOT NULL
);
