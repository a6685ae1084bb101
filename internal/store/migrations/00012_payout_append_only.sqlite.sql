-- As in the ledger: these guards stand in for PostgreSQL's role.
CREATE TRIGGER payout_tx_keep_row BEFORE UPDATE ON payout_tx BEGIN SELECT RAISE(ABORT, 'payout_tx is append-only'); END;
CREATE TRIGGER payout_tx_no_delete BEFORE DELETE ON payout_tx BEGIN SELECT RAISE(ABORT, 'payout_tx is append-only'); END;
CREATE TRIGGER payout_batch_no_delete BEFORE DELETE ON payout_batch BEGIN SELECT RAISE(ABORT, 'payout_batch is never deleted'); END;
CREATE TRIGGER payout_no_delete BEFORE DELETE ON payout BEGIN SELECT RAISE(ABORT, 'payout is never deleted'); END;
CREATE TRIGGER payout_wallet_no_delete BEFORE DELETE ON payout_wallet BEGIN SELECT RAISE(ABORT, 'payout_wallet is never deleted'); END;
