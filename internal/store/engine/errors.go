package engine

import (
	"database/sql"
	"database/sql/driver"
	"errors"
	"io"
	"net"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"
	sqlite3 "modernc.org/sqlite/lib"

	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/platform/errs"
)

var errBadConn = driver.ErrBadConn

// Classify gives an engine's error the meaning that the ledger acts on.
func Classify(err error) error {
	if err == nil {
		return nil
	}
	code, pg := sqliteCode(err), pgCode(err)
	switch {
	case sqliteUnique(code), pg == "23505":
		return &ledger.ConstraintError{Unique: true, Err: err}
	case code&0xff == sqlite3.SQLITE_CONSTRAINT, strings.HasPrefix(pg, "23"):
		return &ledger.ConstraintError{Err: err}
	case code&0xff == sqlite3.SQLITE_FULL, pg == "53100":
		return errs.Wrap(errs.Unavailable, err, "database.disk_full", "The database's disk is full: nothing was written. Writing resumes by itself when there is space.")
	case code&0xff == sqlite3.SQLITE_IOERR:
		return errs.Wrap(errs.Unavailable, err, "database.disk_broken", "The database's disk does not work: nothing was written.")
	case code&0xff == sqlite3.SQLITE_READONLY, pg == "25006":
		return errs.Wrap(errs.Unavailable, err, "database.read_only", "The database can only be read: nothing was written.")
	}
	return err
}

// isConnectionError reports whether the connection itself failed, so that the
// server's view of the transaction is not known from here.
func isConnectionError(err error) bool {
	var netErr net.Error
	var connErr *pgconn.ConnectError
	switch {
	case errors.Is(err, driver.ErrBadConn), errors.Is(err, sql.ErrConnDone), errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF),
		errors.Is(err, net.ErrClosed), errors.As(err, &netErr), errors.As(err, &connErr):
		return true
	}
	pg := pgCode(err)
	if strings.HasPrefix(pg, "57P") || strings.HasPrefix(pg, "08") {
		return true
	}
	// pgx reports the use of a broken connection with separate errors.
	return err != nil && pg == "" && sqliteCode(err) == 0 &&
		(strings.Contains(err.Error(), "conn closed") || strings.Contains(err.Error(), "unexpected EOF") || strings.Contains(err.Error(), "connection reset") || strings.Contains(err.Error(), "broken pipe"))
}

// oneLine is a driver's whole message, which may have several lines: the last ones have
// the reason. A line that appears twice, with encryption and without, is kept once.
func oneLine(err error) string {
	var lines []string
	for line := range strings.Lines(err.Error()) {
		if line = strings.Join(strings.Fields(line), " "); !slices.Contains(lines, line) {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, " ")
}
