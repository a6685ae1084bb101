-- Members are looked up by the beginning of any of the first four words of their
-- name: what follows the first, second and third space, where there is one.
CREATE INDEX member_by_word_2 ON member ((lower(substr(name, strpos(name, ' ') + 1))) COLLATE "C") WHERE strpos(name, ' ') > 0;
CREATE INDEX member_by_word_3 ON member ((lower(substr(substr(name, strpos(name, ' ') + 1), strpos(substr(name, strpos(name, ' ') + 1), ' ') + 1))) COLLATE "C") WHERE strpos(substr(name, strpos(name, ' ') + 1), ' ') > 0;
CREATE INDEX member_by_word_4 ON member ((lower(substr(substr(substr(name, strpos(name, ' ') + 1), strpos(substr(name, strpos(name, ' ') + 1), ' ') + 1), strpos(substr(substr(name, strpos(name, ' ') + 1), strpos(substr(name, strpos(name, ' ') + 1), ' ') + 1), ' ') + 1))) COLLATE "C") WHERE strpos(substr(substr(name, strpos(name, ' ') + 1), strpos(substr(name, strpos(name, ' ') + 1), ' ') + 1), ' ') > 0;
-- And by the transaction that paid them.
CREATE INDEX withdrawal_hash ON withdrawal (hash) WHERE hash <> '';
