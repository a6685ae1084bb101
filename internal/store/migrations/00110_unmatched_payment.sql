-- Payments to the company's address or to members' that became no fund request, as the
-- chain has shown them. n says which of the transaction's events it is.
CREATE TABLE unmatched_payment (
    id       {{bigkey}},
    hash     TEXT   NOT NULL,
    n        BIGINT NOT NULL CHECK (n >= 0),
    receiver TEXT   NOT NULL,
    sender   TEXT   NOT NULL,
    amount   BIGINT NOT NULL CHECK (amount > 0),
    block    BIGINT NOT NULL,
    mined_at BIGINT NOT NULL,
    reason   TEXT   NOT NULL CHECK (reason IN ('small', 'unannounced', 'company', 'unassigned')),
    at       BIGINT NOT NULL
);
CREATE UNIQUE INDEX unmatched_payment_event ON unmatched_payment (hash, n);
CREATE INDEX unmatched_payment_receiver ON unmatched_payment (receiver, id);
CREATE INDEX unmatched_payment_reason ON unmatched_payment (reason, id);
