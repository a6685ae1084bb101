package testkit

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/platform/money"
)

// Stores is a fresh database with a running ledger, for conformance tests of stores.
type Stores struct {
	*Ledger
	T   *testing.T
	DSN string
}

// OnStores runs a conformance test on both engines.
func OnStores(t *testing.T, test func(t *testing.T, s *Stores)) {
	t.Helper()
	t.Parallel()
	Engines(t, func(t *testing.T, dsn string) { test(t, &Stores{StartLedger(t, dsn), t, dsn}) })
}

// Conformance is OnStores for tests that need nothing of their own *testing.T.
func Conformance(t *testing.T, test func(s *Stores)) {
	t.Helper()
	OnStores(t, func(_ *testing.T, s *Stores) { test(s) })
}

// Try runs a command and returns its error.
func (s *Stores) Try(run func(ctx context.Context, tx *ledger.Tx) error) error {
	_, err := s.Do(s.T.Context(), ledger.Command{Actor: "test", Run: func(ctx context.Context, tx *ledger.Tx) ([]byte, error) {
		return nil, run(ctx, tx)
	}})
	return err
}

// Write runs a command that must succeed.
func (s *Stores) Write(run func(ctx context.Context, tx *ledger.Tx) error) {
	s.T.Helper()
	if err := s.Try(run); err != nil {
		s.T.Fatal(err)
	}
}

// Refused runs a command that must fail.
func (s *Stores) Refused(run func(ctx context.Context, tx *ledger.Tx) error) {
	s.T.Helper()
	if err := s.Try(run); err == nil {
		s.T.Error("the command succeeds")
	}
}

// NotUnique runs a command that must fail because a row is there already.
func (s *Stores) NotUnique(run func(ctx context.Context, tx *ledger.Tx) error) {
	s.T.Helper()
	var broken *ledger.ConstraintError
	if err := s.Try(run); !errors.As(err, &broken) || !broken.Unique {
		s.T.Errorf("the error is %v, not of a row that is there already", err)
	}
}

// Tamper changes rows as somebody with the database could, without a command.
func (s *Stores) Tamper(query string, args ...any) {
	s.T.Helper()
	if _, err := Raw(s.T, s.DSN).ExecContext(s.T.Context(), query, args...); err != nil {
		s.T.Fatal(err)
	}
}

// In runs checks within a command.
func (s *Stores) In(check func(ctx context.Context, tx *ledger.Tx)) {
	s.T.Helper()
	s.Write(func(ctx context.Context, tx *ledger.Tx) error {
		check(ctx, tx)
		return nil
	})
}

// InAndOut runs checks outside of commands, with a nil tx, and then within one.
func (s *Stores) InAndOut(check func(ctx context.Context, tx *ledger.Tx)) {
	s.T.Helper()
	check(s.T.Context(), nil)
	s.In(check)
}

// Is compares what a method returns with what is wanted: s.Is(row, true)(store.Get(…)).
// The method's error must be nil. A wanted number may be of another type, and nil is any
// empty list.
func (s *Stores) Is(want ...any) func(got ...any) {
	return func(got ...any) {
		s.T.Helper()
		if n := len(got); n == len(want)+1 {
			if err, failed := got[n-1].(error); failed {
				s.T.Errorf("error: %v", err)
				return
			}
			got = got[:n-1]
		}
		if len(got) != len(want) {
			s.T.Errorf("%d values are returned, and %d wanted", len(got), len(want))
			return
		}
		for i := range want {
			if !same(got[i], want[i]) {
				s.T.Errorf("value %d is\n%s, not\n%s", i+1, short(got[i]), short(want[i]))
			}
		}
	}
}

func same(got, want any) bool {
	g, w := reflect.ValueOf(got), reflect.ValueOf(want)
	if want == nil || (w.Kind() == reflect.Slice && w.Len() == 0) {
		return got == nil || (g.Kind() == reflect.Slice && g.Len() == 0)
	}
	if w.CanInt() && (g.CanInt() || g.CanUint()) {
		got = g.Convert(w.Type()).Interface()
	}
	return reflect.DeepEqual(got, want)
}

func short(v any) string {
	text := fmt.Sprintf("%+v", v)
	return text[:min(len(text), 2000)]
}

// Pages reads a list page by page, across each end, and compares it with all that it
// must give, in order.
func Pages[T any](s *Stores, name string, want []T, read func(offset, limit int64) ([]T, int64, error)) {
	s.T.Helper()
	all := int64(len(want))
	for _, limit := range []int64{3, all + 1} {
		for _, offset := range []int64{0, 1, all / 2, all - 2, all - 1, all, all + 2} {
			if offset < 0 {
				continue
			}
			got, total, err := read(offset, limit)
			page := want[min(offset, all):min(offset+limit, all)]
			if err != nil || total != all || len(got) != len(page) || (len(page) > 0 && !reflect.DeepEqual(got, page)) {
				s.T.Errorf("%s: %d rows from %d are\n%s of %d, %v; want\n%s of %d", name, limit, offset, short(got), total, err, short(page), all)
				return
			}
		}
	}
}

// Exec runs a statement within a command.
func (s *Stores) Exec(query string, args ...any) {
	s.T.Helper()
	s.Write(func(ctx context.Context, tx *ledger.Tx) error {
		_, err := tx.Rows().(Rows).Exec(ctx, query, args...)
		return err
	})
}

// Found is the value of a lookup that must find one.
func (s *Stores) Found(v any, found bool, err error) any {
	s.T.Helper()
	if err != nil || !found {
		s.T.Errorf("found: %v, %v", found, err)
	}
	return v
}

// Missing fails the test if a lookup finds something.
func (s *Stores) Missing(v any, found bool, err error) {
	s.T.Helper()
	if err != nil || found {
		s.T.Errorf("found: %v, %+v, %v", found, v, err)
	}
}

// Read is a value that must be read without an error.
func (s *Stores) Read(v any, err error) any {
	s.T.Helper()
	if err != nil {
		s.T.Error(err)
	}
	return v
}

// Same fails the test unless a value that was read is the one that is wanted. An empty
// list may be nil.
func (s *Stores) Same(what string, got, want any) {
	s.T.Helper()
	if at, same := difference("", reflect.ValueOf(got), reflect.ValueOf(want)); !same {
		s.T.Errorf("%s: %s", what, at)
	}
}

// Duplicate fails the test unless the error is that of a uniqueness rule.
func (s *Stores) Duplicate(what string, err error) {
	s.T.Helper()
	if broken := new(ledger.ConstraintError); !errors.As(err, &broken) || !broken.Unique {
		s.T.Errorf("%s: %v", what, err)
	}
}

// Tampered fails the test unless the error says that a row is not the one that the signed
// chain records. It unfreezes payments.
func (s *Stores) Tampered(what string, err error) {
	s.T.Helper()
	if wrong := new(ledger.TamperedError); !errors.As(err, &wrong) {
		s.T.Errorf("%s: %v", what, err)
	}
	if err := s.Unfreeze(s.T.Context()); err != nil {
		s.T.Error(err)
	}
}

// difference says where two values differ first.
func difference(path string, got, want reflect.Value) (at string, same bool) {
	if got.IsValid() && want.IsValid() && got.Type() == want.Type() {
		switch {
		case got.Kind() == reflect.Struct && len(reflect.VisibleFields(got.Type())) > 0 && !slices.ContainsFunc(reflect.VisibleFields(got.Type()), func(f reflect.StructField) bool { return !f.IsExported() && len(f.Index) == 1 }):
			for i := range got.NumField() {
				if at, same := difference(path+"."+got.Type().Field(i).Name, got.Field(i), want.Field(i)); !same {
					return at, false
				}
			}
			return "", true
		case got.Kind() == reflect.Slice && got.Type().Elem().Kind() != reflect.Uint8 && got.Len() == want.Len():
			for i := range got.Len() {
				if at, same := difference(fmt.Sprintf("%s[%d]", path, i), got.Index(i), want.Index(i)); !same {
					return at, false
				}
			}
			return "", true
		case got.Kind() == reflect.Slice && got.Len() == 0 && want.Len() == 0, reflect.DeepEqual(got.Interface(), want.Interface()):
			return "", true
		}
	}
	return fmt.Sprintf("%s is %+v, not %+v", path, got, want), false
}

// Full is a value of which each field differs from zero, from the other fields, and from
// the same field of a value with another seed: a column that a store forgets or swaps is
// not read back. Lists, other than of bytes, and pointers are left to the caller.
func Full[T any](seed int64, change ...func(*T)) (v T) {
	n := seed * 1000
	fill(reflect.ValueOf(&v).Elem(), "", &n, 0)
	for _, f := range change {
		f(&v)
	}
	return v
}

// FullWithLists is Full with two elements in each list.
func FullWithLists[T any](seed int64) (v T) {
	n := seed * 1000
	fill(reflect.ValueOf(&v).Elem(), "", &n, 2)
	return v
}

func fill(v reflect.Value, name string, n *int64, elements int) {
	if !v.CanSet() {
		return
	}
	*n++
	switch v.Interface().(type) {
	case time.Time:
		v.Set(reflect.ValueOf(Epoch.Add(time.Duration(*n) * time.Second)))
		return
	case money.Amount:
		v.Set(reflect.ValueOf(money.Micro(*n)))
		return
	case []byte:
		v.SetBytes(fmt.Appendf(nil, "%s %d", name, *n))
		return
	}
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			fill(v.Field(i), v.Type().Field(i).Name, n, elements)
		}
	case reflect.Array:
		for i := range v.Len() {
			fill(v.Index(i), name, n, elements)
		}
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), elements, elements))
		for i := range elements {
			fill(v.Index(i), name, n, elements)
		}
		if elements == 0 {
			v.SetZero()
		}
	case reflect.String:
		v.SetString(fmt.Sprintf("%s %d", name, *n))
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int64, reflect.Int, reflect.Int32:
		v.SetInt(*n)
	case reflect.Uint8, reflect.Uint32, reflect.Uint64:
		v.SetUint(uint64(*n%100) + 1)
	}
}
