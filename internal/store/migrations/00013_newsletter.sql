-- Who wants the newsletter. An address counts only once its owner has followed
-- the link that was mailed there; the link's token is kept as its hash.
CREATE TABLE newsletter (
    id           {{bigkey}},
    email        TEXT   NOT NULL UNIQUE,
    state        TEXT   NOT NULL CHECK (state IN ('asked', 'confirmed', 'ended')),
    token        BYTEA  NOT NULL UNIQUE,
    token_until  BIGINT NOT NULL,
    asked_at     BIGINT NOT NULL,
    mailed_at    BIGINT NOT NULL,
    confirmed_at BIGINT NOT NULL,
    ended_at     BIGINT NOT NULL
);
CREATE INDEX newsletter_state ON newsletter (state, id);
