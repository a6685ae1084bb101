-- What a mail tells is kept until it is sent, and its page is made then: it is some
-- ten times as long, and was made while everybody's next command waited.
ALTER TABLE outbox ADD COLUMN letter TEXT NOT NULL DEFAULT '';
