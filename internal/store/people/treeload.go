package people

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"iter"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"

	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/core/tree"
	"github.com/bifolia/bifolia/internal/people/member"
	"github.com/bifolia/bifolia/internal/platform/errs"
	"github.com/bifolia/bifolia/internal/store/engine"
	"github.com/bifolia/bifolia/internal/store/evidence"
)

// idKeySetting is where package member keeps the key that ids are drawn by.
const idKeySetting = "id_key"

// Joining is one member of a tree to load: its sponsor, its side and its business. The
// first has neither sponsor nor side.
type Joining struct {
	Sponsor  tree.No
	Side     tree.Side
	Active   bool
	Business tree.Business
}

// TreeLoad is a whole tree for benchmarks and tests.
type TreeLoad struct {
	Members  iter.Seq[Joining] // in the order of joining
	IDKey    []byte            // ids are drawn by it, here and when people join later
	Password string            // of every member, as auth hashes it
	Since    time.Time         // when the first joined
	Every    time.Duration     // between two joinings
}

// LoadTree fills an empty database with a tree as if its members had joined one
// after the other and bought something right away: a million of them in seconds,
// where joining takes a night. The server never calls it.
//
// Errors: Conflict if there is a member already.
func LoadTree(ctx context.Context, db *engine.DB, l TreeLoad) (err error) {
	ids, err := member.NewIDs(l.IDKey)
	if err != nil {
		return err
	}
	places := plant(l.Members)
	conn, err := db.Write.Conn(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, conn.Close()) }()
	if db.Engine() == engine.SQLite { // indexes are filled in no order: the room of a server would not do
		if _, err := conn.ExecContext(ctx, fmt.Sprintf("PRAGMA cache_size = -%d", max(400_000, len(places)/2))); err != nil {
			return err
		}
		defer func() { err = errors.Join(err, shrink(ctx, conn)) }()
	}
	if _, err := conn.ExecContext(ctx, "BEGIN"); err != nil {
		return err
	}
	if err := loadAll(ctx, db, conn, l, places, ids); err != nil {
		_, undo := conn.ExecContext(ctx, "ROLLBACK")
		return errors.Join(err, undo)
	}
	if _, err := conn.ExecContext(ctx, "COMMIT"); err != nil {
		return err
	}
	if db.Checkpointer != nil {
		db.Checkpointer.Checkpoint("TRUNCATE")
	}
	return nil
}

// shrink gives a connection the room of a server again.
func shrink(ctx context.Context, conn *sql.Conn) error {
	_, err := conn.ExecContext(ctx, "PRAGMA cache_size = -8000")
	return err
}

func loadAll(ctx context.Context, db *engine.DB, conn *sql.Conn, l TreeLoad, places []planted, ids *member.IDs) error {
	var taken int64
	if err := conn.QueryRowContext(ctx, "SELECT COUNT(*) FROM place").Scan(&taken); err != nil {
		return err
	}
	if taken > 0 {
		return errs.New(errs.Conflict, "tree.not_empty", "The tree has {members} members already.", "members", taken)
	}
	row := func(i int) []any {
		p := &places[i]
		no, joined := int64(i), l.Since.Add(time.Duration(i-1)*l.Every).UnixMicro()
		return []any{
			no, ids.At(no), int64(p.Sponsor), int64(p.parent), int64(p.Side), int64(p.top[tree.Left]), int64(p.top[tree.Right]),
			int64(p.tail[tree.Left]), int64(p.tail[tree.Right]), joined, engine.BoolInt(p.Active),
			p.Business[tree.Robot].Micros(), p.Business[tree.Forex].Micros(), p.Business[tree.Crypto].Micros(),
		}
	}
	load, order := loadPostgres, "no" // as people join
	if db.Engine() == engine.SQLite {
		load, order = loadSQLite, "uid" // the order of its table, which is far faster to fill
	}
	if err := load(ctx, conn, len(places)-1, row); err != nil {
		return err
	}
	if _, err := conn.ExecContext(ctx, "INSERT INTO setting (name, value) VALUES ($1, $2)", idKeySetting, l.IDKey); err != nil {
		return err
	}
	if _, err := conn.ExecContext(ctx, `INSERT INTO member (`+memberColumns+`) SELECT uid, 'Member ' || no, '', '', 'member' || no || '@example.org',
		CAST(9000000000 + no AS TEXT), 99, '', '', '', '', '', '', '', '', '', '', '', '', '', '',
		joined_at, CASE WHEN active = 1 THEN joined_at + 1 ELSE 0 END, 0, 0, 0, '' FROM place ORDER BY `+order); err != nil {
		return err
	}
	if _, err := conn.ExecContext(ctx, `INSERT INTO credential (uid, password, password_at, must_change, temporary, reset, temporary_until, pin, pin_at, pin_tries, pin_locked)
		SELECT uid, $1, joined_at, 0, '', $2, 0, $1, joined_at, 0, 0 FROM place ORDER BY `+order, l.Password, []byte{}); err != nil {
		return err
	}
	_, err := conn.ExecContext(ctx, `INSERT INTO place_change (seq, no, active, robot, forex, crypto, recorded_at)
		SELECT ROW_NUMBER() OVER (ORDER BY no), no, active, robot, forex, crypto, joined_at + 1 FROM place
		WHERE active = 1 OR robot > 0 OR forex > 0 OR crypto > 0`)
	return err
}

// loadedTables have rows that LoadTree writes and the chain must have lines of.
var loadedTables = []*evidence.SignedTable{MemberSigned, credentialSigned, internalSigned}

// loadedAtOnce is how many rows get their lines in one group: a lookup of one of them
// reads the lines of the whole group.
const loadedAtOnce = 500

// SignTree adds the lines of a loaded tree to the chain, some in each command of write.
func SignTree(ctx context.Context, db *engine.DB, write func(run func(*ledger.Tx)) error) error {
	for _, w := range loadedTables {
		by := strings.Join(w.Columns[:w.Keys], ", ")
		query := "SELECT " + strings.Join(w.Columns, ", ") + " FROM " + w.Table
		page := " ORDER BY " + by + " LIMIT " + strconv.Itoa(loadedAtOnce)
		next, after := query+page, []any(nil)
		for {
			rows, err := engine.List(ctx, db.Committed(), evidence.ScanAny(len(w.Columns)), next, after...)
			if err != nil {
				return err
			}
			if len(rows) == 0 {
				break
			}
			if err := write(func(tx *ledger.Tx) {
				for _, vals := range rows {
					evidence.SignRow(engine.GroupOf(tx), w, vals...)
				}
			}); err != nil {
				return err
			}
			next, after = query+" WHERE ("+by+") > "+engine.Placeholders(1, w.Keys)+page, rows[len(rows)-1][:w.Keys]
		}
	}
	return nil
}

// planted is a member in its place.
type planted struct {
	Joining
	parent    tree.No
	top, tail [3]tree.No // by side: of the outer lines, as treeStore.Add keeps them
}

// plant puts each member at the end of its sponsor's outer line. Number 0 is
// nobody.
func plant(members iter.Seq[Joining]) []planted {
	places := make([]planted, 1)
	for j := range members {
		no := tree.No(len(places))
		p := planted{Joining: j, top: [3]tree.No{0, no, no}, tail: [3]tree.No{0, no, no}}
		if j.Side != tree.NoSide {
			top := places[j.Sponsor].top[j.Side]
			p.parent, p.top[j.Side] = places[top].tail[j.Side], top
			places[top].tail[j.Side] = no
		}
		places = append(places, p)
	}
	return places
}

var loadColumns = []string{"no", "uid", "sponsor", "parent", "side", "left_top", "right_top", "left_tail", "right_tail", "joined_at", "active", "robot", "forex", "crypto"}

func loadPostgres(ctx context.Context, conn *sql.Conn, n int, row func(i int) []any) error {
	return conn.Raw(func(driver any) error {
		src := pgx.CopyFromSlice(n, func(i int) ([]any, error) { return row(i + 1), nil })
		_, err := driver.(*stdlib.Conn).Conn().CopyFrom(ctx, pgx.Identifier{"place"}, loadColumns, src)
		return err
	})
}

func loadSQLite(ctx context.Context, conn *sql.Conn, n int, row func(i int) []any) error {
	const most = 500
	one := ", (?" + strings.Repeat(", ?", len(loadColumns)-1) + ")"
	text := func(rows int) string {
		return "INSERT INTO place (" + strings.Join(loadColumns, ", ") + ") VALUES" + strings.Repeat(one, rows)[1:]
	}
	stmt, err := conn.PrepareContext(ctx, text(most))
	if err != nil {
		return err
	}
	defer func() { _ = stmt.Close() }()
	for from := 1; from <= n; from += most {
		args := make([]any, 0, most*len(loadColumns))
		for i := from; i < min(from+most, n+1); i++ {
			args = append(args, row(i)...)
		}
		if len(args) == cap(args) {
			_, err = stmt.ExecContext(ctx, args...)
		} else {
			_, err = conn.ExecContext(ctx, text(len(args)/len(loadColumns)), args...)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
