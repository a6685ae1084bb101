-- As in the ledger: these guards stand in for PostgreSQL's role.
CREATE TRIGGER deposit_address_keep_row BEFORE UPDATE ON deposit_address BEGIN SELECT RAISE(ABORT, 'deposit_address is append-only'); END;
CREATE TRIGGER deposit_address_no_delete BEFORE DELETE ON deposit_address BEGIN SELECT RAISE(ABORT, 'deposit_address is append-only'); END;
CREATE TRIGGER deposit_intent_no_delete BEFORE DELETE ON deposit_intent BEGIN SELECT RAISE(ABORT, 'deposit_intent is never deleted'); END;
CREATE TRIGGER deposit_cursor_no_delete BEFORE DELETE ON deposit_cursor BEGIN SELECT RAISE(ABORT, 'deposit_cursor is never deleted'); END;
