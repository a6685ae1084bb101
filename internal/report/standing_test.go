package report_test

import (
	"testing"

	"github.com/bifolia/bifolia/internal/report"
	"github.com/bifolia/bifolia/internal/tree"
)

// Who has bought nothing is read in a shorter way, and stands as in the longer one,
// which who is asked for as active is read in.
func everybodyStandsAsRead(t *testing.T, w *world) {
	shorter := 0
	for no := tree.No(1); ; no++ {
		n, found := w.tree.Get(no)
		if !found {
			break
		}
		asked := report.Asked{No: no, Business: n.Business[tree.Robot], Active: n.Active}
		longer := asked
		longer.Active = true
		if asked.Business.IsZero() && !asked.Active {
			shorter++
		}
		got, err := w.Standings(t.Context(), []report.Asked{asked})
		if err != nil {
			t.Fatal(err)
		}
		want, err := w.Standings(t.Context(), []report.Asked{longer})
		if err != nil {
			t.Fatal(err)
		}
		if got[no] != want[no] {
			t.Errorf("member %d stands as %+v, and read the longer way as %+v", n.UID, got[no], want[no])
		}
	}
	if shorter == 0 {
		t.Error("everybody has bought something")
	}
}
