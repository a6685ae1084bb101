COMMENT ON TABLE fund_number IS 'append-only';
COMMENT ON TABLE withdrawal_part IS 'append-only';
