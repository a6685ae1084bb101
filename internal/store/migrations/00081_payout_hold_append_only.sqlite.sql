-- As in the ledger: these guards stand in for PostgreSQL's role.
CREATE TRIGGER restore_note_keep_row BEFORE UPDATE ON restore_note BEGIN SELECT RAISE(ABORT, 'restore_note is append-only'); END;
CREATE TRIGGER restore_note_no_delete BEFORE DELETE ON restore_note BEGIN SELECT RAISE(ABORT, 'restore_note is append-only'); END;
CREATE TRIGGER payout_hold_no_delete BEFORE DELETE ON payout_hold BEGIN SELECT RAISE(ABORT, 'payout_hold is never deleted'); END;
CREATE TRIGGER payout_found_no_delete BEFORE DELETE ON payout_found BEGIN SELECT RAISE(ABORT, 'payout_found is never deleted'); END;
