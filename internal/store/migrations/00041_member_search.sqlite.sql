-- Members are looked up by the beginning of any of the first four words of their
-- name: what follows the first, second and third space, where there is one.
CREATE INDEX member_by_word_2 ON member (lower(substr(name, instr(name, ' ') + 1))) WHERE instr(name, ' ') > 0;
CREATE INDEX member_by_word_3 ON member (lower(substr(substr(name, instr(name, ' ') + 1), instr(substr(name, instr(name, ' ') + 1), ' ') + 1))) WHERE instr(substr(name, instr(name, ' ') + 1), ' ') > 0;
CREATE INDEX member_by_word_4 ON member (lower(substr(substr(substr(name, instr(name, ' ') + 1), instr(substr(name, instr(name, ' ') + 1), ' ') + 1), instr(substr(substr(name, instr(name, ' ') + 1), instr(substr(name, instr(name, ' ') + 1), ' ') + 1), ' ') + 1))) WHERE instr(substr(substr(name, instr(name, ' ') + 1), instr(substr(name, instr(name, ' ') + 1), ' ') + 1), ' ') > 0;
-- And by the transaction that paid them.
CREATE INDEX withdrawal_hash ON withdrawal (hash) WHERE hash <> '';
