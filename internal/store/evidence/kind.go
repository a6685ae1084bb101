package evidence

import (
	"context"
	"errors"

	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/store/engine"
)

// KindSigned is nil if what the database says of its kind is what was signed, by a
// key that is trusted; else a *ledger.TamperedError.
func KindSigned(ctx context.Context, db *engine.DB) error {
	row, said, err := db.KindRow(ctx)
	if err != nil || !said {
		return err
	}
	err = verifierAt(db, db.Committed()).Answered(ctx, row)
	var tampered *ledger.TamperedError
	if errors.As(err, &tampered) {
		return ledger.Tampered("Whether the ledger is a demo's or real", "the first command is not what was signed")
	}
	return err
}
