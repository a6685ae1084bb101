package engine

import (
	"database/sql"
	"time"
)

func ScanCount(rows *sql.Rows) (n int64, err error) {
	err = rows.Scan(&n)
	return n, err
}

func ScanText(r *sql.Rows) (s string, err error) {
	err = r.Scan(&s)
	return s, err
}

func ScanBytes(r *sql.Rows) (b []byte, err error) {
	err = r.Scan(&b)
	return b, err
}

// micros is how an instant is stored; 0 for never.
func Micros(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixMicro()
}

// instant is a stored instant; the zero time for never.
func Instant(micros int64) time.Time {
	if micros == 0 {
		return time.Time{}
	}
	return time.UnixMicro(micros).UTC()
}

// total is a count and a sum.
type Total struct{ Count, Sum int64 }

func ScanTotal(r *sql.Rows) (t Total, err error) {
	err = r.Scan(&t.Count, &t.Sum)
	return t, err
}
