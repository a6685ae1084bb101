package app

import (
	"context"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/bifolia/bifolia/internal/cash/fund"
	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/core/plan"
	"github.com/bifolia/bifolia/internal/core/tree"
	"github.com/bifolia/bifolia/internal/people/auth"
	"github.com/bifolia/bifolia/internal/platform/actor"
	"github.com/bifolia/bifolia/internal/platform/money"
	"github.com/bifolia/bifolia/internal/tools/testkit"
	"github.com/bifolia/bifolia/internal/trade/closing"
	"github.com/bifolia/bifolia/internal/trade/market"
	"github.com/bifolia/bifolia/internal/trade/sale"
)

// booksTables are what a close and operators write.
var booksTables = []string{"transfer", "entry", "account", "income", "carry", "activity", "tally", "booking", "day_event", "roi_batch", "claim", "close_day", "close_proposal", "operator_act", "command"}

// hire creates an operator and signs in.
func (s *site) hire(role auth.Role) client {
	s.t.Helper()
	access := s.services.Auth
	email := string(role) + id(int64(s.peers)) + "@bifolia.example"
	o, err := auth.ParseOperator(email, "Some "+string(role), string(role))
	if err != nil {
		s.t.Fatal(err)
	}
	hash, err := access.PrepareOperator(s.t.Context(), o, operatorPassword)
	if err != nil {
		s.t.Fatal(err)
	}
	s.command(func(ctx context.Context, tx *ledger.Tx) error {
		_, err := access.AddOperator(ctx, tx, o, hash)
		return err
	})
	return s.signIn(email)
}

// buy deposits for and buys a package for a member, as of now, and returns the sale.
func (s *site) buy(uid, pack int64, price string) string {
	s.t.Helper()
	sold := "s" + id(uid) + "x" + id(pack)
	s.command(func(ctx context.Context, tx *ledger.Tx) error {
		if err := fund.Deposit(tx, uid, fund.Robot, money.MustParse(price), "d"+sold); err != nil {
			return err
		}
		e := closing.Event{ID: sold, At: tx.Now(), Recorded: tx.Now()}.Is("buy", m{"uid": id(uid), "payer": id(uid), "package": pack, "topup": sale.Activation})
		if err := s.services.Market.Buy(ctx, tx, market.Purchase{Event: e, UID: uid, Payer: uid, Package: pack, Topup: sale.Activation}); err != nil {
			return err
		}
		return s.closing.Note(ctx, tx, e, "")
	})
	return sold
}

// invest opens a position for a member, as of now.
func (s *site) invest(uid int64, amount string) {
	s.t.Helper()
	s.command(func(ctx context.Context, tx *ledger.Tx) error {
		a := money.MustParse(amount)
		if err := fund.Deposit(tx, uid, fund.Kind("FOREXFUNDS"), a, "df"+id(uid)); err != nil {
			return err
		}
		e := closing.Event{ID: "p" + id(uid), At: tx.Now(), Recorded: tx.Now()}.Is("invest", m{"uid": id(uid), "payer": id(uid), "package": 11, "line": "FOREX", "amount": amount})
		if err := s.services.Market.Invest(ctx, tx, market.Purchase{Event: e, UID: uid, Payer: uid, Package: 11, Line: "FOREX", Amount: a}); err != nil {
			return err
		}
		return s.closing.Note(ctx, tx, e, "")
	})
}

// digest previews a day and returns the digest.
func (c client) digest(day string) string {
	c.s.t.Helper()
	var got struct{ Data struct{ Digest string } }
	c.post("operator/close/preview", m{"day": day}).into(&got)
	if len(got.Data.Digest) != 64 {
		c.s.t.Fatalf("the digest of %s is %q", day, got.Data.Digest)
	}
	return got.Data.Digest
}

// says fails unless the response is a problem of this status with these words.
func (a answer) says(status int, words string) {
	a.t.Helper()
	if a.refused(status); !strings.Contains(a.text, words) {
		a.t.Errorf("%s answered %s, want %q", a.call, a.text, words)
	}
}

// Epoch is 2026-11-15 03:00; the default plan has UTC and an hour of grace.
func TestCloseTakesTwoOperatorsAndOneDigest(t *testing.T) {
	t.Parallel()
	smoke(t, func(t *testing.T, dsn string) {
		s := openSite(t, dsn, "--demo", "false")
		s.buy(s.root.UID, 5, "1000")
		maker := s.hire(auth.RoleFinance)
		today := m{"day": "2026-11-15", "digest": maker.digest("2026-11-15")}
		maker.post("operator/close/propose", today).says(422, "is not over: it can be closed from 2026-11-16T01:00:00Z on")
		s.clock.SetWall(time.Date(2026, 11, 16, 0, 59, 0, 0, time.UTC))
		maker, checker := s.hire(auth.RoleFinance), s.operator() // sessions have ended
		maker.post("operator/close/propose", today).says(422, "is not over")
		s.clock.SetWall(time.Date(2026, 11, 16, 1, 0, 0, 0, time.UTC))

		before := s.counts(booksTables...)
		today["digest"] = maker.digest("2026-11-15")
		if again := checker.digest("2026-11-15"); again != today["digest"] {
			t.Errorf("the second preview has digest %s", again)
		}
		if after := s.counts(booksTables...); after != before {
			t.Errorf("a preview left something:\n%s\n%s", before, after)
		}
		checker.post("operator/close/commit", today).says(422, "No operator has proposed")
		wrong := m{"day": "2026-11-15", "digest": strings.Repeat("0", 64)}
		maker.post("operator/close/propose", wrong).says(422, "has changed")
		maker.post("operator/close/propose", m{"day": "2026-11-16", "digest": today["digest"]}).says(422, "The next day to close is 2026-11-15")
		var said struct{ Data struct{ Result string } }
		if maker.post("operator/close/propose", today).into(&said); said.Data.Result != "Proposed: another operator may commit it." {
			t.Errorf("the answer is %q", said.Data.Result)
		}
		maker.post("operator/close/commit", today).says(403, "Another operator must commit it")
		checker.post("operator/close/commit", wrong).says(422, "has changed")
		if now := s.counts("close_day", "income"); now != "close_day 0, income 0, " {
			t.Errorf("refused and still written: %s", now)
		}
		var done struct {
			Data struct {
				Digest string
				Events int
			}
		}
		checker.post("operator/close/commit", today).into(&done)
		if done.Data.Digest != today["digest"] || done.Data.Events != 1 {
			t.Errorf("committed %+v", done.Data)
		}
		var again struct {
			Data struct {
				Digest  string
				Already bool
			}
		}
		whole := s.counts(booksTables...)
		checker.post("operator/close/commit", today).into(&again)
		if again.Data.Digest != today["digest"] || !again.Data.Already || s.counts(booksTables...) != whole {
			t.Errorf("committed again: %+v", again.Data)
		}
		maker.post("operator/close/commit", wrong).says(422, "was already closed with digest")
		maker.post("operator/close/preview", m{"day": "2026-11-15"}).says(422, "2026-11-15 is closed, or is before")
		maker.post("operator/close/preview", m{"day": "2026-11-18"}).says(422, "The next day to close is 2026-11-16")

		var days struct {
			Data struct {
				Next struct{ Day, From string }
				Days []struct {
					Day, Digest, Alone string
					Approved           string `json:"approved_by"`
				}
			}
		}
		checker.get("operator/close/days").into(&days)
		if d := days.Data; len(d.Days) != 1 || d.Days[0].Day != "2026-11-15" || d.Days[0].Digest != today["digest"] || d.Days[0].Alone != "" || d.Days[0].Approved != operatorEmail || d.Next.Day != "2026-11-16" {
			t.Errorf("the days are %+v", d)
		}
		var live struct{ Data struct{ Running bool } }
		if maker.get("operator/close/progress").into(&live); live.Data.Running {
			t.Error("a close runs for ever")
		}
		var proposed, approved int64
		raw := testkit.Raw(t, dsn)
		if err := raw.QueryRow("SELECT proposed_by, approved_by FROM close_day").Scan(&proposed, &approved); err != nil || proposed == 0 || approved == 0 || proposed == approved {
			t.Errorf("the day was closed by %d and %d, %v", proposed, approved, err)
		}
		if _, err := raw.Exec("INSERT INTO close_proposal VALUES (1, 'd', 7, 'a', 1, 7, 'a', 1, '')"); err == nil {
			t.Error("the database takes a close by one operator")
		}
	})
}

func TestFutureDayIsNotPreviewed(t *testing.T) {
	t.Parallel()
	s := sqliteSite(t)
	operator := s.operator()
	digest := operator.digest("2026-11-15")
	var next struct {
		Data struct{ Next struct{ Over, Due bool } }
	}
	if operator.get("operator/close/days").into(&next); next.Data.Next.Over || !next.Data.Next.Due {
		t.Errorf("the console's state of today is %+v", next.Data.Next)
	}
	var said struct{ Data struct{ Result string } }
	if operator.post("operator/close/propose", m{"day": "2026-11-15", "digest": digest}).into(&said); said.Data.Result != "Proposed: you may commit it yourself." {
		t.Errorf("the answer is %q", said.Data.Result)
	}
	operator.post("operator/close/commit", m{"day": "2026-11-15", "digest": digest}).into(&m{}) // a demo closes today
	operator.post("operator/close/preview", m{"day": "2026-11-16"}).says(422, "has not begun")
	operator.post("operator/close/commit", m{"day": "2026-11-16", "digest": digest}).says(422, "has not begun")
	operator.post("operator/close/preview", m{"day": "16.11.2026"}).refused(400)
	var days struct {
		Data struct{ Days []struct{ Alone string } }
	}
	if operator.get("operator/close/days").into(&days); len(days.Data.Days) != 1 || days.Data.Days[0].Alone != "demo" {
		t.Errorf("the days are %+v", days.Data)
	}
}

func TestPreviewRowsArePaged(t *testing.T) {
	t.Parallel()
	s := sqliteSite(t, "--demo", "false")
	s.buy(s.root.UID, 5, "1000")
	s.buy(s.register(s.root.UID, tree.Left, "Anna Alpha"), 5, "1000")
	s.clock.SetWall(time.Date(2026, 11, 30, 3, 0, 0, 0, time.UTC))
	if err := s.closeUntil("2026-11-28"); err != nil {
		t.Fatal(err)
	}
	operator := s.operator()
	var got struct {
		Data struct {
			Rows   int
			Totals map[string]string
			Paid   string
			Pools  map[string]string
			Page   []m
		}
	}
	operator.post("operator/close/preview", m{"day": "2026-11-29"}).into(&got)
	if d := got.Data; d.Rows == 0 || d.Page != nil || d.Totals["Level"] == "" || len(d.Pools) != 5 {
		t.Errorf("the summary is %+v", d)
	}
	operator.post("operator/close/preview", m{"day": "2026-11-29", "page": 1, "size": 1}).into(&got)
	if len(got.Data.Page) != 1 || got.Data.Page[0]["t"] != "Level" {
		t.Errorf("the page is %+v", got.Data.Page)
	}
	operator.post("operator/close/preview", m{"day": "2026-11-29", "page": 9, "size": 100}).into(&m{})
}

// closeUntil closes all open days with one operator.
func (s *site) closeUntil(last string) error {
	end, err := plan.ParseDay(last)
	if err != nil {
		return err
	}
	for {
		n, err := s.closing.Next(s.t.Context())
		if err != nil || n.Day > end {
			return err
		}
		r, err := s.closing.Look(s.t.Context(), n.Day)
		if err != nil {
			return err
		}
		if _, err := s.closing.Approve(s.t.Context(), actor.CommandLine("test"), n.Day, r.Digest); err != nil {
			return err
		}
	}
}

func TestScheduleProposesOrClosesDaysInOrder(t *testing.T) {
	t.Parallel()
	testkit.Site(t, func(t *testing.T, dsn string) {
		s := openSite(t, dsn, "--demo", "false")
		s.buy(s.root.UID, 5, "1000")
		run := func(auto bool) {
			t.Helper()
			if err := s.closing.CatchUp(t.Context(), auto); err != nil {
				t.Fatal(err)
			}
		}
		run(true)
		if got := s.counts("close_day", "close_proposal"); got != "close_day 0, close_proposal 0, " {
			t.Errorf("a day that is not over: %s", got)
		}
		s.clock.SetWall(time.Date(2026, 11, 18, 2, 0, 0, 0, time.UTC)) // three days are over
		run(false)
		run(false)
		if got := s.counts("close_day", "close_proposal"); got != "close_day 0, close_proposal 1, " {
			t.Errorf("proposing left %s", got)
		}
		// The schedule is not an operator: its proposal still needs two.
		maker, checker := s.hire(auth.RoleFinance), s.operator()
		var days struct {
			Data struct {
				Next struct {
					Day, Digest string
					By          string `json:"proposed_by"`
					Scheduled   bool
				}
			}
		}
		maker.get("operator/close/days").into(&days)
		next := days.Data.Next
		if next.Day != "2026-11-15" || next.By != "schedule" || !next.Scheduled || next.Digest == "" {
			t.Fatalf("what waits is %+v", next)
		}
		body := m{"day": next.Day, "digest": next.Digest}
		checker.post("operator/close/commit", body).says(422, "No operator has proposed")
		maker.post("operator/close/propose", body).into(&m{})
		if maker.get("operator/close/days").into(&days); days.Data.Next.Scheduled {
			t.Error("what an operator has proposed is said to be the schedule's")
		}
		checker.post("operator/close/commit", body).into(&m{})
		run(true)
		var got string
		rows, err := testkit.Raw(t, dsn).Query("SELECT d.day, p.alone FROM close_day d JOIN close_proposal p ON p.day = d.day ORDER BY d.committed_at, d.day")
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = rows.Close() }()
		for rows.Next() {
			var day plan.Day
			var alone string
			if err := rows.Scan(&day, &alone); err != nil {
				t.Fatal(err)
			}
			got += day.String() + " " + alone + ", "
		}
		if want := "2026-11-15 , 2026-11-16 schedule, 2026-11-17 schedule, "; got != want || rows.Err() != nil {
			t.Errorf("closed are %s, want %s", got, want)
		}
		run(true)
	})
}

func TestConcurrentProcessesCloseADayOnce(t *testing.T) {
	t.Parallel()
	cfg := testConfig(t, "--db", testkit.Postgres(t), "--demo", "true")
	leader := startProcess(t, cfg)
	if _, err := leader.services.Enrol.Begin(t.Context(), first(t)); err != nil {
		t.Fatal(err)
	}
	standby := startProcess(t, cfg)
	if !standby.isStandby() {
		t.Fatal("the second process does not stand by")
	}
	_, out := leader.post("operator/login", "", m{"email": operatorEmail, "password": operatorPassword, "code": code(t, leader.clock.Now())})
	token, _ := out["token"].(string)
	next, err := leader.closing.Next(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	_, out = standby.post("operator/close/preview", token, m{"day": next.Day.String()})
	data, _ := out["data"].(m)
	body := m{"day": next.Day.String(), "digest": data["digest"]}
	if status, out := standby.get("operator/close/progress", token); status != http.StatusOK {
		t.Errorf("the standby's progress is %d: %v", status, out)
	}
	if status, out := standby.post("operator/prove", token, m{"proof": operatorPassword}); status != http.StatusOK {
		t.Fatalf("the proof at the standby is %d: %v", status, out)
	}
	var mu sync.Mutex
	var wg sync.WaitGroup
	closed, already := 0, 0
	for i := range 8 {
		wg.Go(func() {
			status, out := []*process{leader, standby}[i%2].post("operator/close/commit", token, body)
			data, _ := out["data"].(m)
			mu.Lock()
			defer mu.Unlock()
			switch {
			case status == http.StatusOK && data["already"] == false:
				closed++
			case status == http.StatusOK && data["already"] == true:
				already++
			default:
				t.Errorf("an answer is %d: %v", status, out)
			}
		})
	}
	wg.Wait()
	if closed != 1 || already != 7 {
		t.Errorf("%d closed the day, and %d were told that it is closed", closed, already)
	}
}

func TestRunningCloseShowsItsProgress(t *testing.T) {
	t.Parallel()
	s := sqliteSite(t)
	s.buy(s.root.UID, 5, "1000")
	operator := s.operator()
	var phases []string
	last := int64(-1)
	s.closing.Watch(func(p closing.Progress) {
		if len(phases) == 0 || phases[len(phases)-1] != p.Phase {
			phases = append(phases, p.Phase)
		}
		if p.Percent < last || p.Percent > 100 {
			t.Errorf("%s is at %d %% after %d %%", p.Phase, p.Percent, last)
		}
		last = p.Percent
		var live struct {
			Data struct {
				Running, Preview bool
				Day, Phase       string
			}
		}
		operator.get("operator/close/progress").into(&live)
		if d := live.Data; !d.Running || !d.Preview || d.Day != "2026-11-15" || d.Phase != p.Phase {
			t.Errorf("at %s the call says %+v", p.Phase, d)
		}
	})
	operator.digest("2026-11-15")
	if got := strings.Join(phases, " "); got != "load compute post persist report" {
		t.Errorf("the phases were %s", got)
	}
}
