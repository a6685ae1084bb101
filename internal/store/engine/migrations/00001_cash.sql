-- Money in and out.

-- A member says that money was sent; an operator, or the watcher of the chain, says
-- whether it arrived. The bank is stored as it was shown, because it may change. Above a
-- limit two different operators credit a request; decided_by 0 is the watcher, which has
-- seen the money. A transaction number is used up by crediting it, not by naming it:
-- several members' requests of one number wait side by side. source is the part of a
-- transaction that the chain has shown as this request's payment, empty for a member's
-- word. released_at is when an operator let the member ask with the same number again.
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
    needs_two    BIGINT NOT NULL DEFAULT 0 CHECK (needs_two IN (0, 1)),
    first_by     BIGINT NOT NULL DEFAULT 0,
    first_name   TEXT   NOT NULL DEFAULT '',
    first_at     BIGINT NOT NULL DEFAULT 0,
    source       TEXT   NOT NULL DEFAULT '',
    released_at  BIGINT NOT NULL DEFAULT 0,
    CHECK ((state = 'Pending') = (decided_at = 0) AND (decided_at = 0 OR decided_name <> '')),
    CHECK (state <> 'Approved' OR needs_two = 0 OR decided_by = 0 OR (first_by > 0 AND decided_by <> first_by)),
    CHECK (released_at = 0 OR state = 'Rejected')
);
CREATE INDEX fund_request_uid ON fund_request (uid, way, id);
-- The console's lists give the state as a parameter, which no partial index can serve;
-- counts and sums are read from the index and not from wide rows.
CREATE INDEX fund_request_state ON fund_request (state, id, way);
CREATE INDEX fund_request_way ON fund_request (way, id);
CREATE INDEX fund_request_way_state ON fund_request (way, state, id);
-- A member names a number once, each payment has one request, and a number that an
-- operator credits is credited once.
CREATE UNIQUE INDEX fund_request_named ON fund_request (number, uid, source, released_at);
CREATE UNIQUE INDEX fund_request_payment ON fund_request (number, source) WHERE source <> '';
CREATE UNIQUE INDEX fund_request_credited ON fund_request (number) WHERE source = '' AND state = 'Approved';
CREATE INDEX fund_request_source ON fund_request (source) WHERE source <> '';
-- An operator's credits of 24 hours are limited: each approval reads the latest ones.
CREATE INDEX fund_request_decider ON fund_request (decided_by, decided_at) WHERE decided_by > 0;

-- The part of given money that may not leave the receiver, because the giver's account
-- was changed soon after. Rows are overwritten and never deleted.
CREATE TABLE fund_held (
    uid      BIGINT NOT NULL,
    fund     TEXT   NOT NULL,
    giver    BIGINT NOT NULL,
    amount   BIGINT NOT NULL,
    until_at BIGINT NOT NULL,
    PRIMARY KEY (uid, fund, giver)
);
CREATE INDEX fund_held_giver ON fund_held (giver, until_at);

-- The address a member pays to, derived by branch and index from the extended public key
-- that root names. One of uid 0 is nobody's.
CREATE TABLE deposit_address (
    root    TEXT   NOT NULL,
    branch  BIGINT NOT NULL CHECK (branch >= 0 AND branch < 2147483648),
    idx     BIGINT NOT NULL CHECK (idx >= 0 AND idx < 2147483648),
    uid     BIGINT NOT NULL,
    address TEXT   NOT NULL,
    at      BIGINT NOT NULL,
    PRIMARY KEY (root, branch, idx)
);
CREATE UNIQUE INDEX deposit_address_uid ON deposit_address (uid, root) WHERE uid > 0;
CREATE UNIQUE INDEX deposit_address_address ON deposit_address (address);

-- A payment that a member announced: exactly this amount, to this address, in this time.
-- request is the fund request that it became, 0 for none.
CREATE TABLE deposit_intent (
    id         {{bigkey}},
    uid        BIGINT NOT NULL,
    fund       TEXT   NOT NULL CHECK (fund IN ('FUNDS', 'FOREXFUNDS', 'CRYPTOFUNDS')),
    amount     BIGINT NOT NULL CHECK (amount > 0),
    address    TEXT   NOT NULL,
    opened_at  BIGINT NOT NULL,
    expires_at BIGINT NOT NULL CHECK (expires_at > opened_at),
    request    BIGINT NOT NULL
);
CREATE INDEX deposit_intent_expires ON deposit_intent (expires_at);
CREATE INDEX deposit_intent_uid ON deposit_intent (uid, id);

-- The block up to which payments of a token were looked for.
CREATE TABLE deposit_cursor (
    token TEXT   PRIMARY KEY,
    block BIGINT NOT NULL CHECK (block >= 0),
    at    BIGINT NOT NULL
);

-- Payments to the company's address or to members' that became no fund request, as the
-- chain has shown them. n is the number of the event in its transaction.
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

-- Money on its way out. It is held from the request until it is confirmed, which takes it
-- out of the books, or until it is rejected or cancelled. Above a limit two different
-- operators approve.
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
CREATE INDEX withdrawal_state ON withdrawal (state, id, amount);
CREATE INDEX withdrawal_hash ON withdrawal (hash) WHERE hash <> '';
CREATE INDEX withdrawal_confirmed ON withdrawal (confirmed_at, charge, net) WHERE confirmed_at > 0;
-- The sum approved on a day is limited: by the only approval, or by the second.
CREATE INDEX withdrawal_approved ON withdrawal (first_at, amount) WHERE first_at > 0 AND second_at = 0;
CREATE INDEX withdrawal_approved_second ON withdrawal (second_at, amount) WHERE second_at > 0;

-- The accounts in which a withdrawal's money is held: one, or up to three funds.
CREATE TABLE withdrawal_part (
    withdrawal BIGINT NOT NULL,
    n          BIGINT NOT NULL,
    account    TEXT   NOT NULL,
    amount     BIGINT NOT NULL CHECK (amount > 0),
    hold       BIGINT NOT NULL UNIQUE,
    PRIMARY KEY (withdrawal, n)
);

-- The one-time code that was last mailed to a member for a withdrawal, hashed with a key
-- that is not in the database, and the withdrawal that it is valid for.
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

-- Approved withdrawals that are paid together. One operator proposes a batch and another
-- approves it, unless alone says why one was enough.
CREATE TABLE payout_batch (
    id            {{bigkey}},
    way           TEXT   NOT NULL CHECK (way IN ('hot', 'manual')),
    state         TEXT   NOT NULL CHECK (state IN ('proposed', 'approved', 'cancelled', 'done')),
    payouts       BIGINT NOT NULL CHECK (payouts > 0),
    total         BIGINT NOT NULL CHECK (total > 0),
    proposed_by   BIGINT NOT NULL,
    proposed_name TEXT   NOT NULL,
    proposed_at   BIGINT NOT NULL,
    approved_by   BIGINT NOT NULL,
    approved_name TEXT   NOT NULL,
    approved_at   BIGINT NOT NULL,
    alone         TEXT   NOT NULL CHECK (alone IN ('', 'demo')),
    exported_at   BIGINT NOT NULL,
    ended_at      BIGINT NOT NULL,
    CHECK (approved_at = 0 OR alone <> '' OR proposed_by <> approved_by OR proposed_name <> approved_name)
);

-- One withdrawal in one batch. note says why it waits or failed. nonce is -1 until a
-- transaction of the hot wallet is signed for it.
CREATE TABLE payout (
    batch      BIGINT NOT NULL,
    withdrawal BIGINT NOT NULL,
    way        TEXT   NOT NULL,
    uid        BIGINT NOT NULL,
    address    TEXT   NOT NULL,
    amount     BIGINT NOT NULL CHECK (amount > 0),
    state      TEXT   NOT NULL CHECK (state IN ('waiting', 'signed', 'sent', 'confirmed', 'failed', 'returned', 'cancelled')),
    sender     TEXT   NOT NULL,
    nonce      BIGINT NOT NULL,
    hash       TEXT   NOT NULL,
    note       TEXT   NOT NULL,
    signed_at  BIGINT NOT NULL,
    sent_at    BIGINT NOT NULL,
    ended_at   BIGINT NOT NULL,
    PRIMARY KEY (batch, withdrawal),
    CHECK (state NOT IN ('signed', 'sent', 'confirmed', 'failed') OR hash <> '')
);
-- A withdrawal is on its way in one batch only, and a nonce pays one payout.
CREATE UNIQUE INDEX payout_once ON payout (withdrawal) WHERE state NOT IN ('returned', 'cancelled');
CREATE UNIQUE INDEX payout_nonce ON payout (sender, nonce) WHERE nonce >= 0;
CREATE INDEX payout_open ON payout (state, batch, withdrawal) WHERE state IN ('waiting', 'signed', 'sent');
CREATE INDEX payout_signed ON payout (signed_at) WHERE signed_at > 0;

-- Every transaction that was signed, written before it is broadcast, and every one that
-- was sent by hand, which has no raw bytes. A payout may have several of the same nonce,
-- of which the chain accepts one.
CREATE TABLE payout_tx (
    hash       TEXT   PRIMARY KEY,
    batch      BIGINT NOT NULL,
    withdrawal BIGINT NOT NULL,
    n          BIGINT NOT NULL,
    chain      BIGINT NOT NULL,
    sender     TEXT   NOT NULL,
    nonce      BIGINT NOT NULL,
    raw        BYTEA  NOT NULL,
    by_name    TEXT   NOT NULL,
    at         BIGINT NOT NULL
);
CREATE UNIQUE INDEX payout_tx_payout ON payout_tx (batch, withdrawal, n);

-- The hot wallet's next nonce as this database knows it. If the chain has used more,
-- another program uses the key, or the database is an older copy: nothing is paid until
-- an operator has looked.
CREATE TABLE payout_wallet (
    sender  TEXT   PRIMARY KEY,
    chain   BIGINT NOT NULL,
    next    BIGINT NOT NULL CHECK (next >= 0),
    by_name TEXT   NOT NULL,
    at      BIGINT NOT NULL
);

-- After a restore the database is an older copy: it may not know all payouts that were
-- made. Written by 'bifolia restore' when the copy is in place, without the ledger's key.
-- Payouts are held from here on; the next server that leads makes a hold of it.
CREATE TABLE restore_note (
    id      TEXT   PRIMARY KEY,
    made_at BIGINT NOT NULL,
    batch   BIGINT NOT NULL,
    at      BIGINT NOT NULL
);

-- Until it is lifted no batch is made, approved, exported, signed or broadcast. The chain
-- is read from since on. settling: nonces below until are being used up, so that no
-- payment that was signed in the lost time can come later; settled: the chain's payments
-- of that time are in payout_found. One operator begins to settle; two lift, unless alone
-- says why one was enough: the second names the digest of what the first saw.
CREATE TABLE payout_hold (
    id           {{bigkey}},
    cause        TEXT   NOT NULL CHECK (cause IN ('restore', 'chain')),
    note         TEXT   NOT NULL,
    detail       TEXT   NOT NULL,
    since        BIGINT NOT NULL,
    at           BIGINT NOT NULL,
    state        TEXT   NOT NULL CHECK (state IN ('held', 'settling', 'settled', 'lifted')),
    sender       TEXT   NOT NULL,
    until        BIGINT NOT NULL,
    settled_by   BIGINT NOT NULL,
    settled_name TEXT   NOT NULL,
    settled_at   BIGINT NOT NULL,
    first_by     BIGINT NOT NULL,
    first_name   TEXT   NOT NULL,
    first_at     BIGINT NOT NULL,
    digest       TEXT   NOT NULL,
    lifted_by    BIGINT NOT NULL,
    lifted_name  TEXT   NOT NULL,
    lifted_at    BIGINT NOT NULL,
    alone        TEXT   NOT NULL CHECK (alone IN ('', 'demo', 'only operator')),
    reason       TEXT   NOT NULL,
    CHECK (state <> 'lifted' OR alone <> '' OR (first_by <> lifted_by AND first_by > 0 AND lifted_by > 0))
);
CREATE UNIQUE INDEX payout_hold_note ON payout_hold (note) WHERE note <> '';
CREATE INDEX payout_hold_open ON payout_hold (id) WHERE state <> 'lifted';

-- Transfers of the token that the chain has and this database does not: out of the hot
-- wallet, or to an address that a withdrawal waits to be paid to. withdrawal is the one
-- that it paid, or may have paid; 0 if none fits. An operator may dismiss one that did
-- not come from the hot wallet.
CREATE TABLE payout_found (
    hold           BIGINT NOT NULL,
    n              BIGINT NOT NULL,
    hash           TEXT   NOT NULL,
    sender         TEXT   NOT NULL,
    address        TEXT   NOT NULL,
    amount         BIGINT NOT NULL,
    block          BIGINT NOT NULL,
    withdrawal     BIGINT NOT NULL,
    own            BIGINT NOT NULL CHECK (own IN (0, 1)),
    dismissed_by   BIGINT NOT NULL,
    dismissed_name TEXT   NOT NULL,
    dismissed_at   BIGINT NOT NULL,
    reason         TEXT   NOT NULL,
    PRIMARY KEY (hold, n),
    CHECK (own = 0 OR dismissed_at = 0)
);
CREATE INDEX payout_found_withdrawal ON payout_found (withdrawal) WHERE withdrawal > 0;
