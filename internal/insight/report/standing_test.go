package report_test

import (
	"testing"

	"github.com/bifolia/bifolia/internal/core/tree"
	"github.com/bifolia/bifolia/internal/insight/report"
	"github.com/bifolia/bifolia/internal/trade/closing"
	"github.com/bifolia/bifolia/internal/trade/sale"
)

// A window of the tree tells of everybody what the last close keeps of them, and
// the package of their last purchase that was not given back.
func everybodyStandsAsStored(t *testing.T, w *world) {
	owned := w.lastPurchases(t)
	var asked []report.Asked
	for no := tree.No(1); ; no++ {
		n, found := w.tree.Get(no)
		if !found {
			break
		}
		asked = append(asked, report.Asked{No: no, Business: n.Business[tree.Robot], Active: n.Active})
	}
	packages, ranks := 0, 0
	for len(asked) > 0 {
		window := asked[:min(len(asked), report.MaxStandings)]
		asked = asked[len(window):]
		got, err := w.Standings(t.Context(), window)
		if err != nil {
			t.Fatal(err)
		}
		for _, a := range window {
			carried, err := w.db.Report().Carried(t.Context(), int64(a.No))
			if err != nil {
				t.Fatal(err)
			}
			x, o := got[a], owned[int64(a.No)]
			if x.Left.Micros() != carried.Left || x.Right.Micros() != carried.Right || (x.Rank != "") != (carried.Rank > 0) {
				t.Errorf("member %d stands as %+v and carries %+v", a.No, x, carried)
			}
			if x.Package != o.last.Package || (x.PackageName != "") != (o.last.ID != "") || x.Cooling != (o.last.ID != "" && !o.final) {
				t.Errorf("member %d stands as %+v; its last purchase is %+v, one final: %v", a.No, x, o.last, o.final)
			}
			if x.PackageName != "" {
				packages++
			}
			if x.Rank != "" {
				ranks++
			}
		}
	}
	if packages == 0 || ranks == 0 {
		t.Errorf("%d packages, %d ranks: the example shows too little", packages, ranks)
	}
}

type purchases struct {
	last  sale.Sale
	final bool
}

// lastPurchases are by the buyer's join number.
func (w *world) lastPurchases(t *testing.T) map[int64]purchases {
	out := map[int64]purchases{}
	add := func(s sale.Sale, _ string) error {
		if s.State != sale.Cooling && s.State != sale.Final {
			return nil
		}
		o := out[s.No]
		if o.last.ID == "" || s.At.After(o.last.At) || (s.At.Equal(o.last.At) && s.ID > o.last.ID) {
			o.last = s
		}
		o.final = o.final || s.State == sale.Final
		out[s.No] = o
		return nil
	}
	if err := w.db.Books().Moment(t.Context(), func(m closing.Moment) error { return m.Sales(t.Context(), add) }); err != nil {
		t.Fatal(err)
	}
	return out
}
