package config

import (
	"errors"
	"fmt"
	"io/fs"
	"net/netip"
	"net/url"
	"os"
	"slices"
	"strings"
	"syscall"
)

// Beside returns the path of a database's key and anchor files without their extensions:
// the SQLite file's path, or the name of a PostgreSQL database in the data folder. It
// differs for each database, so that two databases in one folder never share a key.
func Beside(dsn, dataDir string) string {
	if path, ok := strings.CutPrefix(dsn, "sqlite:"); ok {
		path, _, _ = strings.Cut(path, "?")
		return path
	}
	name := "postgres"
	if u, err := url.Parse(dsn); err == nil {
		name = strings.Trim(u.Path, "/")
		if other := u.Query().Get("dbname"); other != "" {
			name = other
		}
	}
	return strings.TrimRight(dataDir, "/") + "/" + strings.Map(func(r rune) rune {
		if r == '/' || r < ' ' {
			return '_'
		}
		return r
	}, name)
}

// checkTransport checks that a connection to a PostgreSQL database on another machine is
// encrypted. Its error names no host, because an address that cannot be parsed may contain
// a password there.
func checkTransport(u *url.URL) error {
	query := u.Query()
	if slices.Contains([]string{"require", "verify-ca", "verify-full"}, query.Get("sslmode")) {
		return nil
	}
	for _, hosts := range []string{u.Host, query.Get("host")} {
		for host := range strings.SplitSeq(hosts, ",") {
			if host != "" && !OnThisMachine(hostOf(host)) {
				return errors.New("the database is on another machine: add sslmode=verify-full (or verify-ca, require), or passwords and all rows are sent unencrypted")
			}
		}
	}
	return nil
}

// hostOf returns a host without its port.
func hostOf(host string) string {
	if inside, ok := strings.CutPrefix(host, "["); ok {
		inside, _, _ = strings.Cut(inside, "]")
		return inside
	}
	if strings.Count(host, ":") == 1 {
		host, _, _ = strings.Cut(host, ":")
	}
	return host
}

// OnThisMachine reports whether a host is certainly this machine: a loopback address,
// localhost, or a socket's folder.
func OnThisMachine(host string) bool {
	if host == "localhost" || strings.HasPrefix(host, "/") || strings.HasPrefix(host, "@") {
		return true
	}
	ip, err := netip.ParseAddr(host)
	return err == nil && ip.Unmap().IsLoopback()
}

// developmentChains are the IDs of private development chains: transactions signed for
// them are not valid on any other.
var developmentChains = []int64{1337, 31337}

// checkDemo returns the settings that a demo must not have. A demo has invented data,
// public passwords and single approvals: it must not reach real people, real money or a
// network.
func (c *Config) checkDemo(given layer) (wrong []string) {
	if !c.Demo {
		return nil
	}
	say := func(key, sentence string) { wrong = append(wrong, given[key].origin+": "+sentence) }
	if _, ok := given["smtp_addr"]; ok {
		say("smtp_addr", "a demo sends no mail: omit this setting, or omit demo")
	}
	if !c.ownChain() {
		for _, key := range []string{"chain_rpc_urls", "hot_wallet_key", "hot_wallet_key_file"} {
			if v, ok := given[key]; ok && v.text != "" {
				say(key, "a demo has no real money: omit this setting, or omit demo (a development chain on this machine, chain_id 1337 or 31337, is allowed)")
			}
		}
	}
	for _, key := range []string{"addr", "metrics_addr"} {
		if v, ok := given[key]; ok && v.text != "" && !loopback(v.text) {
			say(key, "a demo is for this machine only: listen on 127.0.0.1, or omit demo")
		}
	}
	for _, key := range []string{"public_url", "advertise_url"} {
		if v, ok := given[key]; ok && v.text != "" && !urlHere(v.text) {
			say(key, "a demo is for this machine only: omit this setting, or omit demo")
		}
	}
	if _, ok := given["trusted_proxies"]; ok && slices.ContainsFunc(c.TrustedProxies, func(p netip.Prefix) bool { return !p.Addr().Unmap().IsLoopback() }) {
		say("trusted_proxies", "a demo is for this machine only and has no proxy elsewhere: omit this setting, or omit demo")
	}
	return wrong
}

// urlHere reports whether a URL is on this machine.
func urlHere(text string) bool {
	u, err := url.Parse(text)
	return err == nil && OnThisMachine(u.Hostname())
}

// ownChain reports whether all nodes are on this machine and the chain is a development
// chain.
func (c *Config) ownChain() bool {
	if len(c.ChainURLs) == 0 || !slices.Contains(developmentChains, c.ChainID) {
		return false
	}
	for _, text := range c.ChainURLs {
		if u, err := url.Parse(text); err != nil || !OnThisMachine(u.Hostname()) {
			return false
		}
	}
	return true
}

// secretSettings are the settings whose values are secret.
var secretSettings = []string{"smtp_password", "metrics_token", "hot_wallet_key", "chain_rpc_urls"}

// checkReaders returns a mistake if other users can read a settings file with secrets.
func checkReaders(from value, file layer) []string {
	secret := ""
	for _, key := range secretSettings {
		if v, ok := file[key]; ok && v.text != "" {
			secret = key
		}
	}
	if v, ok := file["db"]; ok && RedactDSN(v.text) != v.text {
		secret = "db"
	}
	if secret == "" {
		return nil
	}
	if err := Private(from.text); err != nil {
		return []string{fmt.Sprintf("%s: %v, and %s in it is secret", from.origin, err, secret)}
	}
	return nil
}

// Private returns nil if only this process's user can read a file. A file of another user
// may be readable by its group, so that root can give a service settings that it cannot
// change.
func Private(path string) error {
	info, err := os.Stat(path)
	if err != nil {
		return nil //nolint:nilerr // reading it reports the error
	}
	others := fs.FileMode(0o077)
	if s, ok := info.Sys().(*syscall.Stat_t); ok && int(s.Uid) != os.Geteuid() {
		others = 0o007
	}
	if mode := info.Mode().Perm(); mode&others != 0 {
		return fmt.Errorf("%s can be read by others (mode %04o): run chmod 600 on it", quote(path), mode)
	}
	return nil
}
