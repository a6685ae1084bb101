-- SQLite has no roles: these guards stand in for the role that on PostgreSQL
-- may only read and add. They carry no business rule.
CREATE TRIGGER transfer_keep_row BEFORE UPDATE ON transfer BEGIN SELECT RAISE(ABORT, 'transfer is append-only'); END;
CREATE TRIGGER transfer_no_delete BEFORE DELETE ON transfer BEGIN SELECT RAISE(ABORT, 'transfer is append-only'); END;
CREATE TRIGGER entry_keep_row BEFORE UPDATE ON entry BEGIN SELECT RAISE(ABORT, 'entry is append-only'); END;
CREATE TRIGGER entry_no_delete BEFORE DELETE ON entry BEGIN SELECT RAISE(ABORT, 'entry is append-only'); END;
CREATE TRIGGER batch_keep_row BEFORE UPDATE ON batch BEGIN SELECT RAISE(ABORT, 'batch is append-only'); END;
CREATE TRIGGER batch_no_delete BEFORE DELETE ON batch BEGIN SELECT RAISE(ABORT, 'batch is append-only'); END;
CREATE TRIGGER command_keep_row BEFORE UPDATE ON command BEGIN SELECT RAISE(ABORT, 'command is append-only'); END;
CREATE TRIGGER command_no_delete BEFORE DELETE ON command BEGIN SELECT RAISE(ABORT, 'command is append-only'); END;
CREATE TRIGGER account_no_delete BEFORE DELETE ON account BEGIN SELECT RAISE(ABORT, 'account is never deleted'); END;
CREATE TRIGGER hold_no_delete BEFORE DELETE ON hold BEGIN SELECT RAISE(ABORT, 'hold is never deleted'); END;
