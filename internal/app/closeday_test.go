package app

import (
	"net/http"
	"testing"
	"time"

	"github.com/bifolia/bifolia/internal/core/tree"
	"github.com/bifolia/bifolia/internal/people/auth"
	"github.com/bifolia/bifolia/internal/tools/testkit"
)

type dayShown struct {
	Data struct {
		Day, Digest, Before string
		Rows                int64
		Compared            []struct{ Kind, Amount, Before, Difference string }
		Top                 []struct{ UID, Name, Paid string }
		Scaled, Capped      int64
		Warnings            []struct {
			Code  string
			Count int64
		}
		List []struct {
			UID, Of, Kind, Paid string
			Scaled              bool
		}
		Found int
	}
}

type replayShown struct {
	Data struct {
		Running     bool
		Day, Failed string
		Done, Total int64
		Result      *struct {
			Equal                 bool
			Digest, Again, Before string
			Rows, AgainRows       int64
			Differences           []struct{ What, ID, Field, Stored, Again string }
		}
	}
}

// replay starts a replay and waits for it.
func (c client) replay(day string) (got replayShown) {
	c.s.t.Helper()
	c.post("operator/close/replay/start", m{"day": day}).into(&got)
	testkit.WaitUntil(c.s.t, "the replay ends", func() bool {
		got = replayShown{}
		c.get("operator/close/replay").into(&got)
		return !got.Data.Running
	})
	return got
}

func TestPastCloseIsShownComparedAndReplayed(t *testing.T) {
	t.Parallel()
	smoke(t, func(t *testing.T, dsn string) {
		s := openSite(t, dsn)
		left, right := s.register(s.root.UID, tree.Left, "Lena Links"), s.register(s.root.UID, tree.Right, "Rolf Rechts")
		s.buy(s.root.UID, 5, "1000")
		s.clock.SetWall(time.Date(2026, 11, 16, 3, 0, 0, 0, time.UTC))
		s.buy(left, 5, "1000")
		s.buy(right, 5, "1000")
		s.invest(right, "500")
		s.clock.SetWall(time.Date(2026, 12, 2, 3, 0, 0, 0, time.UTC))
		if err := s.closeUntil("2026-12-01"); err != nil {
			t.Fatal(err)
		}
		reader := s.hire(auth.RoleReadOnly)
		var got dayShown
		reader.get("operator/close/day?day=2026-11-30&size=1").into(&got)
		d := got.Data
		if d.Before != "2026-11-29" || d.Rows < 2 || d.Found != int(d.Rows) || len(d.List) != 1 || len(d.Top) == 0 || d.Top[0].UID != id(s.root.UID) || d.Top[0].Name != "Root Member" {
			t.Errorf("the day both became final: %+v", d)
		}
		if n := len(d.Compared); n < 2 || d.Compared[n-1].Kind != "paid" || d.Compared[n-1].Difference != d.Compared[n-1].Amount {
			t.Errorf("compared with a day that paid nothing: %+v", d.Compared)
		}
		got = dayShown{}
		reader.get("operator/close/day?day=2026-12-01").into(&got)
		if d := got.Data; d.Rows != 0 || len(d.List) != 0 || len(d.Compared) == 0 || d.Compared[0].Difference[0] != '-' || len(d.Warnings) == 0 || d.Warnings[0].Code != "jump" {
			t.Errorf("the day after it: %+v", d)
		}
		reader.get("operator/close/day?day=2026-12-02").refused(http.StatusNotFound)
		reader.post("operator/close/replay/start", m{"day": "2026-12-02"}).refused(http.StatusNotFound)

		for _, day := range []string{"2026-11-15", "2026-11-30", "2026-12-01"} {
			if r := reader.replay(day); r.Data.Result == nil || !r.Data.Result.Equal || r.Data.Result.Digest != r.Data.Result.Again || r.Data.Day != day {
				t.Errorf("the replay of %s: %+v %+v", day, r.Data, r.Data.Result)
			}
		}
		raw := testkit.Raw(t, dsn)
		if _, err := raw.Exec("UPDATE income SET paid = paid + 1 WHERE row_no = 1"); err != nil {
			t.Fatal(err)
		}
		r := reader.replay("2026-11-30").Data.Result
		if r == nil || r.Equal || r.Digest != r.Again || len(r.Differences) != 1 || r.Differences[0].Field != "paid" {
			t.Errorf("the replay of a changed row: %+v", r)
		}
		s.memberLists(reader, right)
		var lines struct {
			Data []struct {
				Line, Principal, Loss, Reserve string
				Positions                      int64
			}
		}
		reader.get("operator/trading/lines").into(&lines)
		if len(lines.Data) != 2 || lines.Data[0].Line != "FOREX" || lines.Data[0].Positions != 1 || lines.Data[0].Principal != "500.000000" || lines.Data[1].Positions != 0 {
			t.Errorf("the lines: %+v", lines.Data)
		}
	})
}

// memberLists checks the lists of a member's purchases, incomes and requests.
func (s *site) memberLists(operator client, uid int64) {
	s.t.Helper()
	type rows struct {
		Data  [][]m
		Total int
	}
	for path, want := range map[string]int{
		"purchases?of=robot": 1, "purchases?of=forex": 1, "purchases?of=crypto": 0, "incomes?kind=Level": 0, "requests?kind=funds": 0,
		"requests?kind=received": 2, "requests?kind=sent": 0, "requests?kind=withdrawals": 0, "requests?kind=forexClaims": 0,
	} {
		var got rows
		operator.get("operator/member/" + path + "&uid=" + id(uid)).into(&got)
		if got.Total != want || len(got.Data) != 1 || len(got.Data[0]) != want {
			s.t.Errorf("%s of %d: %+v", path, uid, got)
		}
	}
	var got rows
	operator.get("operator/member/incomes?kind=Level&size=1&uid=" + id(s.root.UID)).into(&got)
	if got.Total < 2 || len(got.Data[0]) != 1 || got.Data[0][0]["paid"] == "" {
		s.t.Errorf("the root's level incomes: %+v", got)
	}
	operator.get("operator/member/purchases?uid=99").refused(http.StatusNotFound)
}
