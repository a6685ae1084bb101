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

// Stores is a ledger on a fresh database, for tests that write through a store and read
// the rows back.
type Stores struct {
	*Ledger
	T   *testing.T
	DSN string
}

// Conformance runs a test of a store on both engines.
func Conformance(t *testing.T, test func(s *Stores)) {
	t.Helper()
	t.Parallel()
	Engines(t, func(t *testing.T, dsn string) { test(&Stores{StartLedger(t, dsn), t, dsn}) })
}

// Try runs a command and gives its error.
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

// Full is a value of which no field is zero and no two fields are equal, but for flags.
// Values of different seeds have no field in common.
func Full[V any](seed int64) V {
	var v V
	n := seed * 1000
	fill(reflect.ValueOf(&v).Elem(), &n)
	return v
}

func fill(v reflect.Value, n *int64) {
	*n++
	switch v.Interface().(type) {
	case time.Time:
		v.Set(reflect.ValueOf(Epoch.Add(time.Duration(*n) * time.Microsecond)))
		return
	case money.Amount:
		v.Set(reflect.ValueOf(money.Micro(*n)))
		return
	case []byte:
		v.SetBytes(fmt.Append(nil, "bytes ", *n))
		return
	}
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Field(i).CanSet() {
				fill(v.Field(i), n)
			}
		}
	case reflect.Array:
		for i := range v.Len() {
			fill(v.Index(i), n)
		}
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		for i := range 2 {
			fill(v.Index(i), n)
		}
	case reflect.String:
		v.SetString(fmt.Sprint("text ", *n))
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Uint8:
		v.SetUint(uint64(*n%255) + 1)
	case reflect.Uint32:
		v.SetUint(uint64(*n))
	case reflect.Int, reflect.Int64:
		v.SetInt(*n)
	default:
		panic("testkit: no value for a " + v.Type().String())
	}
}
