-- Wrong sign-ins, so that a restart and other processes know of them. Who is a
-- keyed hash of the account, known or not, or of the account and an address;
-- slot is a part of it, so that strangers cannot make the table grow: one that
-- falls into a slot takes it over. full_at is when all tries are there again; the
-- row says nothing from then on and is deleted.
CREATE TABLE login_try (
    slot    {{bigkey}} CHECK (slot BETWEEN 0 AND 65535),
    who     BYTEA  NOT NULL,
    full_at BIGINT NOT NULL
);
CREATE INDEX login_try_full ON login_try (full_at);
