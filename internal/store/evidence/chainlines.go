package evidence

import (
	"context"
	"database/sql"
	"errors"
	"strings"

	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/store/engine"
)

// Reading the chain's lines, and whether they are as they were signed.

const (
	linesOf   = "SELECT command_key, batch, response FROM command WHERE actor = $1"
	allLines  = linesOf + " ORDER BY command_key"
	nextLines = linesOf + " AND command_key > $2 ORDER BY command_key LIMIT 1000"
)

// linesCommand is a command whose answer is lines.
type linesCommand struct {
	key      string
	batch    int64
	response []byte
}

func scanLines(r *sql.Rows) (c linesCommand, err error) {
	err = r.Scan(&c.key, &c.batch, &c.response)
	return c, err
}

type chainLine struct {
	row, hash string
	batch     int64
}

// name is the name of its table, and id the rest of the row's name.
func (l chainLine) name() (name, id string) {
	name, id, _ = strings.Cut(l.row, " ")
	return name, id
}

// tableOf is the table of a row as lines name it; nil if there is none.
func tableOf(row string) *SignedTable {
	name, _, _ := strings.Cut(row, " ")
	return tablesByName[name]
}

func parseLines(response []byte, batch int64, yield func(chainLine) error) error {
	for text := range strings.Lines(string(response)) {
		text = strings.TrimSuffix(text, "\n")
		at := strings.LastIndexByte(text, ' ')
		if at < 0 {
			continue
		}
		if err := yield(chainLine{text[:at], text[at+1:], batch}); err != nil {
			return err
		}
	}
	return nil
}

// eachLine gives the lines of the chain, oldest first.
func eachLine(ctx context.Context, q engine.Querier, yield func(chainLine) error) error {
	return engine.Each(ctx, q, scanLines, func(c linesCommand) error { return parseLines(c.response, c.batch, yield) }, allLines, linesActor)
}

var errUnsigned = errors.New("store: a batch of the chain is not what was signed")

// SignedLines are the last lines of rows in batches, which are as they were signed.
func (v RowVerifier) SignedLines(ctx context.Context, batches []int64) (map[int64]map[string]string, error) {
	args := make([]any, len(batches))
	for i, no := range batches {
		args[i] = no
	}
	args = padded(args)
	in := engine.Placeholders(2, len(args))
	commands, err := engine.List(ctx, v.q, engine.ScanCommand, engine.SelectCommands+"actor = $1 AND batch IN "+in+" ORDER BY batch, n", append([]any{linesActor}, args...)...)
	if err != nil {
		return nil, err
	}
	if err := v.signed(ctx, batches, args, commands); err != nil {
		return nil, err
	}
	all := make(map[int64]map[string]string, len(batches))
	for _, no := range batches {
		all[no] = map[string]string{}
	}
	for _, c := range commands {
		_ = parseLines(c.Response, c.Batch, func(l chainLine) error {
			all[l.batch][l.row] = l.hash
			return nil
		}) // its yield has no error
	}
	return all, nil
}

// Answered is nil if what a command answered is as it was signed; if not, a
// *ledger.TamperedError.
func (v RowVerifier) Answered(ctx context.Context, c ledger.CommandRow) error {
	err := v.signed(ctx, []int64{c.Batch}, []any{c.Batch}, []ledger.CommandRow{c})
	if errors.Is(err, errUnsigned) {
		return ledger.Tampered("What '"+c.Key+"' has answered", "it is not what was signed")
	}
	return err
}

type batchLeaf struct {
	batch int64
	hash  ledger.Hash
}

func scanLeaf(r *sql.Rows) (x batchLeaf, err error) {
	var raw []byte
	if err = r.Scan(&x.batch, &raw); err != nil {
		return x, err
	}
	return x, engine.SetHash(&x.hash, raw, "leaf")
}

// signed is errUnsigned unless batches are signed by a trusted key, and these are
// commands of them; args are the batches, padded. Without keys everything is believed.
func (v RowVerifier) signed(ctx context.Context, batches []int64, args []any, commands []ledger.CommandRow) error {
	keys := v.chain.trusted.Load()
	if keys == nil {
		return nil
	}
	for i := range commands {
		if !commands[i].Sealed() {
			return errUnsigned
		}
	}
	in := engine.Placeholders(1, len(args))
	rows, err := engine.List(ctx, v.q, scanBatchRow,
		"SELECT no, epoch, first_seq, last_seq, commands, recorded_at, prev_hash, root, hash, key_id, signature FROM batch WHERE no IN "+in, args...)
	if err != nil {
		return err
	}
	leaves := map[int64][]ledger.Hash{}
	for _, query := range []string{
		"SELECT b.no, t.leaf FROM batch b JOIN transfer t ON t.seq BETWEEN b.first_seq AND b.last_seq WHERE b.no IN " + in + " ORDER BY t.seq",
		"SELECT batch, leaf FROM command WHERE batch IN " + in + " ORDER BY batch, n",
	} {
		if err := engine.Each(ctx, v.q, scanLeaf, func(x batchLeaf) error {
			leaves[x.batch] = append(leaves[x.batch], x.hash)
			return nil
		}, query, args...); err != nil {
			return err
		}
	}
	if len(rows) != len(batches) {
		return errUnsigned
	}
	for i := range rows {
		if err := rows[i].Signed(leaves[rows[i].No], *keys); err != nil {
			return errors.Join(errUnsigned, err)
		}
	}
	return nil
}

func scanBatchRow(r *sql.Rows) (b ledger.BatchRow, err error) {
	var prev, root, hash []byte
	if err = r.Scan(&b.No, &b.Epoch, &b.First, &b.Last, &b.Commands, &b.Recorded, &prev, &root, &hash, &b.KeyID, &b.Signature); err != nil {
		return b, err
	}
	return b, errors.Join(engine.SetHash(&b.Prev, prev, "batch.prev_hash"), engine.SetHash(&b.Root, root, "batch.root"), engine.SetHash(&b.Hash, hash, "batch.hash"))
}
