-- Flags and legal holds of members, hints at the same person twice, and the
-- erasure of personal data.

-- Personal data was erased then; 0 for never. Place, ledger and sums stay.
ALTER TABLE member ADD COLUMN erased_at BIGINT NOT NULL DEFAULT 0;

-- The e-mail as duplicates are looked for: what leads into one mailbox is equal.
-- Written with the e-mail by the program; here as near as SQL comes to it.
ALTER TABLE member ADD COLUMN email_key TEXT NOT NULL DEFAULT '';
UPDATE member SET email_key = CASE WHEN strpos(email, '+') > 1 AND strpos(email, '+') < strpos(email, '@')
    THEN lower(substr(email, 1, strpos(email, '+') - 1) || substr(email, strpos(email, '@'))) ELSE lower(email) END;
UPDATE member SET email_key = replace(substr(email_key, 1, strpos(email_key, '@') - 1), '.', '') || '@gmail.com'
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

-- Proposals are also about members: kind erase, of member.
ALTER TABLE operator_proposal ADD COLUMN member BIGINT NOT NULL DEFAULT 0;
ALTER TABLE operator_proposal DROP CONSTRAINT operator_proposal_kind_check;
ALTER TABLE operator_proposal ADD CONSTRAINT operator_proposal_kind_check CHECK (kind IN ('role', 'end', 'erase'));
ALTER TABLE operator_proposal ADD CONSTRAINT operator_proposal_member_check
    CHECK ((kind = 'erase') = (member > 0) AND (kind <> 'erase' OR alone = ''));
DROP INDEX operator_proposal_waiting;
CREATE UNIQUE INDEX operator_proposal_waiting ON operator_proposal (operator, member) WHERE state = 'waiting';
CREATE INDEX operator_proposal_member ON operator_proposal (member, id) WHERE member > 0;

-- A note may lose its text, and nothing else: when the person is erased. The
-- server's role may change that column only.
CREATE FUNCTION member_note_keep_row() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.text <> '[erased]' OR (NEW.id, NEW.uid, NEW.operator, NEW.name, NEW.at) IS DISTINCT FROM (OLD.id, OLD.uid, OLD.operator, OLD.name, OLD.at) THEN
        RAISE EXCEPTION 'member_note is append-only';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER member_note_keep_row BEFORE UPDATE ON member_note FOR EACH ROW EXECUTE FUNCTION member_note_keep_row();

COMMENT ON TABLE member_flag IS 'append-only';
