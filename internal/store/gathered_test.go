package store_test

import (
	"context"
	"testing"

	"github.com/bifolia/bifolia/internal/errs"
	"github.com/bifolia/bifolia/internal/ledger"
	"github.com/bifolia/bifolia/internal/testkit"
)

// A command that asks for what others have gathered makes the group send it. When that
// command fails then, it must take none of it along: the others are told that it was done.
func TestACommandThatFailsTakesNothingAlongThatOthersHaveGathered(t *testing.T) {
	t.Parallel()
	testkit.Engines(t, func(t *testing.T, dsn string) {
		d := openDesk(t, dsn)
		begin := func(ctx context.Context, tx *ledger.Tx) error { // the group's transaction
			return d.DB.Member().AddSetting(ctx, tx, "begun", []byte("x"))
		}
		d.look(asked(1, "a"), asked(2, "b"))
		got := d.together(begin, d.ask(asked(1, "a")), d.ask(asked(1, "a")), d.ask(asked(2, "b")), d.ask(asked(2, "b")))
		for i, refused := range []bool{false, false, true, false, true} {
			if (got[i] != nil) != refused || refused && !errs.Is(got[i], errs.Refused) {
				t.Errorf("command %d: %v", i, got[i])
			}
		}
		d.holds("a", "b")
	})
}
