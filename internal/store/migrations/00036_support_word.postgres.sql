-- The words that tickets are searched by, each once for a ticket: those of its
-- query and answers, as support.Words spells them. The program fills it for the
-- tickets that are there, and 'bifolia verify' compares it with them.
CREATE TABLE support_word (
    ticket BIGINT NOT NULL,
    word   TEXT   COLLATE "C" NOT NULL,
    PRIMARY KEY (ticket, word)
);
CREATE INDEX support_word_first ON support_word (word, ticket);
