package crash

import (
	"bufio"
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	_ "modernc.org/sqlite"

	"github.com/bifolia/bifolia/internal/cash/fund"
	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/core/plan"
	"github.com/bifolia/bifolia/internal/core/tree"
	"github.com/bifolia/bifolia/internal/people/member"
	"github.com/bifolia/bifolia/internal/platform/clock"
	"github.com/bifolia/bifolia/internal/platform/config"
	"github.com/bifolia/bifolia/internal/platform/money"
	"github.com/bifolia/bifolia/internal/store"
	"github.com/bifolia/bifolia/internal/tools/testkit"
	"github.com/bifolia/bifolia/internal/trade/closing"
	"github.com/bifolia/bifolia/internal/trade/market"
	"github.com/bifolia/bifolia/internal/trade/sale"
)

const buyers = 400

// A close that was killed, whenever, is whole or absent; run again it gives the
// same digest and the same bytes as one that was never killed.
func TestCrashOfAClose(t *testing.T) {
	t.Parallel()
	seed := t.TempDir()
	day := seedClose(t, seed, "sqlite:"+filepath.Join(seed, "bifolia.db"))
	digest := closeOf(t, seed, day, "--preview")

	whole := copyDir(t, seed)
	took := timeClose(t, whole, day, digest)
	for range 2 {
		took = min(took, timeClose(t, copyDir(t, seed), day, digest))
	}
	want := contents(t, whole)

	unfinished, finished := 0, 0
	for i := range kills(t, 0.5) {
		dir := copyDir(t, seed)
		at := took/4 + time.Duration(rand.Int64N(int64(took))) // opening takes the first quarter
		killClose(t, dir, day, digest, at)
		// Whatever else the machine does, kills keep hitting closes under way.
		if isClosed(t, dir, day) {
			finished++
			took -= took / 10
		} else {
			unfinished++
			took += took / 20
			if again := closeOf(t, dir, day, "--preview"); again != digest {
				t.Fatalf("kill %d after %v: the digest is %s, not %s", i, at, again, digest)
			}
			closeOf(t, dir, day, "--commit", digest)
		}
		if got := contents(t, dir); got != want {
			t.Fatalf("kill %d after %v of %v: the books differ", i, at, took)
		}
		verify(t, "sqlite:"+filepath.Join(dir, "bifolia.db"), dir)
	}
	if unfinished == 0 {
		t.Errorf("no kill of %d hit a close under way", finished)
	}
	t.Logf("a close takes %v; %d kills left it undone, %d came after it", took, unfinished, finished)
}

func bifolia(ctx context.Context, dir string, args ...string) *exec.Cmd {
	return exec.CommandContext(ctx, program, append([]string{args[0], "--data-dir", dir, "--log-level", "error"}, args[1:]...)...)
}

// closeOf previews or commits a day and gives its digest.
func closeOf(t *testing.T, dir, day string, what ...string) string {
	t.Helper()
	out, err := bifolia(t.Context(), dir, append([]string{"close", "--day", day, "--json"}, what...)...).Output()
	var report struct{ Digest string }
	if err != nil || json.Unmarshal(out, &report) != nil || report.Digest == "" {
		t.Fatalf("close %v: %v: %s", what, err, out)
	}
	return report.Digest
}

// timeClose commits a day and gives how long it took until that was durable.
func timeClose(t *testing.T, dir, day, digest string) time.Duration {
	t.Helper()
	cmd := bifolia(t.Context(), dir, "close", "--day", day, "--commit", digest, "--log-level", "info")
	log, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	began, took := time.Now(), time.Duration(0)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	for lines := bufio.NewScanner(log); lines.Scan(); {
		if strings.Contains(lines.Text(), "a day is closed") {
			took = time.Since(began)
		}
	}
	if err := cmd.Wait(); err != nil || took == 0 || !isClosed(t, dir, day) {
		t.Fatalf("the close failed: %v", err)
	}
	return took
}

// killClose starts a close and kills it some time later.
func killClose(t *testing.T, dir, day, digest string, after time.Duration) {
	t.Helper()
	cmd := bifolia(t.Context(), dir, "close", "--day", day, "--commit", digest)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	time.Sleep(after)
	_ = cmd.Process.Kill() // it may have ended
	_ = cmd.Wait()
}

func isClosed(t *testing.T, dir, day string) bool {
	t.Helper()
	d, err := plan.ParseDay(day)
	if err != nil {
		t.Fatal(err)
	}
	db := testkit.Raw(t, "sqlite:"+filepath.Join(dir, "bifolia.db"))
	defer func() { _ = db.Close() }()
	var n int
	if err := db.QueryRow("SELECT COUNT(*) FROM close_day WHERE day = $1", int64(d)).Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n == 1
}

// contents are the books in full, without when they were written.
func contents(t *testing.T, dir string) string {
	t.Helper()
	db := testkit.Raw(t, "sqlite:"+filepath.Join(dir, "bifolia.db"))
	defer func() { _ = db.Close() }()
	var b strings.Builder
	for _, query := range []string{
		"SELECT * FROM income ORDER BY row_no", "SELECT * FROM carry ORDER BY no", "SELECT * FROM activity ORDER BY n", "SELECT * FROM tally ORDER BY name",
		"SELECT * FROM sale ORDER BY id", "SELECT * FROM invest_position ORDER BY id", "SELECT * FROM roi_batch ORDER BY id", "SELECT * FROM claim ORDER BY id",
		"SELECT * FROM income_sum ORDER BY earner, kind, line, row_first", "SELECT * FROM booking ORDER BY id", "SELECT code, posted FROM account ORDER BY code", "SELECT day, plan, digest, rows_first, rows_last FROM close_day ORDER BY day",
		"SELECT seq, id, kind, reference, legs FROM transfer ORDER BY seq", "SELECT seq, leg, code, delta FROM (SELECT e.seq, e.leg, a.code, e.delta FROM entry e JOIN account a ON a.id = e.account) ORDER BY seq, leg",
	} {
		dump(t, db, query, &b)
	}
	return b.String()
}

func dump(t *testing.T, db *sql.DB, query string, to *strings.Builder) {
	t.Helper()
	rows, err := db.Query(query)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = rows.Close() }()
	names, err := rows.Columns()
	if err != nil {
		t.Fatal(err)
	}
	values, into := make([]any, len(names)), make([]any, len(names))
	for i := range values {
		into[i] = &values[i]
	}
	n := 0
	for ; rows.Next(); n++ {
		if err := rows.Scan(into...); err != nil {
			t.Fatal(err)
		}
		fmt.Fprintln(to, values...)
	}
	if rows.Err() != nil {
		t.Fatal(rows.Err())
	}
	fmt.Fprintln(to, query, n)
}

func copyDir(t *testing.T, from string) string {
	t.Helper()
	to := t.TempDir()
	if err := os.CopyFS(to, os.DirFS(from)); err != nil {
		t.Fatal(err)
	}
	keys, _ := filepath.Glob(filepath.Join(to, "*.key"))
	for _, key := range keys { // a copy is readable by others, and such a key is refused
		if err := os.Chmod(key, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return to
}

// Of two processes that close the same day of one PostgreSQL database at the same time, one
// closes it, once, and the other reports an error, or that the day is closed.
func TestTwoProcessesCloseADayOnce(t *testing.T) {
	t.Parallel()
	_, dsn := cluster(t)
	dir := t.TempDir()
	day := seedClose(t, dir, dsn)
	digest := closeOf(t, dir, day, "--db", dsn, "--preview")
	var both sync.WaitGroup
	var failed [2]error
	var said [2]bytes.Buffer
	for i := range failed {
		own := copyDir(t, dir) // each process has a separate folder with a copy of the key
		both.Go(func() {
			cmd := bifolia(t.Context(), own, "close", "--db", dsn, "--day", day, "--commit", digest)
			cmd.Stdout, cmd.Stderr = &said[i], &said[i]
			failed[i] = cmd.Run()
		})
	}
	both.Wait()
	loser := 0
	if failed[0] == nil && !strings.Contains(said[0].String(), "is already closed") {
		loser = 1
	}
	why := said[loser].String()
	late := failed[loser] == nil && strings.Contains(why, "is already closed with digest "+digest)
	if failed[1-loser] != nil || !late && !strings.Contains(why, "Another Bifolia process writes") {
		t.Fatalf("%v and %v: %q and %q", failed[0], failed[1], said[0].String(), said[1].String())
	}
	db := testkit.Raw(t, dsn)
	defer func() { _ = db.Close() }()
	for query, want := range map[string]int64{
		"SELECT COUNT(*) FROM close_day WHERE digest = '" + digest + "'":                                           1,
		"SELECT COUNT(*) FROM command WHERE actor = 'closing' AND command_key = 'close " + day + "'":               1,
		"SELECT COUNT(*) FROM (SELECT reference FROM transfer WHERE kind = 'profit' AND reference = 'pnl') AS one": 1,
	} {
		var n int64
		if err := db.QueryRow(query).Scan(&n); err != nil || n != want {
			t.Errorf("%s: %d, %v", query, n, err)
		}
	}
	verify(t, dsn, dir)
}

// seedClose makes an installation in dir whose members bought a fortnight ago,
// with all days closed but the one on which those sales become final.
func seedClose(t *testing.T, dir, dsn string) string {
	t.Helper()
	began := time.Now().UTC().Truncate(24 * time.Hour).Add(-16*24*time.Hour + 9*time.Hour)
	signer, err := ledger.CreateSigner(config.Beside(dsn, dir) + ".key")
	if err != nil {
		t.Fatal(err)
	}
	db, err := store.Open(t.Context(), dsn)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	if _, err := db.Migrate(t.Context()); err != nil {
		t.Fatal(err)
	}
	now := clock.NewFake(began)
	l := testkit.StartLedgerWith(t, db, signer, now)
	defer l.Close()
	if _, err := l.Do(t.Context(), ledger.KindCommand(ledger.Real)); err != nil {
		t.Fatal(err)
	}
	w := &seeder{tree: tree.NewService(db.Tree(), testkit.Log()), members: member.New(member.Options{Store: db.Member()})}
	w.closing = closing.New(closing.Options{
		Do: l, Store: db.Closing(), Sales: db.Sale(), Positions: db.Invest(), Tree: w.tree, Members: w.members, Clock: now, Log: testkit.Log(),
	})
	w.market = market.New(market.Options{Closing: w.closing, Sales: db.Sale(), Positions: db.Invest(), Tree: w.tree, Members: w.members})
	if _, err := l.Do(t.Context(), ledger.Command{Actor: "seed", Run: w.seed}); err != nil {
		t.Fatal(err)
	}
	day := plan.Default().Day(began)
	for last := day + 14; day < last; day++ {
		now.Advance(24 * time.Hour)
		if _, err := w.closing.Commit(t.Context(), day, ""); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := l.Do(t.Context(), ledger.Command{Actor: "seed", Run: func(ctx context.Context, tx *ledger.Tx) ([]byte, error) {
		e := closing.Event{ID: "pnl", At: tx.Now(), Recorded: tx.Now()}
		return nil, w.closing.Book(ctx, tx, e, closing.Booking{Kind: "pnl", Line: "FOREX", Amount: money.MustParse("1234.567891"), Reference: "statement"})
	}}); err != nil {
		t.Fatal(err)
	}
	return day.String()
}

type seeder struct {
	tree    *tree.Service
	members *member.Service
	closing *closing.Service
	market  *market.Service
}

// seed lets everybody join, buy a package and invest.
func (w *seeder) seed(ctx context.Context, tx *ledger.Tx) ([]byte, error) {
	if err := w.closing.Begin(ctx, tx, plan.DefaultBody(), tx.Now()); err != nil {
		return nil, err
	}
	for i := range int64(buyers) {
		if err := w.join(ctx, tx, i); err != nil {
			return nil, err
		}
	}
	return nil, nil
}

func (w *seeder) join(ctx context.Context, tx *ledger.Tx, i int64) error {
	uid := 100_001 + i
	id := func(tree.No) int64 { return uid }
	var p tree.Place
	var err error
	if i == 0 {
		p, err = w.tree.PlaceRoot(ctx, tx, id)
	} else {
		p, err = w.tree.Place(ctx, tx, 100_001+(i-1)/3, []tree.Side{tree.Left, tree.Right}[i%2], id)
	}
	if err != nil {
		return err
	}
	if err := w.members.Add(ctx, tx, member.Member{UID: uid, Name: fmt.Sprintf("Member %d", uid), Email: fmt.Sprintf("%d@example.org", uid), JoinedAt: p.Joined}); err != nil {
		return err
	}
	sold, position := closing.Event{ID: fmt.Sprintf("s%d", i), At: tx.Now(), Recorded: tx.Now()}, closing.Event{ID: fmt.Sprintf("p%d", i), At: tx.Now(), Recorded: tx.Now()}
	if err := fund.Deposit(tx, uid, fund.Robot, money.MustParse("1000"), "d"+sold.ID); err != nil {
		return err
	}
	if err := fund.Deposit(tx, uid, fund.Kind("FOREXFUNDS"), money.MustParse("500"), "d"+position.ID); err != nil {
		return err
	}
	if err := w.market.Buy(ctx, tx, market.Purchase{Event: sold, UID: uid, Payer: uid, Package: 5, Topup: sale.Activation}); err != nil {
		return err
	}
	if err := w.market.Invest(ctx, tx, market.Purchase{Event: position, UID: uid, Payer: uid, Package: 11, Line: "FOREX", Amount: money.MustParse("500")}); err != nil {
		return err
	}
	if err := w.closing.Note(ctx, tx, sold, ""); err != nil {
		return err
	}
	return w.closing.Note(ctx, tx, position, "")
}
