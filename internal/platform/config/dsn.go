package config

import (
	"errors"
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"
)

const hidden = "xxxxx"

// shownParams are the connection parameters whose values are not secret. RedactDSN omits
// all others.
var shownParams = map[string]bool{
	"sslmode": true, "host": true, "port": true, "dbname": true, "user": true,
	"application_name": true, "connect_timeout": true, "search_path": true,
	"target_session_attrs": true, "pool_max_conns": true, "pool_min_conns": true,
}

var foreignScheme = regexp.MustCompile(`^([A-Za-z][A-Za-z0-9+.-]{0,20})://`)

// checkDSN checks a database name. Its error contains nothing of the value but the scheme,
// because a value that cannot be parsed may contain its password anywhere.
func checkDSN(dsn string) error {
	if path, ok := strings.CutPrefix(dsn, "sqlite:"); ok {
		if path == "" || path[0] == '?' || strings.ContainsRune(path, 0) {
			return errors.New("sqlite: needs the path of a file, as in sqlite:./data/bifolia.db")
		}
		return nil
	}
	if !isPostgres(dsn) {
		if m := foreignScheme.FindStringSubmatch(dsn); m != nil {
			return fmt.Errorf("%s:// is not a supported database; use sqlite:PATH or postgres://USER@HOST/NAME", m[1])
		}
		return errors.New("the value is neither sqlite:PATH nor postgres://USER@HOST/NAME")
	}
	u, ok := parsePostgres(dsn)
	if !ok {
		return errors.New("the postgres:// address cannot be read; in user and password, write characters such as @ / ? # % as %40 %2F %3F %23 %25")
	}
	query := u.Query()
	if u.Host == "" && query.Get("host") == "" {
		return errors.New("the postgres:// address names no host; for a socket add ?host=/path/of/its/folder")
	}
	if strings.Trim(u.Path, "/") == "" && query.Get("dbname") == "" {
		return errors.New("the postgres:// address names no database; it goes after the host, as in postgres://USER@HOST/NAME")
	}
	if mode := query.Get("sslmode"); mode != "" && !slices.Contains(sslModes, mode) {
		return errors.New("the postgres:// address has an unknown sslmode; use one of " + strings.Join(sslModes, ", "))
	}
	return checkTransport(u)
}

var sslModes = []string{"disable", "allow", "prefer", "require", "verify-ca", "verify-full"}

func isPostgres(dsn string) bool {
	return strings.HasPrefix(dsn, "postgres://") || strings.HasPrefix(dsn, "postgresql://")
}

// parsePostgres also rejects an @ after the host, which net/url accepts: it is the end of a
// password whose special characters were not escaped, and the rest of the password is then
// in host, port or path.
func parsePostgres(dsn string) (*url.URL, bool) {
	u, err := url.Parse(dsn)
	if err != nil || u.Opaque != "" || u.Fragment != "" {
		return nil, false
	}
	_, rest, _ := strings.Cut(dsn, "://")
	if i := strings.IndexAny(rest, "/?#"); i >= 0 && strings.Contains(rest[i:], "@") {
		return nil, false
	}
	if _, err := url.ParseQuery(u.RawQuery); err != nil {
		return nil, false
	}
	return u, true
}

// RedactDSN returns dsn without its secrets. It shows nothing of a dsn that cannot be parsed.
func RedactDSN(dsn string) string {
	if path, ok := strings.CutPrefix(dsn, "sqlite:"); ok {
		if before, _, cut := strings.Cut(path, "?"); cut {
			return "sqlite:" + before + "?" + hidden
		}
		return dsn
	}
	if !isPostgres(dsn) {
		return hidden
	}
	scheme, _, _ := strings.Cut(dsn, "://")
	u, ok := parsePostgres(dsn)
	if !ok {
		return scheme + "://" + hidden
	}
	shown := scheme + "://"
	if u.User != nil {
		shown += url.User(u.User.Username()).String()
		if _, has := u.User.Password(); has {
			shown += ":" + hidden
		}
		shown += "@"
	}
	shown += u.Host + u.EscapedPath()
	query, secrets := u.Query(), false
	for key := range query {
		if !shownParams[key] {
			query.Del(key)
			secrets = true
		}
	}
	if encoded := query.Encode(); encoded != "" {
		shown += "?" + encoded
	}
	if secrets {
		shown += " (and parameters not shown)"
	}
	return shown
}
