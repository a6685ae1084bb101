-- What operators did: numbered from 1 without gaps, each row hashed over all it
-- says and the row before. A command of the signed chain notes the last hash now
-- and then, so that nobody rewrites the rest. was and became are JSON, empty for
-- nothing. member is whom it is about, 0 for nobody; shown: that member may see it.
CREATE TABLE trail (
    no       {{bigkey}},
    operator BIGINT NOT NULL,
    name     TEXT   NOT NULL,
    act      TEXT   NOT NULL,
    member   BIGINT NOT NULL,
    subject  TEXT   NOT NULL,
    was      TEXT   NOT NULL,
    became   TEXT   NOT NULL,
    reason   TEXT   NOT NULL,
    shown    BIGINT NOT NULL CHECK (shown IN (0, 1)),
    at       BIGINT NOT NULL,
    hash     BYTEA  NOT NULL
);
CREATE INDEX trail_member ON trail (member, no) WHERE member > 0;
CREATE INDEX trail_operator ON trail (operator, no);
CREATE INDEX trail_act ON trail (act, no);

-- What operators note about a member, for each other.
CREATE TABLE member_note (
    id       {{bigkey}},
    uid      BIGINT NOT NULL,
    operator BIGINT NOT NULL,
    name     TEXT   NOT NULL,
    text     TEXT   NOT NULL,
    at       BIGINT NOT NULL
);
CREATE INDEX member_note_uid ON member_note (uid, id);

-- The one-time code that was last mailed to a member for a password: hashed with
-- a key that is not in the database.
CREATE TABLE password_code (
    uid        {{bigkey}},
    hash       BYTEA  NOT NULL,
    purpose    TEXT   NOT NULL,
    mailed_at  BIGINT NOT NULL,
    expires_at BIGINT NOT NULL,
    tries      BIGINT NOT NULL
);

-- Operators look members up by how these begin.
CREATE INDEX member_by_name ON member (lower(name));
CREATE INDEX member_by_last_name ON member (lower(last_name)) WHERE last_name <> '';
CREATE INDEX member_by_email ON member (lower(email));
CREATE INDEX member_by_mobile ON member (mobile);
CREATE INDEX member_by_wallet ON member (lower(wallet)) WHERE wallet <> '';

-- As in the ledger: these guards stand in for PostgreSQL's role.
CREATE TRIGGER trail_keep_row BEFORE UPDATE ON trail BEGIN SELECT RAISE(ABORT, 'trail is append-only'); END;
CREATE TRIGGER trail_no_delete BEFORE DELETE ON trail BEGIN SELECT RAISE(ABORT, 'trail is append-only'); END;
CREATE TRIGGER member_note_keep_row BEFORE UPDATE ON member_note BEGIN SELECT RAISE(ABORT, 'member_note is append-only'); END;
CREATE TRIGGER member_note_no_delete BEFORE DELETE ON member_note BEGIN SELECT RAISE(ABORT, 'member_note is append-only'); END;
