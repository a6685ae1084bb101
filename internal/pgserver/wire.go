package pgserver

import (
	"bufio"
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"time"
)

// This file is the smallest useful client of PostgreSQL's protocol 3: log in
// where no password is asked for, send one simple query, read the rows as
// text. A driver would do it too, but then the package that tests drivers
// would depend on one, and programs like psql do not come with every build.

// Error is what the server answered.
type Error struct {
	Severity string
	Code     string // SQLSTATE
	Message  string
}

func (e *Error) Error() string {
	return fmt.Sprintf("%s: %s (SQLSTATE %s)", e.Severity, e.Message, e.Code)
}

const (
	protocol3   = 3 << 16
	maxMessage  = 64 << 20 // a longer one means that this is no PostgreSQL
	authOK      = 0
	kindAuth    = 'R'
	kindError   = 'E'
	kindRow     = 'D'
	kindReady   = 'Z'
	kindCopyIn  = 'G'
	kindCopyOut = 'H'
)

type conn struct {
	net  net.Conn
	r    *bufio.Reader
	free func() bool // stops watching the context
}

// dial logs in. The context bounds the whole life of the connection.
func dial(ctx context.Context, addr, user, db string) (*conn, error) {
	nc, err := new(net.Dialer).DialContext(ctx, "tcp4", addr)
	if err != nil {
		return nil, err
	}
	c := newConn(ctx, nc)
	if err := c.login(user, db); err != nil {
		c.close()
		return nil, err
	}
	return c, nil
}

func newConn(ctx context.Context, nc net.Conn) *conn {
	c := &conn{net: nc, r: bufio.NewReader(nc)}
	// A deadline in the past wakes up whoever reads or writes.
	c.free = context.AfterFunc(ctx, func() { _ = nc.SetDeadline(time.Unix(1, 0)) })
	return c
}

func (c *conn) close() {
	c.free()
	_, _ = c.net.Write([]byte{'X', 0, 0, 0, 4}) // Terminate: a courtesy
	_ = c.net.Close()
}

func (c *conn) login(user, db string) error {
	var body []byte
	body = binary.BigEndian.AppendUint32(body, protocol3)
	for _, s := range []string{"user", user, "database", db} {
		body = append(append(body, s...), 0)
	}
	body = append(body, 0)
	// The first message alone has no kind: the server cannot mistake it.
	msg := binary.BigEndian.AppendUint32(nil, uint32(len(body)+4))
	if _, err := c.net.Write(append(msg, body...)); err != nil {
		return err
	}
	_, err := c.untilReady()
	return err
}

// query runs one or more statements and returns the rows of all of them.
func (c *conn) query(sql string) ([][]string, error) {
	if strings.ContainsRune(sql, 0) {
		return nil, errors.New("pgserver: a query cannot hold a zero byte")
	}
	msg := binary.BigEndian.AppendUint32([]byte{'Q'}, uint32(len(sql)+5))
	msg = append(append(msg, sql...), 0)
	if _, err := c.net.Write(msg); err != nil {
		return nil, err
	}
	return c.untilReady()
}

// untilReady reads what the server has to say until it waits for us again. An
// error it reports on the way is kept while the rest is read; when it hangs up
// after one, the error says more than the end of the stream.
func (c *conn) untilReady() ([][]string, error) {
	var rows [][]string
	var failed error
	for {
		kind, body, err := c.read()
		if err != nil {
			if failed != nil {
				return nil, failed
			}
			return nil, err
		}
		switch kind {
		case kindReady:
			return rows, failed
		case kindError:
			failed = parseError(body)
		case kindRow:
			row, err := parseRow(body)
			if err != nil {
				return nil, err
			}
			rows = append(rows, row)
		case kindAuth:
			if len(body) < 4 || binary.BigEndian.Uint32(body) != authOK {
				return nil, errors.New("pgserver: the server asks for a password")
			}
		case kindCopyIn, kindCopyOut:
			return nil, errors.New("pgserver: COPY to or from the client is not supported")
		}
	}
}

func (c *conn) read() (kind byte, body []byte, err error) {
	var head [5]byte
	if _, err := io.ReadFull(c.r, head[:]); err != nil {
		return 0, nil, err
	}
	n := binary.BigEndian.Uint32(head[1:])
	if n < 4 || n > maxMessage {
		return 0, nil, fmt.Errorf("pgserver: message of %d bytes: not PostgreSQL", n)
	}
	body = make([]byte, n-4)
	if _, err := io.ReadFull(c.r, body); err != nil {
		return 0, nil, err
	}
	return head[0], body, nil
}

func parseError(body []byte) *Error {
	e := &Error{}
	for field := range bytes.SplitSeq(body, []byte{0}) {
		if len(field) == 0 {
			continue
		}
		switch value := string(field[1:]); field[0] {
		case 'S':
			e.Severity = value
		case 'C':
			e.Code = value
		case 'M':
			e.Message = value
		}
	}
	return e
}

var errShortRow = errors.New("pgserver: the server sent a row that ends too early")

func parseRow(body []byte) ([]string, error) {
	if len(body) < 2 {
		return nil, errShortRow
	}
	row := make([]string, binary.BigEndian.Uint16(body))
	body = body[2:]
	for i := range row {
		if len(body) < 4 {
			return nil, errShortRow
		}
		n := int32(binary.BigEndian.Uint32(body))
		body = body[4:]
		if n < 0 { // NULL
			continue
		}
		if int(n) > len(body) {
			return nil, errShortRow
		}
		row[i], body = string(body[:n]), body[n:]
	}
	return row, nil
}

func quoteIdent(name string) string {
	return `"` + strings.ReplaceAll(name, `"`, `""`) + `"`
}
