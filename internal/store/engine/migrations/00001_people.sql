-- Members, how they sign in, and mail.

-- The person. Bank details are sealed in their columns; bank_key is a keyed hash by
-- which they are found. email_key is the address as duplicates are looked for: two
-- addresses of one mailbox have the same key. email_ok is when the address was
-- confirmed: nothing secret is mailed there before. The signed line of a member includes
-- salt: erasure deletes it, so that nothing can be guessed from the line afterwards.
-- erased_at is when personal data was erased; place, ledger and sums stay.
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
    blocked_why      TEXT   NOT NULL,
    erased_at        BIGINT NOT NULL DEFAULT 0,
    email_key        TEXT   NOT NULL DEFAULT '',
    salt             BYTEA  NOT NULL DEFAULT {{nobytes}},
    bank_key         TEXT   NOT NULL DEFAULT '',
    email_ok         BIGINT NOT NULL DEFAULT 0
);
-- A wallet address belongs to one member.
CREATE UNIQUE INDEX member_wallet ON member (wallet) WHERE wallet <> '';
CREATE INDEX member_blocked ON member (uid) WHERE blocked_at <> 0;
CREATE INDEX member_by_email_key ON member (email_key) WHERE email_key <> '';
CREATE INDEX member_by_bank ON member (bank_key) WHERE bank_key <> '';

-- Former and entered e-mail addresses of a member: mail that was sent there is the
-- member's too. confirmed: the address was confirmed once.
CREATE TABLE member_email (
    uid       BIGINT NOT NULL,
    email     TEXT   NOT NULL,
    until     BIGINT NOT NULL,
    confirmed BIGINT NOT NULL DEFAULT 0,
    PRIMARY KEY (uid, email)
);

-- Links that confirm an address, or bring a former one back. mark is a keyed hash of the
-- link's secret and of the rest of the row, so that a changed row is worthless. used_at
-- is when a confirming link was used: opened again, it says so.
CREATE TABLE email_link (
    uid      BIGINT NOT NULL,
    mark     BYTEA  NOT NULL,
    purpose  TEXT   NOT NULL CHECK (purpose IN ('confirm', 'undo')),
    email    TEXT   NOT NULL,
    made_at  BIGINT NOT NULL,
    until_at BIGINT NOT NULL,
    used_at  BIGINT NOT NULL DEFAULT 0,
    PRIMARY KEY (uid, mark)
);

-- A registration sent twice is one: it is found by the hash of the request.
CREATE TABLE enrolment (
    request BYTEA  PRIMARY KEY,
    uid     BIGINT NOT NULL,
    at      BIGINT NOT NULL
);

-- Passwords as argon2id, never in clear. The temporary one and the reset token are valid
-- beside the password until one of the three is used. pin is the transaction password;
-- pin_mailed is when it was mailed, 0 if its owner chose it; until pin_rests it moves no
-- money, because support mailed it. factor_set is since when the member has a second
-- factor: this row always exists, so a factor's row that was removed is noticed. Until
-- wait_until the member's money may not leave, because of the change in wait_for.
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
    pin_locked      BIGINT NOT NULL,
    factor_set      BIGINT NOT NULL DEFAULT 0,
    wait_until      BIGINT NOT NULL DEFAULT 0,
    wait_for        TEXT   NOT NULL DEFAULT '',
    pin_mailed      BIGINT NOT NULL DEFAULT 0,
    pin_rests       BIGINT NOT NULL DEFAULT 0
);

-- The one-time code that was last mailed to a member for a password: hashed with a key
-- that is not in the database.
CREATE TABLE password_code (
    uid        {{bigkey}},
    hash       BYTEA  NOT NULL,
    purpose    TEXT   NOT NULL,
    mailed_at  BIGINT NOT NULL,
    expires_at BIGINT NOT NULL,
    tries      BIGINT NOT NULL
);

-- kind: member, operator, or visit (an operator in a member's session). seal is a keyed
-- hash of the row.
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
    ended_at    BIGINT NOT NULL,
    seal        TEXT   NOT NULL DEFAULT ''
);
CREATE INDEX session_owner ON session (owner, kind, created_at);
CREATE INDEX session_peer ON session (peer, created_at) WHERE kind = 'member' AND peer <> '';
-- Sessions that expired long ago are deleted.
CREATE INDEX session_expires ON session (expires_at);

-- When the owner of a session last gave a proof beyond its token. mac is made with a key
-- that is not in the database, over session, operator and time, so that a row that was
-- inserted or moved from outside proves nothing.
CREATE TABLE session_proof (
    session TEXT   NOT NULL PRIMARY KEY,
    at      BIGINT NOT NULL,
    mac     BYTEA  NOT NULL
);
CREATE INDEX session_proof_at ON session_proof (at);

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

-- Places an account was signed in from, a few for each account: place is a keyed hash of
-- the account and the IPv4 address or the /64 of IPv6.
CREATE TABLE sign_in_place (
    kind    TEXT   NOT NULL CHECK (kind IN ('member', 'operator')),
    owner   BIGINT NOT NULL,
    place   BYTEA  NOT NULL,
    used_at BIGINT NOT NULL,
    PRIMARY KEY (kind, owner, place)
);

-- Wrong sign-ins, so that a restart and other processes know of them. who is a keyed hash
-- of the account, known or not, or of the account and an address; slot is a part of it,
-- so that strangers cannot make the table grow: a later hash takes the slot over. From
-- full_at on all tries are available again, and the row is deleted.
CREATE TABLE login_try (
    slot    {{bigkey}} CHECK (slot BETWEEN 0 AND 65535),
    who     BYTEA  NOT NULL,
    full_at BIGINT NOT NULL
);
CREATE INDEX login_try_full ON login_try (full_at);

-- Second factors of operators and members; kind and owner name the account. Secrets are
-- sealed with a key that is not in the database; empty when there is none. set_at is 0
-- while there is no factor: a member may have passkeys and no secret. pending must still
-- be confirmed by a code. step is the last time step whose code was accepted: no code is
-- accepted twice. tries and locked count wrong codes given with the right password.
-- recovery and passkeys are fingerprints of the owner's rows in the two tables below, so
-- that the signed line of this row covers those too.
CREATE TABLE factor (
    kind       TEXT   NOT NULL CHECK (kind IN ('operator', 'member')),
    owner      BIGINT NOT NULL,
    secret     BYTEA  NOT NULL,
    set_at     BIGINT NOT NULL,
    pending    BYTEA  NOT NULL,
    pending_at BIGINT NOT NULL,
    step       BIGINT NOT NULL,
    tries      BIGINT NOT NULL,
    locked     BIGINT NOT NULL,
    recovery   BYTEA  NOT NULL,
    passkeys   BYTEA  NOT NULL,
    PRIMARY KEY (kind, owner)
);

-- Recovery codes, each valid once in place of a code; keyed hashes only.
CREATE TABLE factor_recovery (
    kind    TEXT   NOT NULL,
    owner   BIGINT NOT NULL,
    hash    BYTEA  NOT NULL,
    used_at BIGINT NOT NULL,
    PRIMARY KEY (kind, owner, hash)
);

-- key is the public key, sealed and bound to its owner and credential, so that a row that
-- was inserted from outside signs nobody in. handle is the authenticator's name for the
-- owner. flags are those of the registration; uses is the authenticator's counter, 0 if
-- it has none.
CREATE TABLE passkey (
    id         {{bigkey}},
    kind       TEXT   NOT NULL CHECK (kind IN ('operator', 'member')),
    owner      BIGINT NOT NULL,
    credential BYTEA  NOT NULL UNIQUE,
    handle     BYTEA  NOT NULL,
    name       TEXT   NOT NULL,
    key        BYTEA  NOT NULL,
    flags      BIGINT NOT NULL,
    uses       BIGINT NOT NULL,
    transports TEXT   NOT NULL,
    created_at BIGINT NOT NULL,
    used_at    BIGINT NOT NULL
);
CREATE INDEX passkey_owner ON passkey (kind, owner);

-- A challenge for an authenticator, or a sign-in that waits for a second factor: each
-- valid once and for minutes. bound is a keyed hash of the row and of its purpose, so
-- that a changed row is worthless.
CREATE TABLE factor_challenge (
    id         TEXT   NOT NULL PRIMARY KEY,
    flow       TEXT   NOT NULL,
    challenge  BYTEA  NOT NULL,
    kind       TEXT   NOT NULL,
    owner      BIGINT NOT NULL,
    session    TEXT   NOT NULL,
    handle     BYTEA  NOT NULL,
    name       TEXT   NOT NULL,
    bound      BYTEA  NOT NULL,
    expires_at BIGINT NOT NULL
);
CREATE INDEX factor_challenge_expires ON factor_challenge (expires_at);

-- Until when a member has read the notices.
CREATE TABLE notice_seen (
    uid     {{bigkey}},
    seen_at BIGINT NOT NULL
);

-- Mail is stored in the commit that causes it, and sent later. letter is the sealed
-- content, from which the page is made when it is sent; text and html stay empty. uid is
-- the member whom the letter is about, 0 for none: an address may be shared, or be
-- another person's that a member entered.
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
    sent_at    BIGINT NOT NULL,
    letter     TEXT   NOT NULL DEFAULT '',
    uid        BIGINT NOT NULL DEFAULT 0
);
CREATE INDEX outbox_due ON outbox (due_at, id) WHERE state = 'waiting';
CREATE INDEX outbox_waiting ON outbox (created_at) WHERE state = 'waiting';
CREATE INDEX outbox_forged ON outbox (error) WHERE state = 'failed';
CREATE INDEX outbox_recipient ON outbox (recipient);
CREATE INDEX outbox_uid ON outbox (uid);

-- Subscribers of the newsletter. An address counts only once its owner has followed the
-- link that was mailed there; of the link's token the hash is stored.
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
