-- Sales, positions, incomes and closes. Days are counted from 1970-01-01 in the
-- plan's time zone; no, earner and the like are join numbers.

-- Versions of the plan, each from a day on.
CREATE TABLE plan_version (
    no         {{bigkey}},
    version    TEXT   NOT NULL UNIQUE,
    first_day  BIGINT NOT NULL,
    body       TEXT   NOT NULL,
    created_at BIGINT NOT NULL
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
CREATE INDEX sale_no ON sale (no);
CREATE INDEX sale_cooling ON sale (day, id) WHERE state = 'cooling';

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
CREATE INDEX invest_position_no ON invest_position (no);

-- A matured position, to be claimed once its cash has been recalled.
CREATE TABLE claim (
    id        TEXT   PRIMARY KEY,
    position_id TEXT NOT NULL,
    line      TEXT   NOT NULL,
    no        BIGINT NOT NULL,
    amount    BIGINT NOT NULL,
    income    BIGINT NOT NULL,
    net       BIGINT NOT NULL CHECK (net >= 0),
    day       BIGINT NOT NULL,
    recalled  BIGINT NOT NULL CHECK (recalled >= 0 AND recalled <= net),
    state     TEXT   NOT NULL CHECK (state IN ('Pending', 'Claimed')),
    claim_day BIGINT NOT NULL
);
CREATE INDEX claim_no ON claim (no);

-- One row per income, with what explains it. The status of ROI rows is that of
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
CREATE INDEX income_source ON income (source, kind);
CREATE INDEX income_position ON income (position_id) WHERE kind = 6;

-- What one booked profit put on Hold, released whole.
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

-- What a close starts from, by member. Members without a row have nothing.
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

-- Of the whole house: what pools owe, and each line's settled cash.
CREATE TABLE tally (
    name  TEXT   PRIMARY KEY,
    value BIGINT NOT NULL
);

-- What an operator books: done by the close of its day.
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
    closed    BIGINT NOT NULL
);
CREATE INDEX booking_open ON booking (day, at, id) WHERE closed = 0;

-- Events of a day that were refused when they were asked for.
CREATE TABLE refusal (
    id     TEXT   PRIMARY KEY,
    day    BIGINT NOT NULL,
    at     BIGINT NOT NULL,
    reason TEXT   NOT NULL
);

-- Every event that was accepted or refused, by the day it books into.
CREATE TABLE day_event (
    id  TEXT   PRIMARY KEY,
    day BIGINT NOT NULL,
    at  BIGINT NOT NULL
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
