package store

import (
	"context"
	"crypto/ed25519"
	"database/sql"
	"encoding/hex"
	"errors"
	"strings"

	"github.com/bifolia/bifolia/internal/ledger"
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

// row is nil if a row is what the chain says of it, or if there is none. If
// somebody has changed it, a *ledger.TamperedError that says so in a sentence.
func (l *looker) row(ctx context.Context, w *witnessed, key ...any) error {
	vals, there, err := first(ctx, l.q, scanAny(len(w.columns)), w.read, key...)
	if err != nil || !there {
		return err
	}
	return l.values(ctx, w, vals)
}

// values is row for one that was read.
func (l *looker) values(ctx context.Context, w *witnessed, vals []any) error {
	id, sum := w.of(vals)
	said, known, err := l.said(ctx, w.name+" "+id)
	if err == nil && !known {
		done, aerr := w.adopted(ctx, l.q)
		known, err = !done, aerr
	}
	switch {
	case errors.Is(err, errUnsigned):
		return tampered(w, id, "its line in the chain is not what was signed")
	case err != nil:
		return err
	case !known:
		return tampered(w, id, "no command has written it")
	case said == "": // from before there were lines: from now on it has one
		if l.g != nil {
			l.g.witness(w, vals...)
		}
	case said != hex.EncodeToString(sum[:]):
		return tampered(w, id, "it is not what the signed chain says of it")
	}
	return nil
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
	said, _, err := l.said(ctx, w.name+" "+w.id(key))
	switch {
	case errors.Is(err, errUnsigned):
		return tampered(w, w.id(key), "its line in the chain is not what was signed")
	case err == nil && said != "":
		return tampered(w, w.id(key), "it is missing")
	}
	return err
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
// is noted, or else wherever it is. Nothing, and known, is said of a row from
// before there were lines.
func (l *looker) said(ctx context.Context, what string) (sum string, known bool, err error) {
	if rest, ok := l.written(what); ok {
		return rest, true, nil
	}
	batch, found, err := first(ctx, l.q, scanCount, "SELECT batch FROM witness_at WHERE what = $1", what)
	if err != nil {
		return "", false, err
	}
	if !found {
		var strict bool
		if batch, strict, err = l.lastLine(ctx, what); err != nil || batch == 0 {
			return "", !strict, err
		}
		if l.g != nil {
			_, err = l.g.Exec(ctx, "INSERT INTO witness_at (what, batch) VALUES ($1, $2) ON CONFLICT (what) DO NOTHING", what, batch)
		}
		if err != nil {
			return "", false, err
		}
	}
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

// lastLine looks through the whole chain for the batch that has the last line of
// a row, 0 if there is none; strict tells whether every row must have one. What
// says so must be signed, or who invents a row would say that there were rows
// before the first line.
func (l *looker) lastLine(ctx context.Context, what string) (batch int64, strict bool, err error) {
	var says []int64
	lines, begun := false, false
	err = each(ctx, l.q, scanWitness, func(c witnessCommand) error {
		lines = true
		for text := range strings.Lines(string(c.response)) {
			switch {
			case strings.HasPrefix(text, what+" "):
				batch = c.batch
			case strings.HasPrefix(text, witnessBegin):
				says, begun, strict = append(says, c.batch), true, text == witnessEmpty+"\n"
			case text == witnessLoaded+"\n":
				says, strict = append(says, c.batch), false
			}
		}
		return nil
	}, allWitness, witnessActor)
	if err == nil && lines && !begun {
		err = errUnsigned
	}
	for _, no := range says {
		if err != nil {
			return 0, false, err
		}
		_, err = l.lines(ctx, no)
	}
	return batch, strict, err
}

const (
	witnessOf   = "SELECT command_key, batch, response FROM command WHERE actor = $1"
	allWitness  = witnessOf + " ORDER BY command_key"
	someWitness = witnessOf + " AND command_key > $2 ORDER BY command_key LIMIT 1000"
)

type witnessCommand struct {
	key      string
	batch    int64
	response []byte
}

func scanWitness(r *sql.Rows) (c witnessCommand, err error) {
	err = r.Scan(&c.key, &c.batch, &c.response)
	return c, err
}

// errUnsigned: a batch is not what was signed.
var errUnsigned = errors.New("store: a batch of the chain is not what was signed")

// lines are what a batch of the chain says, if it is as it was signed.
func (l *looker) lines(ctx context.Context, no int64) (map[string]string, error) {
	if lines, ok := l.known[no]; ok {
		return lines, nil
	}
	commands, err := list(ctx, l.q, scanCommand,
		"SELECT actor, command_key, batch, n, request, response, first_seq, last_seq, recorded_at, leaf FROM command WHERE batch = $1 AND actor = $2 ORDER BY n", no, witnessActor)
	if err != nil {
		return nil, err
	}
	if keys := l.db.trusted.Load(); keys != nil {
		if err := l.signed(ctx, no, commands, *keys); err != nil {
			return nil, err
		}
	}
	lines := map[string]string{}
	for _, c := range commands {
		for text := range strings.Lines(string(c.Response)) {
			text = strings.TrimSuffix(text, "\n")
			if at := strings.LastIndexByte(text, ' '); at >= 0 {
				lines[text[:at]] = text[at+1:]
			}
		}
	}
	l.known[no] = lines
	return lines, nil
}

// signed is errUnsigned unless a batch is signed, and these are commands of it.
func (l *looker) signed(ctx context.Context, no int64, commands []ledger.CommandRow, keys map[string]ed25519.PublicKey) error {
	b, found, err := first(ctx, l.q, scanBatchRow,
		"SELECT no, epoch, first_seq, last_seq, commands, recorded_at, prev_hash, root, hash, key_id, signature FROM batch WHERE no = $1", no)
	switch {
	case err != nil:
		return err
	case !found:
		return errUnsigned
	}
	leaves, err := list(ctx, l.q, scanHash, "SELECT leaf FROM transfer WHERE seq BETWEEN $1 AND $2 ORDER BY seq", b.First, b.Last)
	if err != nil {
		return err
	}
	own, err := list(ctx, l.q, scanHash, "SELECT leaf FROM command WHERE batch = $1 ORDER BY n", no)
	if err != nil {
		return err
	}
	for i := range commands {
		if !commands[i].Sealed() {
			return errUnsigned
		}
	}
	if err := b.Signed(append(leaves, own...), keys); err != nil {
		return errors.Join(errUnsigned, err)
	}
	return nil
}

func scanHash(r *sql.Rows) (h ledger.Hash, err error) {
	var raw []byte
	if err = r.Scan(&raw); err != nil {
		return h, err
	}
	return h, fill(&h, raw, "leaf")
}

func scanBatchRow(r *sql.Rows) (b ledger.BatchRow, err error) {
	var prev, root, hash []byte
	if err = r.Scan(&b.No, &b.Epoch, &b.First, &b.Last, &b.Commands, &b.Recorded, &prev, &root, &hash, &b.KeyID, &b.Signature); err != nil {
		return b, err
	}
	return b, errors.Join(fill(&b.Prev, prev, "batch.prev_hash"), fill(&b.Root, root, "batch.root"), fill(&b.Hash, hash, "batch.hash"))
}
