package store

import (
	"context"
	"crypto/ed25519"
	"encoding/hex"
	"errors"
	"strings"

	"github.com/bifolia/bifolia/internal/core/ledger"
)

// Rows by which money leaves, who it goes to, and what operators propose, are held
// against the chain while the server runs, and not only by 'bifolia verify': before each change of one, or the change
// would vouch for whatever somebody has put there, and before money leaves. It
// costs reading one batch of the chain for each row, however long the chain is.

// Trust gives the keys by which batches are signed. Without them a line is
// believed as it stands.
func (db *DB) Trust(keys map[string]ed25519.PublicKey) { db.trusted.Store(&keys) }

// looker holds rows against the chain; it reads each batch once.
type looker struct {
	db    *DB
	q     querier
	g     *groupTx                    // of the command; nil outside of one, where nothing is written
	known map[int64]map[string]string // by batch: the last line of each row
	at    int64                       // the batch of the line that was found last
}

func newLooker(g *groupTx) *looker {
	return &looker{db: g.db, q: g, g: g, known: map[int64]map[string]string{}}
}

// glance holds rows against the chain as of a snapshot, outside of any command.
func (db *DB) glance(q querier) *looker {
	return &looker{db: db, q: q, known: map[int64]map[string]string{}}
}

// held reads rows and holds them against the chain: within a command, or as of one
// snapshot of what is committed.
func (db *DB) held(ctx context.Context, tx *ledger.Tx, read func(querier, *looker) error) error {
	if tx != nil {
		g := groupOf(tx)
		return read(g, newLooker(g))
	}
	return db.snapshot(ctx, func(q querier) error { return read(q, db.glance(q)) })
}

// row is nil if a row is what the chain says of it, or if there is none. If
// somebody has changed it, a *ledger.TamperedError that says so in a sentence.
func (l *looker) row(ctx context.Context, w *witnessed, key ...any) error {
	vals, there, err := first(ctx, l.q, scanAny(len(w.columns)), w.read, key...)
	if err != nil || !there {
		return err
	}
	return l.values(ctx, w, vals)
}

// each is row for several of one key.
func (l *looker) each(ctx context.Context, w *witnessed, n int, key func(i int) any) error {
	for i := range n {
		if err := l.row(ctx, w, key(i)); err != nil {
			return err
		}
	}
	return nil
}

// values is row for one that was read.
func (l *looker) values(ctx context.Context, w *witnessed, vals []any) error {
	id, sum := w.of(vals)
	said, err := l.said(ctx, w.name+" "+id)
	if err != nil {
		return unsigned(w, id, err)
	}
	return judge(w, id, sum, said)
}

// judge holds the fingerprint of a row against what its line says.
func judge(w *witnessed, id string, sum [witnessedBytes]byte, said string) error {
	switch said {
	case hex.EncodeToString(sum[:]):
		return nil
	case "":
		return tampered(w, id, "no command has written it")
	}
	return tampered(w, id, "it is not what the signed chain says of it")
}

// unsigned is err, which if the chain itself was changed names the row.
func unsigned(w *witnessed, id string, err error) error {
	if errors.Is(err, errUnsigned) {
		return tampered(w, id, "its line in the chain is not what was signed")
	}
	return err
}

// there is row for one that may not have been taken away either.
func (l *looker) there(ctx context.Context, w *witnessed, key ...any) error {
	_, is, err := first(ctx, l.q, scanAny(len(w.columns)), w.read, key...)
	if err != nil {
		return err
	}
	if is {
		return l.row(ctx, w, key...)
	}
	said, err := l.said(ctx, w.name+" "+w.id(key))
	if err == nil && said != "" && said != hex.EncodeToString(goneSum[:]) {
		return tampered(w, w.id(key), "it is missing")
	}
	return unsigned(w, w.id(key), err)
}

// tampered names the row as people know it.
func tampered(w *witnessed, id, how string) error {
	name := strings.ReplaceAll(strings.ToUpper(w.table[:1])+w.table[1:], "_", " ") + " " + id
	if batch, withdrawal, ok := strings.Cut(id, "/"); ok && w == payoutWitness {
		name = "The payout of withdrawal " + withdrawal + " in batch " + batch
	}
	return ledger.Tampered(name, how)
}

// said is what the chain says last of a row: in this group, or in the batch that
// is noted, or else wherever it is; "" if it says nothing.
func (l *looker) said(ctx context.Context, what string) (sum string, err error) {
	if rest, ok := l.written(what); ok {
		return rest, nil
	}
	batch, noted, err := first(ctx, l.q, scanCount, "SELECT batch FROM witness_at WHERE what = $1", what)
	if err != nil {
		return "", err
	}
	if noted {
		// A note of a batch that never was, or says nothing of the row, was changed
		// and is as good as none. One of a batch that is not as it was signed may be
		// right: an older line would then vouch for an older row.
		last, _, err := first(ctx, l.q, scanCount, "SELECT batch FROM head WHERE id = 1")
		if err != nil {
			return "", err
		}
		if batch <= last {
			if sum, known, err := l.in(ctx, what, batch); known || err != nil {
				return sum, err
			}
		}
	}
	at := map[string]int64{what: 0}
	err = l.lastLines(ctx, at)
	if batch = at[what]; err != nil || batch == 0 {
		return "", err
	}
	if l.g != nil {
		if _, err := l.g.Exec(ctx, "INSERT INTO witness_at (what, batch) VALUES ($1, $2) ON CONFLICT (what) DO UPDATE SET batch = excluded.batch", what, batch); err != nil {
			return "", err
		}
	}
	sum, _, err = l.in(ctx, what, batch)
	return sum, err
}

// in is what a batch says last of a row, or a later one that this process wrote.
func (l *looker) in(ctx context.Context, what string, batch int64) (sum string, known bool, err error) {
	batch = l.db.latest.notBefore(what, batch)
	l.at = batch
	lines, err := l.lines(ctx, batch)
	if err != nil {
		return "", false, err
	}
	sum, known = lines[what]
	return sum, known, nil
}

// written is what the command's own group says of a row.
func (l *looker) written(what string) (sum string, ok bool) {
	if l.g == nil {
		return "", false
	}
	for i := len(l.g.lines) - 1; i >= 0; i-- {
		if rest, ok := strings.CutPrefix(l.g.lines[i], what+" "); ok {
			return rest, true
		}
	}
	return "", false
}
