-- Sales, positions, incomes and closes. Days are counted from 1970-01-01 in the plan's
-- time zone; no, earner and the like are join numbers.

-- Versions of the plan, each from a day on. One that was cancelled before its first day
-- was never in force.
CREATE TABLE plan_version (
    no           {{bigkey}},
    version      TEXT   NOT NULL UNIQUE,
    first_day    BIGINT NOT NULL,
    body         TEXT   NOT NULL,
    created_at   BIGINT NOT NULL,
    cancelled_at BIGINT NOT NULL DEFAULT 0
);
CREATE INDEX plan_version_first ON plan_version (first_day, no);

-- A plan that is proposed from a day on, and its approval: two operators, unless alone
-- says why one was enough. A version's name is used once, whatever becomes of it.
CREATE TABLE plan_proposal (
    version        TEXT   PRIMARY KEY,
    first_day      BIGINT NOT NULL,
    body           TEXT   NOT NULL,
    proposed_by    BIGINT NOT NULL,
    proposed_name  TEXT   NOT NULL,
    proposed_at    BIGINT NOT NULL,
    approved_by    BIGINT NOT NULL,
    approved_name  TEXT   NOT NULL,
    approved_at    BIGINT NOT NULL,
    cancelled_by   BIGINT NOT NULL,
    cancelled_name TEXT   NOT NULL,
    cancelled_at   BIGINT NOT NULL,
    alone          TEXT   NOT NULL CHECK (alone IN ('', 'demo', 'command line')),
    reason         TEXT   NOT NULL DEFAULT '',
    CHECK (approved_at = 0 OR alone <> '' OR (proposed_by > 0 AND approved_by > 0 AND proposed_by <> approved_by))
);

CREATE TABLE sale (
    id        TEXT   PRIMARY KEY,
    no        BIGINT NOT NULL,
    payer     BIGINT NOT NULL,
    package   BIGINT NOT NULL,
    topup     TEXT   NOT NULL CHECK (topup IN ('Activation', 'Upgrade')),
    amount    BIGINT NOT NULL CHECK (amount > 0),
    volume    BIGINT NOT NULL,
    day       BIGINT NOT NULL,
    at        BIGINT NOT NULL,
    state     TEXT   NOT NULL CHECK (state IN ('cooling', 'final', 'refunded', 'reversed')),
    final_day BIGINT NOT NULL
);
CREATE INDEX sale_no ON sale (no, day, at, id);
CREATE INDEX sale_day ON sale (day, at, id, no);
CREATE INDEX sale_cooling ON sale (day, id) WHERE state = 'cooling';
-- Sales that their payer can still cancel, whoever they are for.
CREATE INDEX sale_cooling_payer ON sale (payer, day, at, id) WHERE state = 'cooling';

CREATE TABLE invest_position (
    id        TEXT   PRIMARY KEY,
    line      TEXT   NOT NULL,
    no        BIGINT NOT NULL,
    payer     BIGINT NOT NULL,
    package   BIGINT NOT NULL,
    topup     TEXT   NOT NULL,
    principal BIGINT NOT NULL CHECK (principal > 0),
    loss      BIGINT NOT NULL CHECK (loss >= 0 AND loss <= principal),
    day       BIGINT NOT NULL,
    term      BIGINT NOT NULL,
    at        BIGINT NOT NULL,
    state     TEXT   NOT NULL CHECK (state IN ('open', 'matured', 'claimed'))
);
CREATE INDEX invest_position_no ON invest_position (no, line, day, at, id);
CREATE INDEX invest_position_day ON invest_position (line, day, at, id, no);

-- A matured position, claimable once its cash has been recalled.
CREATE TABLE claim (
    id          TEXT   PRIMARY KEY,
    position_id TEXT   NOT NULL,
    line        TEXT   NOT NULL,
    no          BIGINT NOT NULL,
    amount      BIGINT NOT NULL,
    income      BIGINT NOT NULL,
    net         BIGINT NOT NULL CHECK (net >= 0),
    day         BIGINT NOT NULL,
    recalled    BIGINT NOT NULL CHECK (recalled >= 0 AND recalled <= net),
    state       TEXT   NOT NULL CHECK (state IN ('Pending', 'Claimed')),
    claim_day   BIGINT NOT NULL
);
CREATE INDEX claim_day ON claim (day, id);
CREATE INDEX claim_no ON claim (no, day, id);
CREATE INDEX claim_line ON claim (line, day, id);
CREATE INDEX claim_paid ON claim (claim_day) WHERE claim_day > 0;
-- Claims that wait for cash, and claims that wait for their member.
CREATE INDEX claim_open ON claim (day, id) WHERE state = 'Pending' AND recalled < net;
CREATE INDEX claim_funded ON claim (day, id) WHERE state = 'Pending' AND recalled >= net;
-- The sum of a line's waiting claims.
CREATE INDEX claim_waits ON claim (line, net, recalled) WHERE state = 'Pending';

-- One row per income, with the values that explain it. The status of ROI rows is that of
-- their batch and their position; network rows are on Hold while held = 1 and
-- released_day = 0.
CREATE TABLE income (
    row_no       {{bigkey}},
    day          BIGINT NOT NULL,
    kind         BIGINT NOT NULL,
    line         TEXT   NOT NULL,
    earner       BIGINT NOT NULL,
    source_no    BIGINT NOT NULL,
    level        BIGINT NOT NULL,
    position_id  TEXT   NOT NULL,
    paid         BIGINT NOT NULL,
    nominal      BIGINT NOT NULL,
    on_amount    BIGINT NOT NULL,
    a            BIGINT NOT NULL,
    b            BIGINT NOT NULL,
    capped       BIGINT NOT NULL,
    scaled       BIGINT NOT NULL,
    held         BIGINT NOT NULL,
    reverses     BIGINT NOT NULL,
    source       TEXT   NOT NULL,
    released_day BIGINT NOT NULL
);
CREATE INDEX income_earner ON income (earner, kind, row_no);
CREATE INDEX income_position ON income (position_id) WHERE kind = 6;
-- Only a chargeback reads the rows of a sale; those of a batch are found among the rows
-- of its day.
CREATE INDEX income_sale ON income (source) WHERE kind = 0;
CREATE INDEX income_released ON income (released_day) WHERE released_day > 0;

-- A member's many rows of one kind (0 level, 7 ROI level) in one close, written with
-- them; of kind 7 by one batch. All of the member's rows of that kind and line between
-- row_first and row_last are in it.
CREATE TABLE income_sum (
    earner    BIGINT NOT NULL,
    kind      BIGINT NOT NULL,
    line      TEXT   NOT NULL,
    row_first BIGINT NOT NULL,
    row_last  BIGINT NOT NULL,
    batch     TEXT   NOT NULL,
    n         BIGINT NOT NULL,
    paid      BIGINT NOT NULL,
    PRIMARY KEY (earner, kind, line, row_first)
);

-- Incomes that one booked profit put on Hold; they are released together.
CREATE TABLE roi_batch (
    id           TEXT   PRIMARY KEY,
    line         TEXT   NOT NULL,
    n            BIGINT NOT NULL,
    day          BIGINT NOT NULL,
    fee          BIGINT NOT NULL,
    roi          BIGINT NOT NULL,
    released_day BIGINT NOT NULL,
    fee_day      BIGINT NOT NULL
);

-- The state that a close starts from, by member. Members without a row have nothing.
CREATE TABLE carry (
    no        {{bigkey}},
    final     BIGINT NOT NULL,
    sales     BIGINT NOT NULL,
    own       BIGINT NOT NULL,
    month     BIGINT NOT NULL,
    left_vol  BIGINT NOT NULL,
    right_vol BIGINT NOT NULL,
    match_bot BIGINT NOT NULL,
    rank      BIGINT NOT NULL,
    reward    BIGINT NOT NULL,
    months    BIGINT NOT NULL,
    active    BIGINT NOT NULL,
    debt      BIGINT NOT NULL
);

CREATE TABLE activity (
    n      {{bigkey}},
    no     BIGINT NOT NULL,
    day    BIGINT NOT NULL,
    active BIGINT NOT NULL
);

-- Totals of all members: the pools' debts, and each line's settled cash.
CREATE TABLE tally (
    name  TEXT   PRIMARY KEY,
    value BIGINT NOT NULL
);

-- Operators' bookings: done by the close of their day.
CREATE TABLE booking (
    id        TEXT   PRIMARY KEY,
    kind      TEXT   NOT NULL CHECK (kind IN ('pnl', 'settle', 'chargeback')),
    line      TEXT   NOT NULL,
    sale      TEXT   NOT NULL,
    amount    BIGINT NOT NULL,
    reference TEXT   NOT NULL,
    operator  BIGINT NOT NULL,
    day       BIGINT NOT NULL,
    at        BIGINT NOT NULL,
    refused   TEXT   NOT NULL,
    closed    BIGINT NOT NULL,
    evidence  TEXT   NOT NULL DEFAULT ''
);
CREATE INDEX booking_open ON booking (day, at, id) WHERE closed = 0;

-- Proposed bookings. An approved one is a booking, by the id in event. It takes two
-- operators, unless alone says why one was enough; proposed_by 0 is the command line. day
-- is the day whose close does it. Recalling cash for a claim and cancelling an approved
-- booking are done at once; cancels is the booking that is cancelled, as it was.
CREATE TABLE booking_proposal (
    id            {{bigkey}},
    kind          TEXT   NOT NULL CHECK (kind IN ('pnl', 'settle', 'chargeback', 'recall', 'cancel')),
    line          TEXT   NOT NULL,
    sale          TEXT   NOT NULL,
    amount        BIGINT NOT NULL,
    reference     TEXT   NOT NULL,
    evidence      TEXT   NOT NULL,
    happened_at   BIGINT NOT NULL,
    day           BIGINT NOT NULL,
    proposed_by   BIGINT NOT NULL,
    proposed_name TEXT   NOT NULL,
    proposed_at   BIGINT NOT NULL,
    state         TEXT   NOT NULL CHECK (state IN ('waiting', 'approved', 'refused', 'withdrawn')),
    decided_by    BIGINT NOT NULL,
    decided_name  TEXT   NOT NULL,
    decided_at    BIGINT NOT NULL,
    reason        TEXT   NOT NULL,
    alone         TEXT   NOT NULL CHECK (alone IN ('', 'demo', 'command line')),
    event         TEXT   NOT NULL,
    claim         TEXT   NOT NULL DEFAULT '',
    booking       TEXT   NOT NULL DEFAULT '',
    cancels       TEXT   NOT NULL DEFAULT '',
    CHECK (state <> 'approved' OR alone <> '' OR (decided_by > 0 AND decided_by <> proposed_by)),
    CHECK (state <> 'refused' OR decided_by <> proposed_by),
    CHECK (state <> 'withdrawn' OR decided_by = proposed_by),
    CHECK ((state = 'approved') = (event <> '')),
    CHECK ((kind = 'recall') = (claim <> '')),
    CHECK ((kind = 'cancel') = (booking <> ''))
);
CREATE INDEX booking_proposal_waiting ON booking_proposal (day, id) WHERE state = 'waiting';
CREATE UNIQUE INDEX booking_proposal_event ON booking_proposal (event) WHERE event <> '';

-- The effect of a proposal, as known when it was proposed: of a loss the line's cash and
-- the missing part, of a chargeback the amounts that it takes back and from whom. It is a
-- part of the proposal and of its digest.
CREATE TABLE booking_fact (
    proposal {{bigkey}},
    body     TEXT NOT NULL
);

-- Files that bookings rest on, by the SHA-256 of their content, in hex. They are never
-- served with the type that they claim to have.
CREATE TABLE evidence (
    hash     TEXT   PRIMARY KEY,
    name     TEXT   NOT NULL CHECK (name <> ''),
    size     BIGINT NOT NULL CHECK (size > 0 AND size <= 10485760),
    body     BYTEA  NOT NULL,
    operator BIGINT NOT NULL,
    by_name  TEXT   NOT NULL,
    at       BIGINT NOT NULL
);

-- Events of a day that were refused when they were requested.
CREATE TABLE refusal (
    id     TEXT   PRIMARY KEY,
    day    BIGINT NOT NULL,
    at     BIGINT NOT NULL,
    reason TEXT   NOT NULL
);

-- Every event that was accepted or refused, by the day it books into. body is the event
-- in the form of a scenario, so that the history can be replayed under another plan.
CREATE TABLE day_event (
    id          TEXT   PRIMARY KEY,
    day         BIGINT NOT NULL,
    at          BIGINT NOT NULL,
    recorded_at BIGINT NOT NULL DEFAULT 0,
    body        TEXT   NOT NULL DEFAULT ''
);
CREATE INDEX day_event_day ON day_event (day, at, id);

CREATE TABLE close_day (
    day          {{bigkey}},
    plan         TEXT   NOT NULL,
    digest       TEXT   NOT NULL,
    rows_first   BIGINT NOT NULL,
    rows_last    BIGINT NOT NULL,
    proposed_by  BIGINT NOT NULL,
    approved_by  BIGINT NOT NULL,
    committed_at BIGINT NOT NULL
);

-- Who proposed the close of a day and who approved it: two operators, unless alone says
-- why one was enough. Operator 0 is the command line or the schedule.
CREATE TABLE close_proposal (
    day           {{bigkey}},
    digest        TEXT   NOT NULL,
    proposed_by   BIGINT NOT NULL,
    proposed_name TEXT   NOT NULL,
    proposed_at   BIGINT NOT NULL,
    approved_by   BIGINT NOT NULL,
    approved_name TEXT   NOT NULL,
    approved_at   BIGINT NOT NULL,
    alone         TEXT   NOT NULL CHECK (alone IN ('', 'demo', 'command line', 'schedule')),
    CHECK (approved_at = 0 OR alone <> '' OR (proposed_by > 0 AND approved_by > 0 AND proposed_by <> approved_by))
);
