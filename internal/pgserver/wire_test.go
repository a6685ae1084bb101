package pgserver

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"testing"
	"time"
)

func TestQuery(t *testing.T) {
	s, err := Default(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	rows := query(t, s, "postgres", "SELECT n, NULL, 'ü' || n FROM generate_series(1, 2) n; SELECT 'x'")
	if got := fmt.Sprintf("%q", rows); got != `[["1" "" "ü1"] ["2" "" "ü2"] ["x"]]` {
		t.Errorf("got %s", got)
	}
	if rows := query(t, s, "postgres", ""); len(rows) != 0 {
		t.Errorf("the empty query: %v", rows)
	}
	var refused *Error
	if _, err := s.Query(t.Context(), "postgres", "SELECT 1/0"); !errors.As(err, &refused) || refused.Code != "22012" || refused.Message != "division by zero" || refused.Severity != "ERROR" {
		t.Errorf("got %v", err)
	}
	if _, err := s.Query(t.Context(), "postgres", "COPY pg_class TO STDOUT"); err == nil {
		t.Error("COPY was not refused")
	}
	if _, err := s.Query(t.Context(), "postgres", "SELECT '\x00'"); err == nil {
		t.Error("the zero byte was not refused")
	}
}

func TestQueryEndsWithItsContext(t *testing.T) {
	s, err := Default(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	began := time.Now()
	if _, err := s.Query(ctx, "postgres", "SELECT pg_sleep(20)"); err == nil || time.Since(began) > 10*time.Second {
		t.Errorf("got %v after %s", err, time.Since(began))
	}
}

// TestStrangers shows what becomes of a server that is none, or a broken one.
func TestStrangers(t *testing.T) {
	message := func(kind byte, body ...byte) string {
		return string(append(binary.BigEndian.AppendUint32([]byte{kind}, uint32(len(body)+4)), body...))
	}
	for _, c := range []struct{ name, answer, want string }{
		{"hangs up", "", "EOF"},
		{"is a web server", "HTTP/1.1 400 Bad Request\r\n\r\n", "not PostgreSQL"},
		{"asks for a password", message('R', 0, 0, 0, 3), "password"},
		{"sends a length below itself", "Z\x00\x00\x00\x03", "not PostgreSQL"},
		{"stops in the middle", "Z\x00\x00\x00\x05", "EOF"},
		{"sends a row without fields", message('D', 0), "ends too early"},
		{"sends a row with a field missing", message('D', 0, 1), "ends too early"},
		{"sends a row with half a field", message('D', 0, 1, 0, 0, 0, 9, 'x'), "ends too early"},
		{"refuses and hangs up", message('E', []byte("SFATAL\x00C57P03\x00Mstarting up\x00\x00")...), "FATAL: starting up (SQLSTATE 57P03)"},
	} {
		t.Run(c.name, func(t *testing.T) {
			ours, theirs := net.Pipe()
			go func() {
				_, _ = theirs.Read(make([]byte, 1024))
				_, _ = io.WriteString(theirs, c.answer)
				_ = theirs.Close()
			}()
			conn := newConn(t.Context(), ours)
			defer conn.close()
			if err := conn.login("a", "b"); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want %s", err, c.want)
			}
		})
	}
}

// Whatever a server sends as a row or an error is read within its bytes.
func FuzzWhatAServerSends(f *testing.F) {
	f.Add([]byte("\x00\x02\x00\x00\x00\x01x\xff\xff\xff\xff"))
	f.Add([]byte("SFATAL\x00C53300\x00Mtoo many\x00\x00"))
	f.Add([]byte("\xff\xff\x7f\xff\xff\xff"))
	f.Fuzz(func(t *testing.T, body []byte) {
		row, err := parseRow(body)
		if err != nil && !errors.Is(err, errShortRow) {
			t.Fatal(err)
		}
		size := 0
		for _, cell := range row {
			size += len(cell)
		}
		if e := parseError(body); size > len(body) || len(e.Severity)+len(e.Code)+len(e.Message) > len(body) {
			t.Errorf("%q became %q and %+v", body, row, e)
		}
	})
}
