package engine

// Lines: a package that stores rows may add lines to a group, which the ledger signs if
// the command succeeds. The group knows which row a line is about, and not what it means.

// Line is what is signed of a row.
type Line struct {
	Row   string // names the row
	Hash  string // without blanks
	Noted bool   // the batch is noted in witness_at, with the commit
}

func (l Line) String() string { return l.Row + " " + l.Hash }

// OnCommit has f called with the lines of each group that this process has committed. It
// is set before the first group.
func (db *DB) OnCommit(f func(lines []Line, batch int64)) { db.hook = f }

// groupLines are the lines of a group.
type groupLines struct {
	all       []Line
	confirmed int               // of all: by commands that have succeeded
	byRow     map[string]string // the last hash of each row
	indexed   int               // of all: those in byRow
	passed    map[string]bool   // see Once
}

// AddLine adds a line for the command that runs.
func (g *Group) AddLine(l Line) { g.lines.all = append(g.lines.all, l) }

// LineOf is the hash of the group's last line about a row.
func (g *Group) LineOf(row string) (hash string, found bool) {
	l := &g.lines
	if l.byRow == nil {
		l.byRow = map[string]string{}
	}
	for ; l.indexed < len(l.all); l.indexed++ {
		l.byRow[l.all[l.indexed].Row] = l.all[l.indexed].Hash
	}
	hash, found = l.byRow[row]
	return hash, found
}

// Once runs a check of what the group has locked, unless it has passed since the group
// began or a command was rolled back: then its locks are gone.
func (g *Group) Once(what string, check func() error) error {
	if g.lines.passed[what] {
		return nil
	}
	if err := check(); err != nil {
		return err
	}
	if g.lines.passed == nil {
		g.lines.passed = map[string]bool{}
	}
	g.lines.passed[what] = true
	return nil
}

func (l *groupLines) rollback() {
	*l = groupLines{all: l.all[:l.confirmed], confirmed: l.confirmed}
}

// Witness is the text of the lines of the group's commands.
func (g *Group) Witness() []string {
	out := make([]string, g.lines.confirmed)
	for i := range out {
		out[i] = g.lines.all[i].String()
	}
	return out
}

// noted are the rows whose last line is noted with the commit, which no command waits
// for: until then the group has the lines itself.
func (g *Group) noted() (rows []string) {
	seen := map[string]bool{}
	for _, l := range g.lines.all[:g.lines.confirmed] {
		if l.Noted && !seen[l.Row] {
			seen[l.Row] = true
			rows = append(rows, l.Row)
		}
	}
	return rows
}

const (
	noteUpsert = " ON CONFLICT (what) DO UPDATE SET batch = excluded.batch"
	NoteOne    = "INSERT INTO witness_at (what, batch) VALUES ($1, $2)" + noteUpsert
	noteMany   = "INSERT INTO witness_at (what, batch) SELECT unnest($1::text[]), $2::bigint" + noteUpsert
)
