-- The parts of the schema that only SQLite has, or has in another form.

-- SQLite has no roles: these triggers do what on PostgreSQL the server's role does, which
-- may only read and add. They carry no business rule.

CREATE TRIGGER transfer_keep_row BEFORE UPDATE ON transfer BEGIN SELECT RAISE(ABORT, 'transfer is append-only'); END;
CREATE TRIGGER transfer_no_delete BEFORE DELETE ON transfer BEGIN SELECT RAISE(ABORT, 'transfer is append-only'); END;
CREATE TRIGGER entry_keep_row BEFORE UPDATE ON entry BEGIN SELECT RAISE(ABORT, 'entry is append-only'); END;
CREATE TRIGGER entry_no_delete BEFORE DELETE ON entry BEGIN SELECT RAISE(ABORT, 'entry is append-only'); END;
CREATE TRIGGER batch_keep_row BEFORE UPDATE ON batch BEGIN SELECT RAISE(ABORT, 'batch is append-only'); END;
CREATE TRIGGER batch_no_delete BEFORE DELETE ON batch BEGIN SELECT RAISE(ABORT, 'batch is append-only'); END;
CREATE TRIGGER command_keep_row BEFORE UPDATE ON command BEGIN SELECT RAISE(ABORT, 'command is append-only'); END;
CREATE TRIGGER command_no_delete BEFORE DELETE ON command BEGIN SELECT RAISE(ABORT, 'command is append-only'); END;
CREATE TRIGGER place_change_keep_row BEFORE UPDATE ON place_change BEGIN SELECT RAISE(ABORT, 'place_change is append-only'); END;
CREATE TRIGGER place_change_no_delete BEFORE DELETE ON place_change BEGIN SELECT RAISE(ABORT, 'place_change is append-only'); END;
CREATE TRIGGER deposit_address_keep_row BEFORE UPDATE ON deposit_address BEGIN SELECT RAISE(ABORT, 'deposit_address is append-only'); END;
CREATE TRIGGER deposit_address_no_delete BEFORE DELETE ON deposit_address BEGIN SELECT RAISE(ABORT, 'deposit_address is append-only'); END;
CREATE TRIGGER unmatched_payment_keep_row BEFORE UPDATE ON unmatched_payment BEGIN SELECT RAISE(ABORT, 'unmatched_payment is append-only'); END;
CREATE TRIGGER unmatched_payment_no_delete BEFORE DELETE ON unmatched_payment BEGIN SELECT RAISE(ABORT, 'unmatched_payment is append-only'); END;
CREATE TRIGGER withdrawal_part_keep_row BEFORE UPDATE ON withdrawal_part BEGIN SELECT RAISE(ABORT, 'withdrawal_part is append-only'); END;
CREATE TRIGGER withdrawal_part_no_delete BEFORE DELETE ON withdrawal_part BEGIN SELECT RAISE(ABORT, 'withdrawal_part is append-only'); END;
CREATE TRIGGER payout_tx_keep_row BEFORE UPDATE ON payout_tx BEGIN SELECT RAISE(ABORT, 'payout_tx is append-only'); END;
CREATE TRIGGER payout_tx_no_delete BEFORE DELETE ON payout_tx BEGIN SELECT RAISE(ABORT, 'payout_tx is append-only'); END;
CREATE TRIGGER restore_note_keep_row BEFORE UPDATE ON restore_note BEGIN SELECT RAISE(ABORT, 'restore_note is append-only'); END;
CREATE TRIGGER restore_note_no_delete BEFORE DELETE ON restore_note BEGIN SELECT RAISE(ABORT, 'restore_note is append-only'); END;
CREATE TRIGGER booking_fact_keep_row BEFORE UPDATE ON booking_fact BEGIN SELECT RAISE(ABORT, 'booking_fact is append-only'); END;
CREATE TRIGGER booking_fact_no_delete BEFORE DELETE ON booking_fact BEGIN SELECT RAISE(ABORT, 'booking_fact is append-only'); END;
CREATE TRIGGER evidence_keep_row BEFORE UPDATE ON evidence BEGIN SELECT RAISE(ABORT, 'evidence is append-only'); END;
CREATE TRIGGER evidence_no_delete BEFORE DELETE ON evidence BEGIN SELECT RAISE(ABORT, 'evidence is append-only'); END;
CREATE TRIGGER trail_keep_row BEFORE UPDATE ON trail BEGIN SELECT RAISE(ABORT, 'trail is append-only'); END;
CREATE TRIGGER trail_no_delete BEFORE DELETE ON trail BEGIN SELECT RAISE(ABORT, 'trail is append-only'); END;
CREATE TRIGGER member_flag_keep_row BEFORE UPDATE ON member_flag BEGIN SELECT RAISE(ABORT, 'member_flag is append-only'); END;
CREATE TRIGGER member_flag_no_delete BEFORE DELETE ON member_flag BEGIN SELECT RAISE(ABORT, 'member_flag is append-only'); END;

CREATE TRIGGER account_no_delete BEFORE DELETE ON account BEGIN SELECT RAISE(ABORT, 'account is never deleted'); END;
CREATE TRIGGER hold_no_delete BEFORE DELETE ON hold BEGIN SELECT RAISE(ABORT, 'hold is never deleted'); END;
CREATE TRIGGER place_no_delete BEFORE DELETE ON place BEGIN SELECT RAISE(ABORT, 'place is never deleted'); END;
CREATE TRIGGER member_no_delete BEFORE DELETE ON member BEGIN SELECT RAISE(ABORT, 'member is never deleted'); END;
CREATE TRIGGER fund_request_no_delete BEFORE DELETE ON fund_request BEGIN SELECT RAISE(ABORT, 'fund_request is never deleted'); END;
CREATE TRIGGER deposit_intent_no_delete BEFORE DELETE ON deposit_intent BEGIN SELECT RAISE(ABORT, 'deposit_intent is never deleted'); END;
CREATE TRIGGER deposit_cursor_no_delete BEFORE DELETE ON deposit_cursor BEGIN SELECT RAISE(ABORT, 'deposit_cursor is never deleted'); END;
CREATE TRIGGER withdrawal_no_delete BEFORE DELETE ON withdrawal BEGIN SELECT RAISE(ABORT, 'withdrawal is never deleted'); END;
CREATE TRIGGER payout_batch_no_delete BEFORE DELETE ON payout_batch BEGIN SELECT RAISE(ABORT, 'payout_batch is never deleted'); END;
CREATE TRIGGER payout_no_delete BEFORE DELETE ON payout BEGIN SELECT RAISE(ABORT, 'payout is never deleted'); END;
CREATE TRIGGER payout_wallet_no_delete BEFORE DELETE ON payout_wallet BEGIN SELECT RAISE(ABORT, 'payout_wallet is never deleted'); END;
CREATE TRIGGER payout_hold_no_delete BEFORE DELETE ON payout_hold BEGIN SELECT RAISE(ABORT, 'payout_hold is never deleted'); END;
CREATE TRIGGER payout_found_no_delete BEFORE DELETE ON payout_found BEGIN SELECT RAISE(ABORT, 'payout_found is never deleted'); END;
CREATE TRIGGER booking_proposal_no_delete BEFORE DELETE ON booking_proposal BEGIN SELECT RAISE(ABORT, 'booking_proposal is never deleted'); END;
CREATE TRIGGER correction_no_delete BEFORE DELETE ON correction BEGIN SELECT RAISE(ABORT, 'correction is never deleted'); END;
CREATE TRIGGER setting_proposal_no_delete BEFORE DELETE ON setting_proposal BEGIN SELECT RAISE(ABORT, 'setting_proposal is never deleted'); END;

-- A note and an act of a ticket may lose their text when the person is erased, and
-- nothing else.
CREATE TRIGGER member_note_keep_row BEFORE UPDATE ON member_note
    WHEN NEW.text <> '[erased]' OR NEW.id <> OLD.id OR NEW.uid <> OLD.uid OR NEW.operator <> OLD.operator OR NEW.name <> OLD.name OR NEW.at <> OLD.at
    BEGIN SELECT RAISE(ABORT, 'member_note is append-only'); END;
CREATE TRIGGER member_note_no_delete BEFORE DELETE ON member_note BEGIN SELECT RAISE(ABORT, 'member_note is append-only'); END;
CREATE TRIGGER support_act_keep_row BEFORE UPDATE ON support_act
    WHEN NEW.text <> '[erased]' OR NEW.ticket <> OLD.ticket OR NEW.no <> OLD.no OR NEW.kind <> OLD.kind OR NEW.operator <> OLD.operator OR NEW.name <> OLD.name OR NEW.at <> OLD.at
    BEGIN SELECT RAISE(ABORT, 'support_act is append-only'); END;
CREATE TRIGGER support_act_no_delete BEFORE DELETE ON support_act BEGIN SELECT RAISE(ABORT, 'support_act is append-only'); END;

-- A proposal begins by waiting. Its content never changes, nor its decision; an approved
-- setting can still be called off.
CREATE TRIGGER booking_proposal_begins BEFORE INSERT ON booking_proposal
WHEN NEW.state <> 'waiting' BEGIN SELECT RAISE(ABORT, 'a proposal begins by waiting'); END;
CREATE TRIGGER booking_proposal_keep_words BEFORE UPDATE ON booking_proposal
WHEN NEW.id <> OLD.id OR NEW.kind <> OLD.kind OR NEW.line <> OLD.line OR NEW.sale <> OLD.sale
    OR NEW.claim <> OLD.claim OR NEW.booking <> OLD.booking OR NEW.cancels <> OLD.cancels OR NEW.amount <> OLD.amount OR NEW.reference <> OLD.reference
    OR NEW.evidence <> OLD.evidence OR NEW.happened_at <> OLD.happened_at OR NEW.day <> OLD.day
    OR NEW.proposed_by <> OLD.proposed_by OR NEW.proposed_name <> OLD.proposed_name OR NEW.proposed_at <> OLD.proposed_at
BEGIN SELECT RAISE(ABORT, 'what was proposed stays as it is'); END;
CREATE TRIGGER booking_proposal_keep_decision BEFORE UPDATE ON booking_proposal
WHEN OLD.state <> 'waiting' BEGIN SELECT RAISE(ABORT, 'what was decided stays as it is'); END;
CREATE TRIGGER correction_begins BEFORE INSERT ON correction
WHEN NEW.state <> 'waiting' BEGIN SELECT RAISE(ABORT, 'a correction begins by waiting'); END;
CREATE TRIGGER correction_keep_words BEFORE UPDATE ON correction
WHEN NEW.id <> OLD.id OR NEW.uid <> OLD.uid OR NEW.wallet <> OLD.wallet OR NEW.direction <> OLD.direction OR NEW.into_wallet <> OLD.into_wallet
    OR NEW.amount <> OLD.amount OR NEW.against <> OLD.against OR NEW.reason <> OLD.reason OR NEW.corrects <> OLD.corrects
    OR NEW.proposed_by <> OLD.proposed_by OR NEW.proposed_name <> OLD.proposed_name OR NEW.proposed_at <> OLD.proposed_at
BEGIN SELECT RAISE(ABORT, 'what was proposed stays as it is'); END;
CREATE TRIGGER correction_keep_decision BEFORE UPDATE ON correction
WHEN OLD.state <> 'waiting' BEGIN SELECT RAISE(ABORT, 'what was decided stays as it is'); END;
CREATE TRIGGER setting_proposal_keep_words BEFORE UPDATE ON setting_proposal
WHEN NEW.id <> OLD.id OR NEW.section <> OLD.section OR NEW.was <> OLD.was OR NEW.body <> OLD.body OR NEW.reason <> OLD.reason
    OR NEW.proposed_by <> OLD.proposed_by OR NEW.proposed_name <> OLD.proposed_name OR NEW.proposed_at <> OLD.proposed_at
BEGIN SELECT RAISE(ABORT, 'what was proposed stays as it is'); END;
CREATE TRIGGER setting_proposal_keep_decision BEFORE UPDATE ON setting_proposal
WHEN OLD.state <> 'waiting' AND (NEW.state <> 'called off' OR OLD.state <> 'approved' OR NEW.decided_by <> OLD.decided_by OR NEW.decided_at <> OLD.decided_at OR NEW.holds_from <> OLD.holds_from)
BEGIN SELECT RAISE(ABORT, 'what was decided stays as it is'); END;

-- How many rows each operators' list has, and their sum, by the values it can be filtered
-- by: updated by triggers with every write, so that a list's total costs the same
-- whatever its length. 'bifolia verify' counts again.
CREATE TABLE list_sum (
    list   TEXT   NOT NULL,
    state  TEXT   NOT NULL,
    kind   TEXT   NOT NULL,
    waits  BIGINT NOT NULL,
    n      BIGINT NOT NULL,
    amount BIGINT NOT NULL,
    PRIMARY KEY (list, state, kind, waits)
) WITHOUT ROWID;

CREATE TRIGGER fund_request_sum_add AFTER INSERT ON fund_request BEGIN
    INSERT INTO list_sum (list, state, kind, waits, n, amount) VALUES ('fund_request', NEW.state, NEW.way, 0, 1, NEW.amount)
        ON CONFLICT (list, state, kind, waits) DO UPDATE SET n = list_sum.n + 1, amount = list_sum.amount + excluded.amount;
END;
CREATE TRIGGER fund_request_sum_change AFTER UPDATE OF state, way, amount ON fund_request BEGIN
    UPDATE list_sum SET n = n - 1, amount = amount - OLD.amount WHERE list = 'fund_request' AND state = OLD.state AND kind = OLD.way AND waits = 0;
    INSERT INTO list_sum (list, state, kind, waits, n, amount) VALUES ('fund_request', NEW.state, NEW.way, 0, 1, NEW.amount)
        ON CONFLICT (list, state, kind, waits) DO UPDATE SET n = list_sum.n + 1, amount = list_sum.amount + excluded.amount;
END;
CREATE TRIGGER fund_request_sum_drop AFTER DELETE ON fund_request BEGIN
    UPDATE list_sum SET n = n - 1, amount = amount - OLD.amount WHERE list = 'fund_request' AND state = OLD.state AND kind = OLD.way AND waits = 0;
END;

CREATE TRIGGER withdrawal_sum_add AFTER INSERT ON withdrawal BEGIN
    INSERT INTO list_sum (list, state, kind, waits, n, amount) VALUES ('withdrawal', NEW.state, '', 0, 1, NEW.amount)
        ON CONFLICT (list, state, kind, waits) DO UPDATE SET n = list_sum.n + 1, amount = list_sum.amount + excluded.amount;
END;
CREATE TRIGGER withdrawal_sum_change AFTER UPDATE OF state, amount ON withdrawal BEGIN
    UPDATE list_sum SET n = n - 1, amount = amount - OLD.amount WHERE list = 'withdrawal' AND state = OLD.state AND kind = '' AND waits = 0;
    INSERT INTO list_sum (list, state, kind, waits, n, amount) VALUES ('withdrawal', NEW.state, '', 0, 1, NEW.amount)
        ON CONFLICT (list, state, kind, waits) DO UPDATE SET n = list_sum.n + 1, amount = list_sum.amount + excluded.amount;
END;
CREATE TRIGGER withdrawal_sum_drop AFTER DELETE ON withdrawal BEGIN
    UPDATE list_sum SET n = n - 1, amount = amount - OLD.amount WHERE list = 'withdrawal' AND state = OLD.state AND kind = '' AND waits = 0;
END;

CREATE TRIGGER support_ticket_sum_add AFTER INSERT ON support_ticket BEGIN
    INSERT INTO list_sum (list, state, kind, waits, n, amount) VALUES ('support_ticket', NEW.status, NEW.kind, NEW.waits, 1, 0)
        ON CONFLICT (list, state, kind, waits) DO UPDATE SET n = list_sum.n + 1;
END;
CREATE TRIGGER support_ticket_sum_change AFTER UPDATE OF status, kind, waits ON support_ticket BEGIN
    UPDATE list_sum SET n = n - 1 WHERE list = 'support_ticket' AND state = OLD.status AND kind = OLD.kind AND waits = OLD.waits;
    INSERT INTO list_sum (list, state, kind, waits, n, amount) VALUES ('support_ticket', NEW.status, NEW.kind, NEW.waits, 1, 0)
        ON CONFLICT (list, state, kind, waits) DO UPDATE SET n = list_sum.n + 1;
END;
CREATE TRIGGER support_ticket_sum_drop AFTER DELETE ON support_ticket BEGIN
    UPDATE list_sum SET n = n - 1 WHERE list = 'support_ticket' AND state = OLD.status AND kind = OLD.kind AND waits = OLD.waits;
END;

CREATE TRIGGER newsletter_sum_add AFTER INSERT ON newsletter BEGIN
    INSERT INTO list_sum (list, state, kind, waits, n, amount) VALUES ('newsletter', NEW.state, '', 0, 1, 0)
        ON CONFLICT (list, state, kind, waits) DO UPDATE SET n = list_sum.n + 1;
END;
CREATE TRIGGER newsletter_sum_change AFTER UPDATE OF state ON newsletter BEGIN
    UPDATE list_sum SET n = n - 1 WHERE list = 'newsletter' AND state = OLD.state AND kind = '' AND waits = 0;
    INSERT INTO list_sum (list, state, kind, waits, n, amount) VALUES ('newsletter', NEW.state, '', 0, 1, 0)
        ON CONFLICT (list, state, kind, waits) DO UPDATE SET n = list_sum.n + 1;
END;
CREATE TRIGGER newsletter_sum_drop AFTER DELETE ON newsletter BEGIN
    UPDATE list_sum SET n = n - 1 WHERE list = 'newsletter' AND state = OLD.state AND kind = '' AND waits = 0;
END;

CREATE TRIGGER outbox_sum_add AFTER INSERT ON outbox BEGIN
    INSERT INTO list_sum (list, state, kind, waits, n, amount) VALUES ('outbox', NEW.state, '', 0, 1, 0)
        ON CONFLICT (list, state, kind, waits) DO UPDATE SET n = list_sum.n + 1;
END;
CREATE TRIGGER outbox_sum_change AFTER UPDATE OF state ON outbox BEGIN
    UPDATE list_sum SET n = n - 1 WHERE list = 'outbox' AND state = OLD.state AND kind = '' AND waits = 0;
    INSERT INTO list_sum (list, state, kind, waits, n, amount) VALUES ('outbox', NEW.state, '', 0, 1, 0)
        ON CONFLICT (list, state, kind, waits) DO UPDATE SET n = list_sum.n + 1;
END;
CREATE TRIGGER outbox_sum_drop AFTER DELETE ON outbox BEGIN
    UPDATE list_sum SET n = n - 1 WHERE list = 'outbox' AND state = OLD.state AND kind = '' AND waits = 0;
END;

-- A claim waits for cash (Open), waits for its member (Funded) or is claimed; the sum is
-- the cash that is still missing.
CREATE TRIGGER claim_sum_add AFTER INSERT ON claim BEGIN
    INSERT INTO list_sum (list, state, kind, waits, n, amount) VALUES ('claim', CASE WHEN NEW.state = 'Claimed' THEN 'Claimed' WHEN NEW.recalled < NEW.net THEN 'Open' ELSE 'Funded' END, NEW.line, 0, 1, NEW.net - NEW.recalled)
        ON CONFLICT (list, state, kind, waits) DO UPDATE SET n = list_sum.n + 1, amount = list_sum.amount + excluded.amount;
END;
CREATE TRIGGER claim_sum_change AFTER UPDATE OF line, net, recalled, state ON claim BEGIN
    UPDATE list_sum SET n = n - 1, amount = amount - (OLD.net - OLD.recalled) WHERE list = 'claim' AND state = CASE WHEN OLD.state = 'Claimed' THEN 'Claimed' WHEN OLD.recalled < OLD.net THEN 'Open' ELSE 'Funded' END AND kind = OLD.line AND waits = 0;
    INSERT INTO list_sum (list, state, kind, waits, n, amount) VALUES ('claim', CASE WHEN NEW.state = 'Claimed' THEN 'Claimed' WHEN NEW.recalled < NEW.net THEN 'Open' ELSE 'Funded' END, NEW.line, 0, 1, NEW.net - NEW.recalled)
        ON CONFLICT (list, state, kind, waits) DO UPDATE SET n = list_sum.n + 1, amount = list_sum.amount + excluded.amount;
END;
CREATE TRIGGER claim_sum_drop AFTER DELETE ON claim BEGIN
    UPDATE list_sum SET n = n - 1, amount = amount - (OLD.net - OLD.recalled) WHERE list = 'claim' AND state = CASE WHEN OLD.state = 'Claimed' THEN 'Claimed' WHEN OLD.recalled < OLD.net THEN 'Open' ELSE 'Funded' END AND kind = OLD.line AND waits = 0;
END;

-- The words that tickets are searched by, once for each ticket: those of its query and
-- answers, in the spelling of support.Words. 'bifolia verify' compares them.
CREATE TABLE support_word (
    ticket BIGINT NOT NULL,
    word   TEXT   NOT NULL,
    PRIMARY KEY (ticket, word)
) WITHOUT ROWID;
CREATE INDEX support_word_first ON support_word (word, ticket);

-- Operators find members by the beginning of these values, of a name by the beginning of
-- any of its first four words: the text after the first, second and third space.
CREATE INDEX member_by_name ON member (lower(name));
CREATE INDEX member_by_last_name ON member (lower(last_name)) WHERE last_name <> '';
CREATE INDEX member_by_email ON member (lower(email));
CREATE INDEX member_by_mobile ON member (mobile);
CREATE INDEX member_by_wallet ON member (lower(wallet)) WHERE wallet <> '';
CREATE INDEX member_by_word_2 ON member (lower(substr(name, instr(name, ' ') + 1))) WHERE instr(name, ' ') > 0;
CREATE INDEX member_by_word_3 ON member (lower(substr(substr(name, instr(name, ' ') + 1), instr(substr(name, instr(name, ' ') + 1), ' ') + 1))) WHERE instr(substr(name, instr(name, ' ') + 1), ' ') > 0;
CREATE INDEX member_by_word_4 ON member (lower(substr(substr(substr(name, instr(name, ' ') + 1), instr(substr(name, instr(name, ' ') + 1), ' ') + 1), instr(substr(substr(name, instr(name, ' ') + 1), instr(substr(name, instr(name, ' ') + 1), ' ') + 1), ' ') + 1))) WHERE instr(substr(substr(name, instr(name, ' ') + 1), instr(substr(name, instr(name, ' ') + 1), ' ') + 1), ' ') > 0;
