package team

import (
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/bifolia/bifolia/internal/core/tree"
	"github.com/bifolia/bifolia/internal/platform/errs"
)

func TestAListBeginsWithTheNewestAndTheLastDayIsIncluded(t *testing.T) {
	t.Parallel()
	zone := time.FixedZone("IST", 19800)
	day := func(d int) time.Time { return time.Date(2026, 3, d, 0, 0, 0, 0, zone) }
	l, err := Query{From: day(1), To: day(1), Page: 3, Size: 20}.list(7)
	want := tree.List{Of: 7, Since: day(1), Until: day(2), Descending: true, Offset: 40, Limit: 20}
	if err != nil || l != want {
		t.Errorf("%+v, %v; want %+v", l, err, want)
	}
	for sort, want := range map[string]tree.List{
		"registrationDate": {Order: tree.ByJoined}, "-registrationDate": {Order: tree.ByJoined, Descending: true},
		"uid": {Order: tree.ByUID}, "-leveltype": {Order: tree.ByLevel, Descending: true}, "RobotInvet": {Order: tree.ByRobot},
		"-forexInvest": {Order: tree.ByForex, Descending: true}, "CryptoInvest": {Order: tree.ByCrypto},
	} {
		if l, err := (Query{Sort: sort, Page: 1, Size: 1}).list(7); err != nil || l.Order != want.Order || l.Descending != want.Descending {
			t.Errorf("%s: %+v, %v", sort, l, err)
		}
	}
}

func TestAQueryThatCannotBeAnsweredNamesEveryField(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 3, 2, 0, 0, 0, 0, time.UTC)
	for want, q := range map[string]Query{
		"tdate": {From: now, To: now.AddDate(0, 0, -1), Page: 1, Size: 1},
		"sort":  {Sort: "name", Page: 1, Size: 1},
		"page":  {Page: 0, Size: 1},
		"size":  {Page: 1, Size: MaxSize + 1},
	} {
		var e *errs.Error
		if _, err := q.list(1); !errors.As(err, &e) || len(e.Fields) != 1 || e.Fields[0].Name != want {
			t.Errorf("%s: %v", want, err)
		}
	}
	_, err := Query{From: now, To: now.AddDate(0, 0, -1), Sort: "-", Page: 1_000_001}.list(1)
	var e *errs.Error
	if !errors.As(err, &e) || e.Kind != errs.Invalid {
		t.Fatal(err)
	}
	var names []string
	for _, f := range e.Fields {
		names = append(names, f.Name)
	}
	if want := []string{"tdate", "sort", "page", "size"}; !slices.Equal(names, want) {
		t.Errorf("it names %v", names)
	}
}
