-- Files that bookings rest on, by the SHA-256 of what is in them, in hex. They
-- are never served as what they say they are.
CREATE TABLE evidence (
    hash     TEXT   PRIMARY KEY,
    name     TEXT   NOT NULL CHECK (name <> ''),
    size     BIGINT NOT NULL CHECK (size > 0 AND size <= 10485760),
    body     BYTEA  NOT NULL,
    operator BIGINT NOT NULL,
    by_name  TEXT   NOT NULL,
    at       BIGINT NOT NULL
);
ALTER TABLE booking ADD COLUMN evidence TEXT NOT NULL DEFAULT '';

COMMENT ON TABLE evidence IS 'append-only';
