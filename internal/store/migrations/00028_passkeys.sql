-- Operators' passkeys. key is the public key, sealed with a key that the
-- database does not hold and bound to its operator and credential: a row that is
-- written past the program signs nobody in. handle is how the authenticator
-- knows the operator. flags are those of the registration; uses counts as the
-- authenticator does, 0 if it does not.
CREATE TABLE passkey (
    id         {{bigkey}},
    operator   BIGINT NOT NULL,
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
CREATE INDEX passkey_operator ON passkey (operator);

-- What an authenticator is to sign, each good once and for minutes. flow: add a
-- passkey, of a session of an operator's, or sign in, of nobody yet.
CREATE TABLE passkey_challenge (
    id         TEXT   NOT NULL PRIMARY KEY,
    flow       TEXT   NOT NULL CHECK (flow IN ('add', 'sign in')),
    challenge  BYTEA  NOT NULL,
    operator   BIGINT NOT NULL,
    session    TEXT   NOT NULL,
    handle     BYTEA  NOT NULL,
    name       TEXT   NOT NULL,
    expires_at BIGINT NOT NULL
);
CREATE INDEX passkey_challenge_expires ON passkey_challenge (expires_at);
