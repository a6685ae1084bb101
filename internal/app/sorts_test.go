package app

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/bifolia/bifolia/internal/core/tree"
	"github.com/bifolia/bifolia/internal/people/auth"
	"github.com/bifolia/bifolia/internal/platform/money"
	"github.com/bifolia/bifolia/internal/tools/testkit"
)

// sorted is a list, and the columns by which it can be sorted.
type sorted struct {
	call    string
	body    m
	columns []string
}

func TestMemberListsAreSortedAcrossPages(t *testing.T) {
	t.Parallel()
	testkit.Engines(t, func(t *testing.T, dsn string) {
		s := openSite(t, dsn)
		me, pin := s.anna()
		s.moves(me, pin)
		mine := func(more ...any) m {
			body := m{"uid": id(me.uid)}
			for i := 0; i < len(more); i += 2 {
				body[more[i].(string)] = more[i+1]
			}
			return body
		}
		for _, l := range []sorted{
			{"FundRequestHistory", mine("action", 2), []string{"requestedDate", "approveDate", "amount", "st", "utrno"}},
			{"FundTransferToUserHistory", mine("action", 3), []string{"transferDate", "amount"}},
			{"FundTransferToUserHistory", mine("action", 4), []string{"receivdDate", "Amount"}},
			{"ActivationHistory", mine("type", "10"), []string{"dd", "Amount"}},
			{"ActivationHistory", mine("type", "11"), []string{"dd"}},
			{"GetDashRecentData", mine("type", 1), []string{"Edate", "uid"}},
			{"GetDashRecentData", mine("type", 2), []string{"Edate", "uid", "amount"}},
		} {
			for _, column := range l.columns {
				s.sorts(me, l, column)
			}
			for _, wrong := range []string{"nonsense", "-remark", "-"} {
				l.body["sort"] = wrong
				me.post(l.call, l.body).names("sort")
			}
		}
	})
}

// moves creates deposits, transfers and purchases, several of them alike.
func (s *site) moves(me client, pin string) {
	t := s.t
	t.Helper()
	operator := s.hire(auth.RoleFinance)
	for i, amount := range []string{"300", "100", "200", "100", "100"} {
		body := m{"uid": id(me.uid), "bankid": 1, "amount": amount, "utrno": fmt.Sprintf("HDFC0000%d", 9-i*3%5), "Fundtype": "FOREXFUNDS"}
		if got := me.post("FundRequest", body).word(); got != "success" {
			t.Fatal(got)
		}
		waiting := operator.get("operator/fundRequests?state=Pending").rows()[0].(m)["id"]
		switch i {
		case 3:
			operator.post("operator/fundRequests/reject", m{"id": waiting, "remark": "not found"}).into(&m{})
		case 4: // waits
		default:
			operator.post("operator/fundRequests/approve", m{"id": waiting}).into(&m{})
		}
		s.clock.Advance(time.Duration(i%2) * time.Minute) // some at the same time
	}
	below := []int64{s.register(me.uid, tree.Left, "Berta Beta"), s.register(me.uid, tree.Right, "Carl Gamma")}
	for _, amount := range []string{"20", "10", "20", "10"} {
		if got := me.post("FundTransferToUser", m{"user_id": id(below[0]), "referby": id(me.uid), "amount": amount, "ctrans_password": pin, "wallettype": "FOREXFUNDS"}).told(); got != "success" {
			t.Fatal(got)
		}
	}
	for i, who := range []int64{me.uid, me.uid, me.uid, below[0], below[1]} {
		topup, call := "Activation", "ActivationByFund_investment"
		if i == 1 || i == 2 {
			topup, call = "Upgrade", "UpgradeByFund_investment"
		}
		amount := []string{"110", "100", "110", "100", "100"}[i]
		if got := me.post(call, m{"referby": id(me.uid), "user_id": id(who), "package": 11, "amount": amount, "ctrans_password": pin, "type": "FOREXFUNDS", "topuptype": topup}).told(); !strings.HasPrefix(got, "Successfully") {
			t.Fatal(got)
		}
	}
}

// sorts fails unless a list is sorted by a column both ways, each the reverse of the
// other, and its pages together are complete.
func (s *site) sorts(me client, l sorted, column string) {
	t := s.t
	t.Helper()
	read := func(sort string, page, size int) (rows []m) {
		l.body["sort"], l.body["page"], l.body["size"] = sort, page, size
		for _, r := range me.post(l.call, l.body).rows() {
			row := r.(m)
			delete(row, "row")
			rows = append(rows, row)
		}
		return rows
	}
	up, down := read(column, 1, 100), read("-"+column, 1, 100)
	if len(up) < 2 {
		t.Fatalf("%s %v has %d rows", l.call, l.body, len(up))
	}
	if !slices.IsSortedFunc(up, func(a, b m) int { return compared(t, column, a, b) }) {
		t.Errorf("%s by %s: %v", l.call, column, up)
	}
	slices.Reverse(down)
	if fmt.Sprint(up) != fmt.Sprint(down) {
		t.Errorf("%s by %s is not by -%s turned round:\n%v\n%v", l.call, column, column, up, down)
	}
	var paged []m
	for page := 1; len(paged) < len(up); page++ {
		some := read(column, page, 2)
		if len(some) == 0 {
			break
		}
		paged = append(paged, some...)
	}
	if fmt.Sprint(up) != fmt.Sprint(paged) {
		t.Errorf("%s by %s in pages:\n%v\n%v", l.call, column, up, paged)
	}
}

// compared compares a column of two rows: amounts as such, all else as text.
func compared(t *testing.T, column string, a, b m) int {
	t.Helper()
	x, y := fmt.Sprint(a[column]), fmt.Sprint(b[column])
	if strings.EqualFold(column, "amount") {
		one, two := money.MustParse(x), money.MustParse(y)
		return one.Cmp(two)
	}
	return strings.Compare(x, y)
}
