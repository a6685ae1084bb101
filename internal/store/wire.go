package store

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"strconv"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgproto3"
	"github.com/jackc/pgx/v5/pgtype"
)

// A group's statements in PostgreSQL's own protocol. They are known, prepared
// and take three types only; encoding them here rather than by pgx's general
// way (plans by reflection, a description asked for each, a timer per flush)
// saves a good part of what a small group costs in Go.

// statement is one part of a group.
type statement struct {
	sql  string
	args []any
}

// wire is a connection as groups use it.
type wire struct {
	names map[string]string // statement → its name on this connection
	out   []byte            // kept between groups
}

// prepare makes every statement known to the server.
func (w *wire) prepare(ctx context.Context, pg *pgconn.PgConn, all []statement) error {
	for _, st := range all {
		if w.names[st.sql] != "" {
			continue
		}
		name := "group_" + strconv.Itoa(len(w.names))
		if _, err := pg.Prepare(ctx, name, st.sql, nil); err != nil {
			return err
		}
		w.names[st.sql] = name
	}
	return nil
}

// queue adds statements to what will be sent. The statements up to the next
// sync are one transaction of the server's own making unless one is open.
func (w *wire) queue(all []statement) {
	for _, st := range all {
		w.bind(w.names[st.sql], st.args)
		w.out = append(w.out, 'E', 0, 0, 0, 9, 0, 0, 0, 0, 0) // execute it, all rows
	}
}

func (w *wire) sync() { w.out = append(w.out, 'S', 0, 0, 0, 4) }

// flush sends what was queued.
func (w *wire) flush(pg *pgconn.PgConn) error {
	_, err := pg.Conn().Write(w.out)
	if cap(w.out) > keptBuffer {
		w.out = nil
	}
	w.out = w.out[:0]
	if err != nil {
		return errors.Join(err, errBadConn) // how much of it arrived is not known
	}
	return nil
}

// keptBuffer bounds what one large group leaves behind.
const keptBuffer = 256 << 10

// answer reads until the server has answered the sync. Only nil means that it
// did everything that was asked of it.
func (w *wire) answer(ctx context.Context, pg *pgconn.PgConn) error {
	var refused error
	for {
		msg, err := pg.ReceiveMessage(ctx)
		if err != nil {
			return errors.Join(err, errBadConn)
		}
		switch msg := msg.(type) {
		case *pgproto3.ErrorResponse:
			if refused == nil {
				refused = pgconn.ErrorResponseToPgError(msg)
			}
		case *pgproto3.ReadyForQuery:
			if refused == nil && msg.TxStatus != 'I' {
				return fmt.Errorf("the transaction did not end (%c): %w", msg.TxStatus, errBadConn)
			}
			if refused == nil && unreplicated(pg) {
				return errors.Join(errAlone, errBadConn)
			}
			return refused
		}
	}
}

// bind gives a prepared statement its arguments, all of them binary.
func (w *wire) bind(name string, args []any) {
	w.out = append(w.out, 'B')
	at := w.open()
	w.out = append(w.out, 0) // the unnamed portal
	w.out = append(w.out, name...)
	w.out = append(w.out, 0, 0, 1, 0, 1) // one format for all arguments: binary
	w.out = binary.BigEndian.AppendUint16(w.out, uint16(len(args)))
	for _, a := range args {
		from := w.open()
		w.value(a)
		w.close(from, from+4)
	}
	w.out = append(w.out, 0, 0) // no row comes back
	w.close(at, at)
}

// open leaves room for a length; close fills it in, counted from start.
func (w *wire) open() int {
	w.out = append(w.out, 0, 0, 0, 0)
	return len(w.out) - 4
}

func (w *wire) close(at, start int) {
	binary.BigEndian.PutUint32(w.out[at:], uint32(len(w.out)-start))
}

func (w *wire) value(a any) {
	switch v := a.(type) {
	case int64:
		w.out = binary.BigEndian.AppendUint64(w.out, uint64(v))
	case string:
		w.out = append(w.out, v...)
	case []byte:
		w.out = append(w.out, v...)
	case []int64:
		array(w, pgtype.Int8OID, v)
	case []string:
		array(w, pgtype.TextOID, v)
	case [][]byte:
		array(w, pgtype.ByteaOID, v)
	default:
		panic(fmt.Sprintf("store: no way to write a %T", a))
	}
}

// array writes one dimension, counted from 1, without NULLs.
func array[T any](w *wire, element uint32, all []T) {
	for _, n := range [...]uint32{1, 0, element, uint32(len(all)), 1} {
		w.out = binary.BigEndian.AppendUint32(w.out, n)
	}
	for _, v := range all {
		at := w.open()
		w.value(v)
		w.close(at, at+4)
	}
}
