-- Second factors of operators and of members, in one form: kind and owner say
-- whose. Nothing of the former tables is kept: they were never released.
DROP TABLE operator_factor;
DROP TABLE operator_recovery;
DROP TABLE passkey;
DROP TABLE passkey_challenge;

-- Secrets are sealed with a key that the database does not hold; empty when there
-- is none. set_at is 0 while there is no factor: a member may have passkeys and no
-- secret. pending waits to be confirmed by a code. step is the last time step
-- whose code was taken: no code is taken twice. tries and locked count wrong codes
-- given with the right password. recovery and passkeys are fingerprints of the
-- owner's rows in the two tables below, so that the signed chain, which vouches for
-- this row, vouches for those too.
CREATE TABLE factor (
    kind       TEXT   NOT NULL CHECK (kind IN ('operator', 'member')),
    owner      BIGINT NOT NULL,
    secret     BYTEA  NOT NULL,
    set_at     BIGINT NOT NULL,
    pending    BYTEA  NOT NULL,
    pending_at BIGINT NOT NULL,
    step       BIGINT NOT NULL,
    tries      BIGINT NOT NULL,
    locked     BIGINT NOT NULL,
    recovery   BYTEA  NOT NULL,
    passkeys   BYTEA  NOT NULL,
    PRIMARY KEY (kind, owner)
);

-- Recovery codes, each good once in place of a code; keyed hashes only.
CREATE TABLE factor_recovery (
    kind    TEXT   NOT NULL,
    owner   BIGINT NOT NULL,
    hash    BYTEA  NOT NULL,
    used_at BIGINT NOT NULL,
    PRIMARY KEY (kind, owner, hash)
);

-- key is the public key, sealed and bound to its owner and credential: a row that
-- is written past the program signs nobody in. handle is how the authenticator
-- knows the owner. flags are those of the registration; uses counts as the
-- authenticator does, 0 if it does not.
CREATE TABLE passkey (
    id         {{bigkey}},
    kind       TEXT   NOT NULL CHECK (kind IN ('operator', 'member')),
    owner      BIGINT NOT NULL,
    credential BYTEA  NOT NULL UNIQUE,
    handle     BYTEA  NOT NULL,
    name       TEXT   NOT NULL,
    key        BYTEA  NOT NULL,
    flags      BIGINT NOT NULL,
    uses       BIGINT NOT NULL,
    transports TEXT   NOT NULL,
    created_at BIGINT NOT NULL,
    used_at    BIGINT NOT NULL
);
CREATE INDEX passkey_owner ON passkey (kind, owner);

-- What an authenticator is to sign, or a sign-in that waits for a second factor:
-- each good once and for minutes. bound is a keyed hash of the row and of what it
-- is for, so that a row that somebody changed is good for nothing.
CREATE TABLE factor_challenge (
    id         TEXT   NOT NULL PRIMARY KEY,
    flow       TEXT   NOT NULL,
    challenge  BYTEA  NOT NULL,
    kind       TEXT   NOT NULL,
    owner      BIGINT NOT NULL,
    session    TEXT   NOT NULL,
    handle     BYTEA  NOT NULL,
    name       TEXT   NOT NULL,
    bound      BYTEA  NOT NULL,
    expires_at BIGINT NOT NULL
);
CREATE INDEX factor_challenge_expires ON factor_challenge (expires_at);

-- Since when the member has a second factor, 0 while there is none: this row is
-- always there, so that a factor's row that was taken away is missed.
ALTER TABLE credential ADD COLUMN factor_set BIGINT NOT NULL DEFAULT 0;
