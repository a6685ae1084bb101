-- As in the ledger: these guards stand in for PostgreSQL's role.
CREATE TRIGGER unmatched_payment_keep_row BEFORE UPDATE ON unmatched_payment BEGIN SELECT RAISE(ABORT, 'unmatched_payment is append-only'); END;
CREATE TRIGGER unmatched_payment_no_delete BEFORE DELETE ON unmatched_payment BEGIN SELECT RAISE(ABORT, 'unmatched_payment is append-only'); END;
