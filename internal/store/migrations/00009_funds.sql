-- Funds in and money out. Time is bigint microseconds UTC, 0 for never; money
-- is bigint micro-dollars.

-- A member says that money was sent; an operator or the chain's watcher says
-- whether it came. The bank is kept as it was shown, because it may change.
CREATE TABLE fund_request (
    id           {{bigkey}},
    uid          BIGINT NOT NULL,
    fund         TEXT   NOT NULL CHECK (fund IN ('FUNDS', 'FOREXFUNDS', 'CRYPTOFUNDS')),
    amount       BIGINT NOT NULL CHECK (amount > 0),
    number       TEXT   NOT NULL,
    way          TEXT   NOT NULL CHECK (way IN ('BANK', 'USDT (BEP-20)')),
    bank_id      BIGINT NOT NULL,
    bank_name    TEXT   NOT NULL,
    bank_holder  TEXT   NOT NULL,
    bank_account TEXT   NOT NULL,
    bank_ifsc    TEXT   NOT NULL,
    bank_branch  TEXT   NOT NULL,
    state        TEXT   NOT NULL CHECK (state IN ('Pending', 'Approved', 'Rejected')),
    remark       TEXT   NOT NULL,
    verdict      TEXT   NOT NULL,
    verdict_at   BIGINT NOT NULL,
    requested_at BIGINT NOT NULL,
    decided_by   BIGINT NOT NULL,
    decided_name TEXT   NOT NULL,
    decided_at   BIGINT NOT NULL,
    CHECK ((state = 'Pending') = (decided_at = 0) AND (decided_at = 0 OR decided_name <> ''))
);
CREATE INDEX fund_request_uid ON fund_request (uid, way, id);
CREATE INDEX fund_request_pending ON fund_request (way, id) WHERE state = 'Pending';

-- A transaction number in its one spelling is accepted once, ever, whoever
-- sends it and whatever became of the request.
CREATE TABLE fund_number (
    number     TEXT   PRIMARY KEY,
    request_id BIGINT NOT NULL,
    uid        BIGINT NOT NULL,
    at         BIGINT NOT NULL
);

-- Money on its way out. It is held from the request until it is confirmed, which
-- takes it out of the books, or until it is rejected or cancelled. Above a limit
-- two operators approve, and never the same one twice.
CREATE TABLE withdrawal (
    id           {{bigkey}},
    uid          BIGINT NOT NULL,
    wallet       TEXT   NOT NULL,
    type         TEXT   NOT NULL,
    amount       BIGINT NOT NULL,
    charge       BIGINT NOT NULL,
    net          BIGINT NOT NULL,
    address      TEXT   NOT NULL,
    state        TEXT   NOT NULL CHECK (state IN ('Pending', 'Approved', 'Sent', 'Confirmed', 'Rejected', 'Cancelled')),
    needs_two    BIGINT NOT NULL CHECK (needs_two IN (0, 1)),
    first_by     BIGINT NOT NULL,
    first_name   TEXT   NOT NULL,
    first_at     BIGINT NOT NULL,
    second_by    BIGINT NOT NULL,
    second_name  TEXT   NOT NULL,
    second_at    BIGINT NOT NULL,
    remark       TEXT   NOT NULL,
    decided_name TEXT   NOT NULL,
    decided_at   BIGINT NOT NULL,
    batch        BIGINT NOT NULL,
    hash         TEXT   NOT NULL,
    requested_at BIGINT NOT NULL,
    ready_at     BIGINT NOT NULL,
    sent_at      BIGINT NOT NULL,
    confirmed_at BIGINT NOT NULL,
    CHECK (amount = charge + net AND charge >= 0 AND net > 0),
    CHECK (second_by = 0 OR (first_by > 0 AND second_by <> first_by)),
    CHECK (state NOT IN ('Approved', 'Sent', 'Confirmed') OR (first_by > 0 AND (needs_two = 0 OR second_by > 0))),
    CHECK (state NOT IN ('Sent', 'Confirmed') OR hash <> '')
);
CREATE INDEX withdrawal_uid ON withdrawal (uid, requested_at, id);
CREATE INDEX withdrawal_time ON withdrawal (requested_at);
CREATE INDEX withdrawal_open ON withdrawal (state, id) WHERE state IN ('Pending', 'Approved', 'Sent');

-- Where a withdrawal's money is held: one account, or up to three funds.
CREATE TABLE withdrawal_part (
    withdrawal BIGINT NOT NULL,
    n          BIGINT NOT NULL,
    account    TEXT   NOT NULL,
    amount     BIGINT NOT NULL CHECK (amount > 0),
    hold       BIGINT NOT NULL UNIQUE,
    PRIMARY KEY (withdrawal, n)
);

-- The one-time code of a member: the last one that was mailed, hashed with a key
-- that is not in the database, and what it is good for.
CREATE TABLE withdrawal_code (
    uid        {{bigkey}},
    hash       BYTEA  NOT NULL,
    bound      BIGINT NOT NULL CHECK (bound IN (0, 1)),
    wallet     TEXT   NOT NULL,
    type       TEXT   NOT NULL,
    amount     BIGINT NOT NULL,
    address    TEXT   NOT NULL,
    mailed_at  BIGINT NOT NULL,
    expires_at BIGINT NOT NULL,
    tries      BIGINT NOT NULL,
    locked_at  BIGINT NOT NULL,
    used_at    BIGINT NOT NULL
);
