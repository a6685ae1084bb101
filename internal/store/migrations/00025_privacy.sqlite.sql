-- Flags and legal holds of members, hints at the same person twice, and the
-- erasure of personal data.

-- Personal data was erased then; 0 for never. Place, ledger and sums stay.
ALTER TABLE member ADD COLUMN erased_at BIGINT NOT NULL DEFAULT 0;

-- The e-mail as duplicates are looked for: what leads into one mailbox is equal.
-- Written with the e-mail by the program; here as near as SQL comes to it.
ALTER TABLE member ADD COLUMN email_key TEXT NOT NULL DEFAULT '';
UPDATE member SET email_key = CASE WHEN instr(email, '+') > 1 AND instr(email, '+') < instr(email, '@')
    THEN lower(substr(email, 1, instr(email, '+') - 1) || substr(email, instr(email, '@'))) ELSE lower(email) END;
UPDATE member SET email_key = replace(substr(email_key, 1, instr(email_key, '@') - 1), '.', '') || '@gmail.com'
    WHERE email_key LIKE '%@gmail.com' OR email_key LIKE '%@googlemail.com';
CREATE INDEX member_by_email_key ON member (email_key) WHERE email_key <> '';
CREATE INDEX member_by_bank ON member (bank_account, bank_ifsc) WHERE bank_account <> '';
CREATE INDEX session_peer ON session (peer, created_at) WHERE kind = 'member' AND peer <> '';

-- Addresses that were a member's e-mail before: mail that was sent there is
-- theirs too.
CREATE TABLE member_email (
    uid   BIGINT NOT NULL,
    email TEXT   NOT NULL,
    until BIGINT NOT NULL,
    PRIMARY KEY (uid, email)
);
CREATE INDEX outbox_recipient ON outbox (recipient);

-- Flags of a member, raised and lowered by operators. The last row of a flag
-- says how it stands; 'legal hold' keeps personal data from being erased.
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

-- Proposals are also about members: kind erase, of member. SQLite changes no
-- CHECK, so the table is written anew.
ALTER TABLE operator_proposal RENAME TO operator_proposal_before;
CREATE TABLE operator_proposal (
    id          {{bigkey}},
    kind        TEXT   NOT NULL CHECK (kind IN ('role', 'end', 'erase')),
    operator    BIGINT NOT NULL,
    member      BIGINT NOT NULL DEFAULT 0,
    was         TEXT   NOT NULL,
    wanted      TEXT   NOT NULL,
    reason      TEXT   NOT NULL,
    proposed_by BIGINT NOT NULL,
    proposed_at BIGINT NOT NULL,
    decided_by  BIGINT NOT NULL,
    decided_at  BIGINT NOT NULL,
    state       TEXT   NOT NULL CHECK (state IN ('waiting', 'approved', 'refused', 'withdrawn')),
    alone       TEXT   NOT NULL CHECK (alone IN ('', 'only owner')),
    CHECK (state <> 'approved' OR alone <> '' OR (decided_by > 0 AND decided_by <> proposed_by)),
    CHECK ((kind = 'erase') = (member > 0) AND (kind <> 'erase' OR alone = ''))
);
INSERT INTO operator_proposal (id, kind, operator, was, wanted, reason, proposed_by, proposed_at, decided_by, decided_at, state, alone)
    SELECT id, kind, operator, was, wanted, reason, proposed_by, proposed_at, decided_by, decided_at, state, alone FROM operator_proposal_before;
DROP TABLE operator_proposal_before;
CREATE UNIQUE INDEX operator_proposal_waiting ON operator_proposal (operator, member) WHERE state = 'waiting';
CREATE INDEX operator_proposal_member ON operator_proposal (member, id) WHERE member > 0;

-- A note may lose its text, and nothing else: when the person is erased.
DROP TRIGGER member_note_keep_row;
CREATE TRIGGER member_note_keep_row BEFORE UPDATE ON member_note
    WHEN NEW.text <> '[erased]' OR NEW.id <> OLD.id OR NEW.uid <> OLD.uid OR NEW.operator <> OLD.operator OR NEW.name <> OLD.name OR NEW.at <> OLD.at
    BEGIN SELECT RAISE(ABORT, 'member_note is append-only'); END;

-- As in the ledger: these guards stand in for PostgreSQL's role.
CREATE TRIGGER member_flag_keep_row BEFORE UPDATE ON member_flag BEGIN SELECT RAISE(ABORT, 'member_flag is append-only'); END;
CREATE TRIGGER member_flag_no_delete BEFORE DELETE ON member_flag BEGIN SELECT RAISE(ABORT, 'member_flag is append-only'); END;
