-- Deposits belong to who paid. Time is bigint microseconds UTC, 0 for never; money
-- is bigint micro-dollars.

-- A transaction number is taken by crediting it, not by naming it: several members'
-- requests of one number wait side by side. source says which part of a transaction
-- the chain has shown as this request's payment; it is empty for a member's word.
ALTER TABLE fund_request ADD COLUMN source TEXT NOT NULL DEFAULT '';
-- When an operator let the member ask with the same number again.
ALTER TABLE fund_request ADD COLUMN released_at BIGINT NOT NULL DEFAULT 0 CHECK (released_at = 0 OR state = 'Rejected');
UPDATE fund_request SET released_at = COALESCE((SELECT at FROM fund_release WHERE request_id = fund_request.id), 0);
DROP TABLE fund_release;
DROP TABLE fund_number;
-- A member names a number once, each payment has one request, and what a person
-- credits by a number is credited once.
CREATE UNIQUE INDEX fund_request_named ON fund_request (number, uid, source, released_at);
CREATE UNIQUE INDEX fund_request_payment ON fund_request (number, source) WHERE source <> '';
CREATE INDEX fund_request_source ON fund_request (source) WHERE source <> '';
CREATE UNIQUE INDEX fund_request_credited ON fund_request (number) WHERE source = '' AND state = 'Approved';

-- Where a member pays to: the address with this branch and index of an extended
-- public key, which root names. One of uid 0 is nobody's.
CREATE TABLE deposit_address (
    root    TEXT   NOT NULL,
    branch  BIGINT NOT NULL CHECK (branch >= 0 AND branch < 2147483648),
    idx     BIGINT NOT NULL CHECK (idx >= 0 AND idx < 2147483648),
    uid     BIGINT NOT NULL,
    address TEXT   NOT NULL,
    at      BIGINT NOT NULL,
    PRIMARY KEY (root, branch, idx)
);
CREATE UNIQUE INDEX deposit_address_uid ON deposit_address (uid, root) WHERE uid > 0;
CREATE UNIQUE INDEX deposit_address_address ON deposit_address (address);

-- A payment that a member announced: exactly this amount, to this address, in this
-- time. request is what it became; 0 for none.
CREATE TABLE deposit_intent (
    id         {{bigkey}},
    uid        BIGINT NOT NULL,
    fund       TEXT   NOT NULL CHECK (fund IN ('FUNDS', 'FOREXFUNDS', 'CRYPTOFUNDS')),
    amount     BIGINT NOT NULL CHECK (amount > 0),
    address    TEXT   NOT NULL,
    opened_at  BIGINT NOT NULL,
    expires_at BIGINT NOT NULL CHECK (expires_at > opened_at),
    request    BIGINT NOT NULL
);
CREATE INDEX deposit_intent_expires ON deposit_intent (expires_at);
CREATE INDEX deposit_intent_uid ON deposit_intent (uid, id);

-- Up to which block payments of a token were looked for.
CREATE TABLE deposit_cursor (
    token TEXT   PRIMARY KEY,
    block BIGINT NOT NULL CHECK (block >= 0),
    at    BIGINT NOT NULL
);

-- A wallet address is one member's.
DROP INDEX member_wallet;
CREATE UNIQUE INDEX member_wallet ON member (wallet) WHERE wallet <> '';
