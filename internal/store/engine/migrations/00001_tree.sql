-- The tree. no is the join order, from 1 without gaps; sponsor and parent are such
-- numbers too, 0 for none. A customer has a sponsor and no parent.
--
-- An outer line is the way from its top down one side only; every member is on one left
-- and one right line. The tail of a line is stored at its top: the next member of that
-- side is placed there.
--
-- active and the three sums are the member's own: whether the member counts as active in
-- a team, and the member's business by line.
CREATE TABLE place (
    no         {{bigkey}},
    uid        BIGINT NOT NULL UNIQUE,
    sponsor    BIGINT NOT NULL,
    parent     BIGINT NOT NULL,
    side       BIGINT NOT NULL CHECK (side IN (0, 1, 2)),
    left_top   BIGINT NOT NULL,
    right_top  BIGINT NOT NULL,
    left_tail  BIGINT NOT NULL,
    right_tail BIGINT NOT NULL,
    joined_at  BIGINT NOT NULL,
    active     BIGINT NOT NULL CHECK (active IN (0, 1)),
    robot      BIGINT NOT NULL,
    forex      BIGINT NOT NULL,
    crypto     BIGINT NOT NULL,
    CHECK (sponsor < no AND parent < no AND (parent = 0) = (side = 0))
);
-- No two members in one place.
CREATE UNIQUE INDEX place_seat ON place (parent, side) WHERE parent > 0;

-- Changes of members' standing, in order: every process follows them.
CREATE TABLE place_change (
    seq         {{bigkey}},
    no          BIGINT NOT NULL,
    active      BIGINT NOT NULL,
    robot       BIGINT NOT NULL,
    forex       BIGINT NOT NULL,
    crypto      BIGINT NOT NULL,
    recorded_at BIGINT NOT NULL
);
