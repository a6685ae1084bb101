-- People and the tree. Time is bigint microseconds UTC, 0 for never.

-- What the program itself remembers, such as the key that ids are drawn by.
CREATE TABLE setting (
    name  TEXT PRIMARY KEY,
    value BYTEA NOT NULL
);

-- Who hangs where: the truth of the tree. no is the join order, from 1 without
-- gaps; sponsor and parent are such numbers too, 0 for none. A customer has a
-- sponsor and no parent.
-- An outer line is the way from its top down one side only; every member is on
-- one left and one right line. The tail of a line stands at its top: that is
-- where the next member of that side goes.
-- active and the three sums are the member's own: whether it counts as active
-- in its team, and its business by line, in micro-dollars.
CREATE TABLE place (
    no         {{bigkey}},
    uid        BIGINT NOT NULL UNIQUE,
    sponsor    BIGINT NOT NULL,
    parent     BIGINT NOT NULL,
    side       BIGINT NOT NULL CHECK (side IN (0, 1, 2)),
    left_top   BIGINT NOT NULL,
    right_top  BIGINT NOT NULL,
    left_tail  BIGINT NOT NULL,
    right_tail BIGINT NOT NULL,
    joined_at  BIGINT NOT NULL,
    active     BIGINT NOT NULL CHECK (active IN (0, 1)),
    robot      BIGINT NOT NULL,
    forex      BIGINT NOT NULL,
    crypto     BIGINT NOT NULL,
    CHECK (sponsor < no AND parent < no AND (parent = 0) = (side = 0))
);
-- No two members in one place.
CREATE UNIQUE INDEX place_seat ON place (parent, side) WHERE parent > 0;

-- What changed in a member's standing, in order: every process follows it.
CREATE TABLE place_change (
    seq         {{bigkey}},
    no          BIGINT NOT NULL,
    active      BIGINT NOT NULL,
    robot       BIGINT NOT NULL,
    forex       BIGINT NOT NULL,
    crypto      BIGINT NOT NULL,
    recorded_at BIGINT NOT NULL
);

-- The person.
CREATE TABLE member (
    uid              {{bigkey}},
    name             TEXT   NOT NULL,
    last_name        TEXT   NOT NULL,
    father           TEXT   NOT NULL,
    email            TEXT   NOT NULL,
    mobile           TEXT   NOT NULL,
    country          BIGINT NOT NULL,
    birthday         TEXT   NOT NULL,
    gender           TEXT   NOT NULL,
    address          TEXT   NOT NULL,
    about            TEXT   NOT NULL,
    nominee          TEXT   NOT NULL,
    nominee_relation TEXT   NOT NULL,
    wallet           TEXT   NOT NULL,
    bank_holder      TEXT   NOT NULL,
    bank_account     TEXT   NOT NULL,
    bank_ifsc        TEXT   NOT NULL,
    bank_name        TEXT   NOT NULL,
    bank_branch      TEXT   NOT NULL,
    pan              TEXT   NOT NULL,
    aadhar           TEXT   NOT NULL,
    joined_at        BIGINT NOT NULL,
    activated_at     BIGINT NOT NULL,
    email_at         BIGINT NOT NULL,
    wallet_at        BIGINT NOT NULL,
    blocked_at       BIGINT NOT NULL,
    blocked_why      TEXT   NOT NULL
);

-- A registration sent twice is one: found again by the hash of what was asked.
CREATE TABLE enrolment (
    request BYTEA  PRIMARY KEY,
    uid     BIGINT NOT NULL,
    at      BIGINT NOT NULL
);

-- Passwords as argon2id, never in clear. The temporary one and the reset token
-- stand beside the password until one of the three is used.
CREATE TABLE credential (
    uid             {{bigkey}},
    password        TEXT   NOT NULL,
    password_at     BIGINT NOT NULL,
    must_change     BIGINT NOT NULL,
    temporary       TEXT   NOT NULL,
    reset           BYTEA  NOT NULL,
    temporary_until BIGINT NOT NULL,
    pin             TEXT   NOT NULL,
    pin_at          BIGINT NOT NULL,
    pin_tries       BIGINT NOT NULL,
    pin_locked      BIGINT NOT NULL
);

CREATE TABLE operator (
    id          {{bigkey}},
    email       TEXT   NOT NULL UNIQUE,
    name        TEXT   NOT NULL,
    role        TEXT   NOT NULL,
    password    TEXT   NOT NULL,
    password_at BIGINT NOT NULL,
    created_at  BIGINT NOT NULL,
    ended_at    BIGINT NOT NULL
);

-- kind: member, operator, or visit (an operator in a member's session).
CREATE TABLE session (
    id          TEXT   PRIMARY KEY,
    kind        TEXT   NOT NULL CHECK (kind IN ('member', 'operator', 'visit')),
    owner       BIGINT NOT NULL,
    operator    BIGINT NOT NULL,
    reason      TEXT   NOT NULL,
    must_change BIGINT NOT NULL,
    peer        TEXT   NOT NULL,
    claimed_ip  TEXT   NOT NULL,
    agent       TEXT   NOT NULL,
    created_at  BIGINT NOT NULL,
    seen_at     BIGINT NOT NULL,
    expires_at  BIGINT NOT NULL,
    ended_at    BIGINT NOT NULL
);
CREATE INDEX session_owner ON session (owner, kind, created_at);

-- One-time tickets by which an operator enters a member's session.
CREATE TABLE visit_ticket (
    id         TEXT   PRIMARY KEY,
    uid        BIGINT NOT NULL,
    operator   BIGINT NOT NULL,
    reason     TEXT   NOT NULL,
    created_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL,
    used_at    BIGINT NOT NULL
);

-- Mail waits here from the commit that causes it until it is sent.
CREATE TABLE outbox (
    id         {{bigkey}},
    recipient  TEXT   NOT NULL,
    subject    TEXT   NOT NULL,
    text       TEXT   NOT NULL,
    html       TEXT   NOT NULL,
    created_at BIGINT NOT NULL,
    due_at     BIGINT NOT NULL,
    tries      BIGINT NOT NULL,
    state      TEXT   NOT NULL CHECK (state IN ('waiting', 'sent', 'failed')),
    error      TEXT   NOT NULL,
    sent_at    BIGINT NOT NULL
);
CREATE INDEX outbox_due ON outbox (due_at, id) WHERE state = 'waiting';

CREATE TABLE support_ticket (
    id         {{bigkey}},
    uid        BIGINT NOT NULL,
    query      TEXT   NOT NULL,
    reply      TEXT   NOT NULL,
    status     TEXT   NOT NULL CHECK (status IN ('open', 'replied', 'closed')),
    operator   BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    replied_at BIGINT NOT NULL
);
CREATE INDEX support_ticket_uid ON support_ticket (uid, id);
