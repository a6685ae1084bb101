-- As in the ledger: these guards stand in for PostgreSQL's role.
CREATE TRIGGER fund_release_keep_row BEFORE UPDATE ON fund_release BEGIN SELECT RAISE(ABORT, 'fund_release is append-only'); END;
CREATE TRIGGER fund_release_no_delete BEFORE DELETE ON fund_release BEGIN SELECT RAISE(ABORT, 'fund_release is append-only'); END;
