package report_test

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"testing"

	"github.com/bifolia/bifolia/internal/insight/report"
)

func historiesListWhatWasBoughtForTheMemberAndBelowIt(t *testing.T, w *world) {
	for _, line := range []string{report.Robot, report.Forex, report.Crypto} {
		for _, uid := range uids() {
			top := w.tree.Find(uid)
			var own, below []string
			for _, r := range slices.Backward(w.Final.History) {
				of, _ := strconv.ParseInt(r["uid"].(string), 10, 64)
				funds := map[string]string{report.Robot: "FUNDS", report.Forex: "FOREXFUNDS", report.Crypto: "CRYPTOFUNDS"}
				if r["t"] != "ActivationHistory" || r["type"] != funds[line] {
					continue
				}
				text := fmt.Sprintln(r["uid"], r["referby"], r["Amount"], r["pp"], r["remark"], r["type"], r["dd"])
				if of == uid {
					own = append(own, text)
				} else if w.tree.Below(top, w.tree.Find(of)) {
					below = append(below, text)
				}
			}
			w.checkHistory(t, own, func(q report.Query) (report.Page[report.Purchase], error) { return w.History(t.Context(), q, line) }, uid)
			w.checkHistory(t, below, func(q report.Query) (report.Page[report.Purchase], error) { return w.Downline(t.Context(), q, line) }, uid)
			w.checkHistory(t, below, func(q report.Query) (report.Page[report.Purchase], error) {
				return w.LargeDownline(t.Context(), q, line)
			}, uid)
		}
	}
	page, err := w.Downline(t.Context(), all(100001), report.Robot)
	if err != nil || page.Total < 10 {
		t.Fatalf("%d purchases below the root, %v", page.Total, err)
	}
	day := page.Rows[0].Day
	for name, downline := range map[string]func(context.Context, report.Query, string) (report.Page[report.Purchase], error){"small": w.Downline, "large": w.LargeDownline} {
		since, err := downline(t.Context(), report.Query{UID: 100001, From: &day, Page: 1, Size: 500}, report.Robot)
		if err != nil || since.Total == 0 || since.Total >= page.Total || since.Rows[since.Total-1].Day != day {
			t.Errorf("%s, since %s: %+v, %v", name, day, since, err)
		}
		yesterday := day - 1
		until, err := downline(t.Context(), report.Query{UID: 100001, To: &yesterday, Page: 1, Size: 500}, report.Robot)
		if err != nil || until.Total+since.Total != page.Total {
			t.Errorf("%s, until %s: %+v, %v", name, yesterday, until, err)
		}
		if !slices.IsSortedFunc(until.Rows, func(a, b report.Purchase) int { return cmp.Or(cmp.Compare(b.Day, a.Day), b.At.Compare(a.At)) }) {
			t.Errorf("%s is not newest first: %+v", name, until.Rows)
		}
		var oldest []report.Purchase
		for number := 1; number <= (until.Total+2)/3; number++ {
			some, err := downline(t.Context(), report.Query{UID: 100001, To: &yesterday, Page: number, Size: 3, Sort: "dd"}, report.Robot)
			if err != nil || some.Total != until.Total {
				t.Fatalf("%s, oldest first: %+v, %v", name, some, err)
			}
			oldest = append(oldest, some.Rows...)
		}
		slices.Reverse(oldest)
		if !slices.EqualFunc(oldest, until.Rows, func(a, b report.Purchase) bool { return a.ID == b.ID }) {
			t.Errorf("%s: the oldest first are not the newest first turned round:\n%+v\n%+v", name, oldest, until.Rows)
		}
	}
	var chunks []string
	for before := (report.Key{Day: 1 << 40}); ; {
		some, err := w.db.Report().AllPurchases(t.Context(), report.Robot, 0, before, 3)
		if err != nil {
			t.Fatal(err)
		}
		if len(some) == 0 {
			break
		}
		for _, x := range some {
			chunks = append(chunks, x.ID)
			before = report.Key{Day: x.Day, At: x.At, ID: x.ID}
		}
	}
	if slices.Sort(chunks); len(chunks) != 16 || len(slices.Compact(chunks)) != 16 {
		t.Errorf("the chunks hold %v", chunks)
	}
	for _, x := range page.Rows {
		if x.Name != "Member "+strconv.FormatInt(x.UID, 10) || x.Refundable {
			t.Errorf("%+v", x)
		}
	}
}

// checkHistory reads a history by pages of two.
func (w *world) checkHistory(t *testing.T, want []string, read func(report.Query) (report.Page[report.Purchase], error), uid int64) {
	t.Helper()
	var got []string
	for page := 1; page <= len(want)/2+1; page++ {
		p, err := read(report.Query{UID: uid, Page: page, Size: 2})
		if err != nil || p.Total != len(want) {
			t.Fatalf("%d: %d in all, %v; want %d", uid, p.Total, err, len(want))
		}
		for _, x := range p.Rows {
			got = append(got, fmt.Sprintln(x.UID, x.Payer, x.Amount, x.PackageName, x.Topup, x.Fund, x.Day))
		}
	}
	slices.Sort(want) // the example has no ids, so those of one moment come in any order
	slices.Sort(got)
	if !slices.Equal(got, want) {
		t.Errorf("%d: %v, want %v", uid, got, want)
	}
}
