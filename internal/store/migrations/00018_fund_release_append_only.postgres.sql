COMMENT ON TABLE fund_release IS 'append-only';
