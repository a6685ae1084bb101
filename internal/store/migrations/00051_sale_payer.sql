-- What somebody has paid for and can still give back, whoever it is for.
CREATE INDEX sale_cooling_payer ON sale (payer, day, at, id) WHERE state = 'cooling';
