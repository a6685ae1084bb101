-- As in the ledger: these guards stand in for PostgreSQL's role.
CREATE TRIGGER support_act_keep_row BEFORE UPDATE ON support_act BEGIN SELECT RAISE(ABORT, 'support_act is append-only'); END;
CREATE TRIGGER support_act_no_delete BEFORE DELETE ON support_act BEGIN SELECT RAISE(ABORT, 'support_act is append-only'); END;
