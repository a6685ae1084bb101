package backup

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"github.com/bifolia/bifolia/internal/platform/errs"
	"github.com/bifolia/bifolia/internal/platform/pgprograms"
)

// Postgres runs PostgreSQL's own programs on one database.
type Postgres struct {
	dir     string   // of the programs
	address string   // of the database, without its password
	environ []string // with the password, because other users can see command lines
	// Tool is the programs' major version.
	Tool int
}

// FindPostgres finds pg_dump and pg_restore for the database at dsn, whose server has a
// major version. Refused if there are none or they are older than the server, because
// they cannot dump it.
func FindPostgres(ctx context.Context, dsn, password string, environ []string, server int) (*Postgres, error) {
	dir, err := pgprograms.Find(lookupIn(environ), "pg_dump", "pg_restore")
	if err != nil {
		return nil, errs.New(errs.Refused, "backup.programs_missing", "Backups of PostgreSQL need its own programs: {reason}.", "reason", err)
	}
	p := &Postgres{dir: dir, environ: environ}
	if p.address, err = withoutPassword(dsn); err != nil {
		return nil, err
	}
	if password != "" {
		p.environ = append(append([]string{}, environ...), "PGPASSWORD="+password)
	}
	if p.Tool, err = p.version(ctx); err != nil {
		return nil, err
	}
	if p.Tool < server {
		return nil, errs.New(errs.Refused, "backup.pg_dump_version", "pg_dump in {folder} belongs to PostgreSQL {tool}, but the server is {server}. Install the programs of PostgreSQL {wanted}, or set POSTGRES_BIN to their folder.", "folder", dir, "tool", p.Tool, "server", server, "wanted", server)
	}
	return p, nil
}

// lookupIn reads variables from a list, as os.Getenv does: the last one counts.
func lookupIn(environ []string) func(string) string {
	return func(name string) (value string) {
		for _, e := range environ {
			if k, v, _ := strings.Cut(e, "="); k == name {
				value = v
			}
		}
		return value
	}
}

// libpq are the parameters of an address that PostgreSQL's programs know, without secrets;
// they reject an address with any other.
var libpq = map[string]bool{
	"host": true, "hostaddr": true, "port": true, "dbname": true, "user": true, "connect_timeout": true, "application_name": true, "options": true,
	"sslmode": true, "sslrootcert": true, "sslcert": true, "sslkey": true, "sslcrl": true, "sslnegotiation": true, "passfile": true,
	"target_session_attrs": true, "channel_binding": true, "gssencmode": true, "krbsrvname": true, "require_auth": true,
}

// withoutPassword returns an address without secrets, for a command line.
func withoutPassword(dsn string) (string, error) {
	u, err := url.Parse(dsn)
	if err != nil {
		return "", errs.New(errs.Invalid, "database.address_unreadable", "The database address cannot be read.")
	}
	if u.User != nil {
		u.User = url.User(u.User.Username())
	}
	query := u.Query()
	for key := range query {
		if !libpq[key] {
			query.Del(key)
		}
	}
	u.RawQuery = query.Encode()
	return u.String(), nil
}

var major = regexp.MustCompile(`\b(\d+)`)

func (p *Postgres) version(ctx context.Context) (int, error) {
	var out bytes.Buffer
	if err := p.run(ctx, nil, &out, "pg_dump", "--version"); err != nil {
		return 0, err
	}
	n, err := strconv.Atoi(major.FindString(out.String()))
	if err != nil {
		return 0, errs.New(errs.Refused, "backup.pg_dump_without_version", "{folder}/pg_dump does not report its version.", "folder", p.dir)
	}
	return n, nil
}

// run runs one of the programs. An error contains its last output.
func (p *Postgres) run(ctx context.Context, in io.Reader, out io.Writer, name string, args ...string) error {
	var said bytes.Buffer
	cmd := exec.CommandContext(ctx, filepath.Join(p.dir, name), args...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr, cmd.Env = in, out, &said, p.environ
	err := cmd.Run()
	switch lines := strings.Split(strings.TrimSpace(said.String()), "\n"); {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.As(err, new(*exec.ExitError)):
		return errs.New(errs.Unavailable, "backup.program_failed", "{program} failed: {output}", "program", name, "output", strings.Join(lines[max(0, len(lines)-2):], " "))
	}
	return errs.New(errs.Unavailable, "backup.program_not_run", "{program} could not be run: {reason}.", "program", filepath.Join(p.dir, name), "reason", err)
}

// Dump writes the exported snapshot to a new file and reads it back completely.
func (p *Postgres) Dump(ctx context.Context, snapshot, path string, progress Progress) error {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_RDWR, 0o600)
	if err != nil {
		return errs.New(errs.Unavailable, "backup.not_writable", "The backup cannot be written to {path}: {reason}.", "path", path, "reason", reason(err))
	}
	// The output goes through this process, so that pg_dump ends if the backup is
	// killed.
	err = p.run(ctx, nil, &meter{w: f, progress: progress}, "pg_dump",
		"--format=custom", "--no-owner", "--no-privileges", "--no-password", "--snapshot="+snapshot, "--dbname="+p.address)
	if err == nil {
		_, err = f.Seek(0, io.SeekStart)
	}
	if err == nil { // converts to SQL and discards it, which unpacks every row
		err = p.run(ctx, f, io.Discard, "pg_restore", "--file=-")
	}
	return errors.Join(err, f.Close())
}

// Restore restores a dump into the database in one transaction.
func (p *Postgres) Restore(ctx context.Context, dump io.Reader) error {
	from := &sticky{r: dump}
	err := p.run(ctx, from, io.Discard, "pg_restore",
		"--single-transaction", "--exit-on-error", "--no-owner", "--no-privileges", "--no-password", "--dbname="+p.address)
	if from.err != nil {
		return fmt.Errorf("the dump could not be read: %w", from.err)
	}
	return err
}

// sticky keeps the error of a reader, which pg_restore does not report.
type sticky struct {
	r   io.Reader
	err error
}

func (s *sticky) Read(p []byte) (int, error) {
	n, err := s.r.Read(p)
	if err != nil && !errors.Is(err, io.EOF) {
		s.err = err
	}
	return n, err
}

// meter reports the number of bytes written.
type meter struct {
	w        io.Writer
	done     int64
	progress Progress
}

func (m *meter) Write(p []byte) (int, error) {
	n, err := m.w.Write(p)
	m.done += int64(n)
	if m.progress != nil {
		m.progress(m.done, 0)
	}
	return n, err
}
