-- As in the ledger: these guards stand in for PostgreSQL's role.
CREATE TRIGGER place_change_keep_row BEFORE UPDATE ON place_change BEGIN SELECT RAISE(ABORT, 'place_change is append-only'); END;
CREATE TRIGGER place_change_no_delete BEFORE DELETE ON place_change BEGIN SELECT RAISE(ABORT, 'place_change is append-only'); END;
CREATE TRIGGER place_no_delete BEFORE DELETE ON place BEGIN SELECT RAISE(ABORT, 'place is never deleted'); END;
CREATE TRIGGER member_no_delete BEFORE DELETE ON member BEGIN SELECT RAISE(ABORT, 'member is never deleted'); END;
