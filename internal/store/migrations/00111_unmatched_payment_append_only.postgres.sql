COMMENT ON TABLE unmatched_payment IS 'append-only';
