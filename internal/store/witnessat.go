package store

import (
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

// witnessNames are the names of lines about rows of tables.
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
