-- Where the chain last vouched for a row by which money leaves: the number of the
-- batch that has its line, so that a payout need not read the whole chain. It is
-- only a way to find the line: what it says is held against the signed batch.
CREATE TABLE witness_at (
    what  TEXT   PRIMARY KEY,
    batch BIGINT NOT NULL
);
