package store

import (
	"context"
	"crypto/ed25519"
	"database/sql"
	"errors"
	"strconv"
	"strings"

	"github.com/bifolia/bifolia/internal/core/ledger"
)

// Reading the chain's lines, and whether they are as they were signed.

// lastLines looks through the whole chain for the batches that have the last lines of
// rows; 0 stays where there is none.
func (l *looker) lastLines(ctx context.Context, at map[string]int64) error {
	return each(ctx, l.q, scanWitness, func(c witnessCommand) error {
		for text := range strings.Lines(string(c.response)) {
			what := text[:max(0, strings.LastIndexByte(text, ' '))]
			if _, wanted := at[what]; wanted {
				at[what] = c.batch
			}
		}
		return nil
	}, allWitness, witnessActor)
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
	all, err := l.linesOf(ctx, []int64{no})
	if err == nil {
		l.known[no] = all[no]
	}
	return all[no], err
}

// linesOf is lines for several batches, in their order; none is kept, for they may
// be many.
func (l *looker) linesOf(ctx context.Context, batches []int64) (map[int64]map[string]string, error) {
	args := make([]any, len(batches))
	for i, no := range batches {
		args[i] = no
	}
	of := placeholders(1, len(args))
	commands, err := list(ctx, l.q, scanCommand, commandsWhere+"batch IN "+of+" AND actor = $"+strconv.Itoa(len(args)+1)+" ORDER BY batch, n", append(args[:len(args):len(args)], witnessActor)...)
	if err != nil {
		return nil, err
	}
	if keys := l.db.trusted.Load(); keys != nil {
		if err := l.signed(ctx, batches, of, args, commands, *keys); err != nil {
			return nil, err
		}
	}
	all := make(map[int64]map[string]string, len(batches))
	for _, no := range batches {
		all[no] = map[string]string{}
	}
	for _, c := range commands {
		for text := range strings.Lines(string(c.Response)) {
			text = strings.TrimSuffix(text, "\n")
			if at := strings.LastIndexByte(text, ' '); at >= 0 {
				all[c.Batch][text[:at]] = text[at+1:]
			}
		}
	}
	return all, nil
}

const commandsWhere = "SELECT actor, command_key, batch, n, request, response, first_seq, last_seq, recorded_at, leaf FROM command WHERE "

// answered is nil if what a command answered is as it was signed; if not, a
// *ledger.TamperedError.
func (l *looker) answered(ctx context.Context, c ledger.CommandRow) error {
	keys := l.db.trusted.Load()
	if keys == nil {
		return nil
	}
	err := l.signed(ctx, []int64{c.Batch}, placeholders(1, 1), []any{c.Batch}, []ledger.CommandRow{c}, *keys)
	if errors.Is(err, errUnsigned) {
		return ledger.Tampered("What '"+c.Key+"' has answered", "it is not what was signed")
	}
	return err
}

// leafOf is a leaf of a batch.
type leafOf struct {
	batch int64
	hash  ledger.Hash
}

func scanLeaf(r *sql.Rows) (x leafOf, err error) {
	var raw []byte
	if err = r.Scan(&x.batch, &raw); err != nil {
		return x, err
	}
	return x, fill(&x.hash, raw, "leaf")
}

// signed is errUnsigned unless batches are signed, and these are commands of them;
// of is the list of the batches, whose values args are.
func (l *looker) signed(ctx context.Context, batches []int64, of string, args []any, commands []ledger.CommandRow, keys map[string]ed25519.PublicKey) error {
	for i := range commands {
		if !commands[i].Sealed() {
			return errUnsigned
		}
	}
	rows, err := list(ctx, l.q, scanBatchRow,
		"SELECT no, epoch, first_seq, last_seq, commands, recorded_at, prev_hash, root, hash, key_id, signature FROM batch WHERE no IN "+of, args...)
	if err != nil {
		return err
	}
	leaves := map[int64][]ledger.Hash{}
	for _, query := range []string{
		"SELECT b.no, t.leaf FROM batch b JOIN transfer t ON t.seq BETWEEN b.first_seq AND b.last_seq WHERE b.no IN " + of + " ORDER BY t.seq",
		"SELECT batch, leaf FROM command WHERE batch IN " + of + " ORDER BY batch, n",
	} {
		if err := each(ctx, l.q, scanLeaf, func(x leafOf) error {
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
		if err := rows[i].Signed(leaves[rows[i].No], keys); err != nil {
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
	return b, errors.Join(fill(&b.Prev, prev, "batch.prev_hash"), fill(&b.Root, root, "batch.root"), fill(&b.Hash, hash, "batch.hash"))
}
