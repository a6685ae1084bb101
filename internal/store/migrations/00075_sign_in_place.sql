-- Where an account was signed in from: place is a keyed hash of the account and
-- the IPv4 address or the /64 of IPv6. A few for each account, the last used.
CREATE TABLE sign_in_place (
    kind    TEXT   NOT NULL CHECK (kind IN ('member', 'operator')),
    owner   BIGINT NOT NULL,
    place   BYTEA  NOT NULL,
    used_at BIGINT NOT NULL,
    PRIMARY KEY (kind, owner, place)
);

-- Sessions whose time was over long ago are deleted.
CREATE INDEX session_expires ON session (expires_at);
