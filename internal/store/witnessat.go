package store

import (
	"context"
	"database/sql"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// Where the last line of a row is that is looked up while the server runs.

// places are the rows of the group's lines that are looked up later. In which
// batch their last line is goes with the commit, since no command waits for it:
// until then the group has the lines itself.
func (g *groupTx) places() (all []string) {
	seen := map[string]bool{}
	for _, text := range g.lines[:g.vouched] {
		name, _, _ := strings.Cut(text, " ")
		if what := text[:max(0, strings.LastIndexByte(text, ' '))]; foundNames()[name] && !seen[what] {
			seen[what] = true
			all = append(all, what)
		}
	}
	return all
}

// latestLines are where the last lines are of what operators propose and book and of
// who they are, as far as this process has written them: witness_at is signed by nobody, and
// who puts such a row back could put its entry back too.
type latestLines struct {
	mu sync.Mutex
	at map[string]int64
}

// keptLines are the tables of that; they are short.
var keptLines = sync.OnceValue(func() map[string]bool {
	all := map[string]bool{}
	for _, w := range []*witnessed{bookingWitness, planWitness, proposedWitness, factWitness, planProposalWitness, closeProposalWitness, settingWitness, operatorWitness, roleWitness, factorWitness, correctionWitness} {
		all[w.name] = true
	}
	return all
})

func (l *latestLines) put(all []string, batch int64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, what := range all {
		name, _, _ := strings.Cut(what, " ")
		if !keptLines()[name] {
			continue
		}
		if l.at == nil {
			l.at = map[string]int64{}
		}
		l.at[what] = batch
	}
}

// notBefore is batch, or the one in which this process has written the row since.
func (l *latestLines) notBefore(what string, batch int64) int64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	return max(batch, l.at[what])
}

// witnessNames are what lines are of: others are from before, when something else
// was vouched for of a table.
var witnessNames = sync.OnceValue(func() map[string]bool {
	all := map[string]bool{incomeWitness: true, releaseOfHold: true}
	for _, w := range witnessedTables {
		all[w.name] = true
	}
	return all
})

// foundNames are the tables whose lines are looked up, by their names in lines.
var foundNames = sync.OnceValue(func() map[string]bool {
	all := map[string]bool{}
	for _, w := range witnessedTables {
		all[w.name] = w.found
	}
	return all
})

const (
	placeUpsert = " ON CONFLICT (what) DO UPDATE SET batch = excluded.batch"
	placeOne    = "INSERT INTO witness_at (what, batch) VALUES ($1, $2)" + placeUpsert
	placeMany   = "INSERT INTO witness_at (what, batch) SELECT unnest($1::text[]), $2::bigint" + placeUpsert
)

// filledLater are the names of lines whose places a later migration notes.
var filledLater = []string{
	requestWitness.name, credentialWitness.name, saleWitness.name, positionWitness.name, claimWitness.name, batchWitness.name, bookingWitness.name, planWitness.name,
}

// fillWitnessAt notes where the lines are that were made before their places
// were noted.
func fillWitnessAt(ctx context.Context, tx *sql.Tx, _ string) error {
	return fillPlaces(ctx, tx, func(name, _ string) bool {
		return foundNames()[name] && !slices.Contains(filledLater, name)
	})
}

// fillRequestsAt is fillWitnessAt for fund requests that can still be decided or
// released: the others may be millions.
func fillRequestsAt(ctx context.Context, tx *sql.Tx, _ string) error {
	open := map[string]bool{}
	err := each(ctx, inTx{tx}, scanCount, func(id int64) error {
		open[strconv.FormatInt(id, 10)] = true
		return nil
	}, "SELECT id FROM fund_request WHERE state <> 'Approved'")
	if err != nil {
		return err
	}
	return fillPlaces(ctx, tx, func(name, id string) bool { return name == requestWitness.name && open[id] })
}

// fillCredentialsAt is fillWitnessAt for members' passwords.
func fillCredentialsAt(ctx context.Context, tx *sql.Tx, _ string) error {
	return fillPlaces(ctx, tx, func(name, _ string) bool { return name == credentialWitness.name })
}

// fillClosesAt is fillWitnessAt for what closes, recalls and claims start from, as
// long as they can.
func fillClosesAt(ctx context.Context, tx *sql.Tx, _ string) error {
	open := map[string]bool{}
	for name, query := range map[string]string{
		saleWitness.name:     "SELECT id FROM sale WHERE state = 'cooling'",
		positionWitness.name: "SELECT id FROM invest_position WHERE state <> 'claimed'",
		claimWitness.name:    "SELECT id FROM claim WHERE state <> 'Claimed'",
		batchWitness.name:    "SELECT id FROM roi_batch WHERE released_day = 0 OR fee_day = 0",
		bookingWitness.name:  "SELECT id FROM booking WHERE closed = 0",
		planWitness.name:     "SELECT version FROM plan_version",
	} {
		if err := each(ctx, inTx{tx}, scanText, func(id string) error {
			open[name+" "+id] = true
			return nil
		}, query); err != nil {
			return err
		}
	}
	return fillPlaces(ctx, tx, func(name, id string) bool { return open[name+" "+id] })
}

// fillPlaces reads the chain some commands at a time, in its order: the last line
// of a row is the one whose place stays.
func fillPlaces(ctx context.Context, tx *sql.Tx, wanted func(name, id string) bool) error {
	for after, more := "", true; more; {
		at := map[string]int64{}
		more = false
		err := each(ctx, inTx{tx}, scanWitness, func(c witnessCommand) error {
			after, more = c.key, true
			for text := range strings.Lines(string(c.response)) {
				what := text[:max(0, strings.LastIndexByte(text, ' '))]
				if name, id, _ := strings.Cut(what, " "); wanted(name, id) {
					at[what] = c.batch
				}
			}
			return nil
		}, someWitness, witnessActor, after)
		for what, batch := range at {
			if err != nil {
				return err
			}
			_, err = tx.ExecContext(ctx, placeOne, what, batch)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
