package app

import (
	"context"
	"errors"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/bifolia/bifolia/internal/core/plan"
	"github.com/bifolia/bifolia/internal/store"
	"github.com/bifolia/bifolia/internal/trade/closing"
)

// replay replays past closes; it only reads the books.
type replay struct {
	*runner[closing.Replayed]
	dsn string
}

func (a *App) openReplay(context.Context, *prometheus.Registry) error {
	a.services.Replay = &replay{newRunner[closing.Replayed](a, "replay"), a.cfg.DB}
	return nil
}

// Start starts replaying a day. It returns Conflict while another one is replayed.
func (r *replay) Start(day plan.Day) error {
	return r.begin(day.String(), func(ctx context.Context, tell func(done, total int64)) (out closing.Replayed, err error) {
		db, err := store.OpenToRead(ctx, r.dsn)
		if err != nil {
			return out, err
		}
		defer func() { err = errors.Join(err, db.Close()) }()
		out, err = closing.Replay(ctx, db.Closing(), db.Past(), day, tell)
		if err == nil && !out.Equal() {
			r.log.Error("the replay of a close differs from the committed one", "day", day.String(), "digest", out.Digest, "again", out.Again)
		}
		return out, err
	})
}
