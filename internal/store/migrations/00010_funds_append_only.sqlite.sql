-- As in the ledger: these guards stand in for PostgreSQL's role.
CREATE TRIGGER fund_number_keep_row BEFORE UPDATE ON fund_number BEGIN SELECT RAISE(ABORT, 'fund_number is append-only'); END;
CREATE TRIGGER fund_number_no_delete BEFORE DELETE ON fund_number BEGIN SELECT RAISE(ABORT, 'fund_number is append-only'); END;
CREATE TRIGGER withdrawal_part_keep_row BEFORE UPDATE ON withdrawal_part BEGIN SELECT RAISE(ABORT, 'withdrawal_part is append-only'); END;
CREATE TRIGGER withdrawal_part_no_delete BEFORE DELETE ON withdrawal_part BEGIN SELECT RAISE(ABORT, 'withdrawal_part is append-only'); END;
CREATE TRIGGER fund_request_no_delete BEFORE DELETE ON fund_request BEGIN SELECT RAISE(ABORT, 'fund_request is never deleted'); END;
CREATE TRIGGER withdrawal_no_delete BEFORE DELETE ON withdrawal BEGIN SELECT RAISE(ABORT, 'withdrawal is never deleted'); END;
