-- What a session's row says is bound to it by a keyed hash.
ALTER TABLE session ADD COLUMN seal TEXT NOT NULL DEFAULT '';
