-- Operators and their work.

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

-- One-time links by which an operator chooses a password.
CREATE TABLE operator_invitation (
    operator {{bigkey}},
    token    BYTEA  NOT NULL,
    until    BIGINT NOT NULL
);

-- Changes of operators that an owner proposes and another owner must approve, and
-- erasures of members. alone says why one owner was enough.
CREATE TABLE operator_proposal (
    id          {{bigkey}},
    kind        TEXT   NOT NULL CHECK (kind IN ('role', 'end', 'erase')),
    operator    BIGINT NOT NULL,
    was         TEXT   NOT NULL,
    wanted      TEXT   NOT NULL,
    reason      TEXT   NOT NULL,
    proposed_by BIGINT NOT NULL,
    proposed_at BIGINT NOT NULL,
    decided_by  BIGINT NOT NULL,
    decided_at  BIGINT NOT NULL,
    state       TEXT   NOT NULL CHECK (state IN ('waiting', 'approved', 'refused', 'withdrawn')),
    alone       TEXT   NOT NULL CHECK (alone IN ('', 'only owner')),
    member      BIGINT NOT NULL DEFAULT 0,
    CHECK (state <> 'approved' OR alone <> '' OR (decided_by > 0 AND decided_by <> proposed_by)),
    CHECK ((kind = 'erase') = (member > 0) AND (kind <> 'erase' OR alone = ''))
);
-- One change of an operator or a member waits at a time.
CREATE UNIQUE INDEX operator_proposal_waiting ON operator_proposal (operator, member) WHERE state = 'waiting';
CREATE INDEX operator_proposal_member ON operator_proposal (member, id) WHERE member > 0;

-- Operators' acts, by the id of the event.
CREATE TABLE operator_act (
    id        TEXT   PRIMARY KEY,
    kind      TEXT   NOT NULL,
    subject   TEXT   NOT NULL,
    amount    BIGINT NOT NULL,
    reference TEXT   NOT NULL,
    operator  BIGINT NOT NULL,
    name      TEXT   NOT NULL,
    at        BIGINT NOT NULL
);
-- The confirmation of a payment asks who noted it.
CREATE INDEX operator_act_subject ON operator_act (subject, kind);

-- The audit log: numbered from 1 without gaps, each row hashed over its values and the
-- row before. A command of the signed chain notes the last hash now and then, so that the
-- rows before it cannot be rewritten. was and became are JSON, empty for nothing. member
-- is the member concerned, 0 for none; shown: that member may see the row.
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

-- Operators' notes about a member, for each other. The erasure of the member replaces the
-- text, and nothing else.
CREATE TABLE member_note (
    id       {{bigkey}},
    uid      BIGINT NOT NULL,
    operator BIGINT NOT NULL,
    name     TEXT   NOT NULL,
    text     TEXT   NOT NULL,
    at       BIGINT NOT NULL
);
CREATE INDEX member_note_uid ON member_note (uid, id);

-- Flags of a member, raised and lowered by operators. The last row of a flag is its
-- state; 'legal hold' keeps personal data from being erased.
CREATE TABLE member_flag (
    id       {{bigkey}},
    uid      BIGINT NOT NULL,
    flag     TEXT   NOT NULL CHECK (flag IN ('watch', 'duplicate', 'documents', 'vulnerable', 'legal hold')),
    raised   BIGINT NOT NULL CHECK (raised IN (0, 1)),
    operator BIGINT NOT NULL,
    name     TEXT   NOT NULL,
    reason   TEXT   NOT NULL CHECK (reason <> ''),
    at       BIGINT NOT NULL
);
CREATE INDEX member_flag_uid ON member_flag (uid, flag, id);
CREATE INDEX member_flag_time ON member_flag (uid, id);

-- Proposed corrections of a member's wallet, and their decisions. It takes two operators,
-- unless alone says why one was enough. The transfer of an approved one has the digest of
-- the proposal in its id; against is the other side of the change. reason is for the
-- member, answer is the second operator's.
CREATE TABLE correction (
    id            {{bigkey}},
    uid           BIGINT NOT NULL,
    wallet        TEXT   NOT NULL,
    direction     TEXT   NOT NULL CHECK (direction IN ('credit', 'debit', 'move')),
    into_wallet   TEXT   NOT NULL,
    amount        BIGINT NOT NULL CHECK (amount > 0),
    against       TEXT   NOT NULL CHECK (against IN ('company', 'cash', 'wallet')),
    reason        TEXT   NOT NULL CHECK (reason <> ''),
    corrects      TEXT   NOT NULL,
    proposed_by   BIGINT NOT NULL CHECK (proposed_by > 0),
    proposed_name TEXT   NOT NULL,
    proposed_at   BIGINT NOT NULL,
    state         TEXT   NOT NULL CHECK (state IN ('waiting', 'approved', 'refused', 'withdrawn')),
    decided_by    BIGINT NOT NULL,
    decided_name  TEXT   NOT NULL,
    decided_at    BIGINT NOT NULL,
    answer        TEXT   NOT NULL,
    alone         TEXT   NOT NULL CHECK (alone IN ('', 'demo')),
    CHECK ((direction = 'move') = (into_wallet <> '') AND (direction = 'move') = (against = 'wallet')),
    CHECK (state <> 'approved' OR alone <> '' OR (decided_by > 0 AND decided_by <> proposed_by)),
    CHECK (state <> 'refused' OR decided_by <> proposed_by),
    CHECK (state <> 'withdrawn' OR decided_by = proposed_by)
);
CREATE INDEX correction_waiting ON correction (id) WHERE state = 'waiting';
CREATE INDEX correction_member ON correction (uid, id);
CREATE INDEX correction_decided ON correction (decided_at, id) WHERE state <> 'waiting';
CREATE INDEX correction_corrects ON correction (corrects) WHERE corrects <> '';

-- The program's own values, such as the key that ids are drawn by.
CREATE TABLE setting (
    name  TEXT PRIMARY KEY,
    value BYTEA NOT NULL
);

-- Proposed settings and their decisions. An approved one is the version of its section
-- from holds_from on, until the next one. was and body are JSON in canonical form.
-- revision counts writes, so that other processes see that something changed. It takes
-- two operators, unless alone says why one was enough.
CREATE TABLE setting_proposal (
    id            {{bigkey}},
    revision      BIGINT NOT NULL,
    section       TEXT   NOT NULL CHECK (section IN ('content', 'banks', 'usdt', 'limits')),
    reason        TEXT   NOT NULL,
    proposed_by   BIGINT NOT NULL CHECK (proposed_by > 0),
    proposed_name TEXT   NOT NULL,
    proposed_at   BIGINT NOT NULL,
    state         TEXT   NOT NULL CHECK (state IN ('waiting', 'approved', 'refused', 'withdrawn', 'called off')),
    decided_by    BIGINT NOT NULL,
    decided_name  TEXT   NOT NULL,
    decided_at    BIGINT NOT NULL,
    holds_from    BIGINT NOT NULL,
    ended_by      BIGINT NOT NULL,
    ended_name    TEXT   NOT NULL,
    ended_at      BIGINT NOT NULL,
    alone         TEXT   NOT NULL CHECK (alone IN ('', 'demo')),
    was           TEXT   NOT NULL,
    body          TEXT   NOT NULL,
    CHECK (state NOT IN ('approved', 'called off') OR alone <> '' OR (decided_by > 0 AND decided_by <> proposed_by)),
    CHECK (state NOT IN ('approved', 'called off') OR holds_from > 0)
);
CREATE INDEX setting_proposal_revision ON setting_proposal (revision);
CREATE INDEX setting_proposal_section ON setting_proposal (section, state, id);
-- One change of a section waits at a time.
CREATE UNIQUE INDEX setting_proposal_waiting ON setting_proposal (section) WHERE state = 'waiting';

-- Members' queries and complaints. due_at is when the next step of a complaint is due, 0
-- without a deadline; waits is 1 while an operator has something to do. acts counts the
-- rows of support_act, so that an operator does not answer a thread that another one has
-- changed meanwhile.
CREATE TABLE support_ticket (
    id            {{bigkey}},
    uid           BIGINT NOT NULL,
    query         TEXT   NOT NULL,
    reply         TEXT   NOT NULL,
    status        TEXT   NOT NULL CHECK (status IN ('open', 'replied', 'closed')),
    operator      BIGINT NOT NULL,
    created_at    BIGINT NOT NULL,
    replied_at    BIGINT NOT NULL,
    kind          TEXT   NOT NULL DEFAULT 'query' CHECK (kind IN ('query', 'complaint')),
    assignee      BIGINT NOT NULL DEFAULT 0,
    assignee_name TEXT   NOT NULL DEFAULT '',
    answered_at   BIGINT NOT NULL DEFAULT 0,
    closed_at     BIGINT NOT NULL DEFAULT 0,
    due_at        BIGINT NOT NULL DEFAULT 0,
    waits         BIGINT NOT NULL DEFAULT 0,
    acts          BIGINT NOT NULL DEFAULT 0
);
CREATE INDEX support_ticket_uid ON support_ticket (uid, id);
CREATE INDEX support_ticket_status ON support_ticket (status, id);
CREATE INDEX support_ticket_kind ON support_ticket (kind, id);
CREATE INDEX support_ticket_kind_status ON support_ticket (kind, status, id);
CREATE INDEX support_ticket_waiting ON support_ticket (due_at, id) WHERE waits = 1;
CREATE INDEX support_ticket_todo ON support_ticket ((CASE WHEN due_at = 0 THEN 1 ELSE 0 END), due_at, id) WHERE waits = 1;

-- The thread of a ticket: operators' acts in order. The erasure of the member replaces
-- the text, and nothing else.
CREATE TABLE support_act (
    ticket   BIGINT NOT NULL,
    no       BIGINT NOT NULL,
    kind     TEXT   NOT NULL CHECK (kind IN ('answer', 'close', 'reopen', 'assign', 'complaint', 'message')),
    operator BIGINT NOT NULL,
    name     TEXT   NOT NULL,
    text     TEXT   NOT NULL,
    at       BIGINT NOT NULL,
    PRIMARY KEY (ticket, no)
);
