COMMENT ON TABLE deposit_address IS 'append-only';
