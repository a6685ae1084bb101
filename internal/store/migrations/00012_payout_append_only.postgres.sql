COMMENT ON TABLE payout_tx IS 'append-only';
