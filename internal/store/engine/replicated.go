package engine

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/stdlib"
)

// A commit on PostgreSQL waits for a synchronous standby, but the wait can be
// ended from outside (pg_cancel_backend, a shutdown): the server then answers as
// if all were well, after a notice that only it has the commit. Such an answer
// must not count as durable.

// errAlone is a commit that no standby has confirmed.
var errAlone = errors.New("the wait for the synchronous standby was cancelled: the commit may be on this server alone")

const aloneMark = "bifolia.unreplicated"

// noteAlone remembers the notice on its connection. The name of the server's
// function is the same in every language; the text is not.
func noteAlone(conn *pgconn.PgConn, n *pgconn.Notice) {
	if n.Routine == "SyncRepWaitForLSN" {
		conn.CustomData()[aloneMark] = true
	}
}

// unreplicated tells once whether a commit on this connection was not replicated.
func unreplicated(conn *pgconn.PgConn) bool {
	_, alone := conn.CustomData()[aloneMark]
	delete(conn.CustomData(), aloneMark)
	return alone
}

// replicated runs one statement that commits by itself. nil means that its commit
// is wherever commits have to be.
func (db *DB) replicated(ctx context.Context, run func(q queryer) error) (err error) {
	if db.engine != Postgres {
		return run(db.Write)
	}
	conn, err := db.Write.Conn(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, conn.Close()) }()
	if err := run(conn); err != nil {
		return err
	}
	return conn.Raw(func(driver any) error {
		if unreplicated(driver.(*stdlib.Conn).Conn().PgConn()) {
			return errAlone
		}
		return nil
	})
}
