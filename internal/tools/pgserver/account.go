package pgserver

import (
	"errors"
	"fmt"
	"os"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

// makeDirs makes the directories and, as root, gives them to the user that runs PostgreSQL.
func (s *Server) makeDirs(opts Options) error {
	if err := s.makeBase(opts.Dir, opts.parent); err != nil {
		return fmt.Errorf("pgserver: %w", err)
	}
	s.data = filepath.Join(s.base, "data")
	s.log = filepath.Join(s.base, "server.log")
	if _, err := os.Stat(filepath.Join(s.data, "PG_VERSION")); s.keep && err == nil {
		s.found = true
	} else if err := os.Mkdir(s.data, 0o700); err != nil {
		s.data, s.log = "", "" // not ours to remove
		return fmt.Errorf("pgserver: %w", err)
	}
	var err error
	if s.account, err = account(); err != nil || s.account == nil {
		return err
	}
	if err := s.openParents(); err != nil {
		return err
	}
	if blocked := closedParent(filepath.Join(s.bin, "initdb"), s.account); blocked != "" {
		return fmt.Errorf("pgserver: root runs PostgreSQL as user %d, who cannot enter %s: move the programs, set POSTGRES_BIN or run as another user", s.account.Uid, blocked)
	}
	if err := os.Chown(s.data, int(s.account.Uid), int(s.account.Gid)); err != nil {
		return fmt.Errorf("pgserver: %w", err)
	}
	return nil
}

func (s *Server) makeBase(dir, parent string) error {
	var err error
	if dir == "" {
		dir, err = os.MkdirTemp(parent, "bifolia-pg-")
		s.madeBase = err == nil
	} else {
		_, missing := os.Stat(dir)
		err = os.MkdirAll(dir, 0o711)
		s.madeBase = err == nil && errors.Is(missing, os.ErrNotExist)
	}
	if err != nil {
		return err
	}
	s.base = dir
	// PostgreSQL reports its directory without links, so the path must have none.
	if dir, err = filepath.Abs(dir); err != nil {
		return err
	}
	if dir, err = filepath.EvalSymlinks(dir); err != nil {
		return err
	}
	s.base = dir
	return nil
}

// account is nil unless this process is root.
func account() (*syscall.Credential, error) {
	if os.Geteuid() != 0 {
		return nil, nil //nolint:nilnil // "no other account" is the usual answer
	}
	for _, name := range []string{"postgres", "_postgres", "nobody"} {
		u, err := user.Lookup(name)
		if err != nil {
			continue
		}
		uid, err1 := parseID(u.Uid)
		gid, err2 := parseID(u.Gid)
		if err1 == nil && err2 == nil && uid != 0 {
			return &syscall.Credential{Uid: uid, Gid: gid}, nil
		}
	}
	return nil, errors.New("pgserver: PostgreSQL does not run as root, and there is no user postgres or nobody to run it as: make one")
}

// parseID reads a user or group number; macOS writes that of nobody as -2.
func parseID(id string) (uint32, error) {
	if n, err := strconv.ParseInt(id, 10, 32); err == nil {
		return uint32(int32(n)), nil
	}
	n, err := strconv.ParseUint(id, 10, 32)
	return uint32(n), err
}

// openParents gives the account access to the data: it makes directories that Start made, and
// those inside the system's temporary directory, searchable (not readable), and changes
// nothing else.
func (s *Server) openParents() error {
	temp, err := filepath.EvalSymlinks(os.TempDir())
	if err != nil {
		return fmt.Errorf("pgserver: %w", err)
	}
	inTemp := func(dir string) bool { return strings.HasPrefix(dir, temp+string(filepath.Separator)) }
	for dir := s.base; inTemp(dir) || dir == s.base && s.madeBase; dir = filepath.Dir(dir) {
		info, err := os.Stat(dir)
		if err != nil {
			return fmt.Errorf("pgserver: %w", err)
		}
		if info.Mode().Perm()&0o011 == 0o011 {
			continue
		}
		if err := os.Chmod(dir, info.Mode().Perm()|0o011); err != nil {
			return fmt.Errorf("pgserver: %w", err)
		}
	}
	if blocked := closedParent(s.data, s.account); blocked != "" {
		return fmt.Errorf("pgserver: root runs PostgreSQL as user %d, who cannot enter %s: choose another Dir or TMPDIR, or run as another user", s.account.Uid, blocked)
	}
	return nil
}

// closedParent returns the first parent directory of path that the account cannot enter, or
// "".
func closedParent(path string, account *syscall.Credential) string {
	var chain []string
	for dir := filepath.Dir(path); ; dir = filepath.Dir(dir) {
		chain = append([]string{dir}, chain...)
		if dir == filepath.Dir(dir) {
			break
		}
	}
	for _, dir := range chain {
		info, err := os.Stat(dir)
		if err != nil {
			return dir
		}
		need := os.FileMode(0o001)
		if sys, ok := info.Sys().(*syscall.Stat_t); ok {
			switch {
			case sys.Uid == account.Uid:
				need = 0o100
			case sys.Gid == account.Gid:
				need = 0o010
			}
		}
		if info.Mode().Perm()&need == 0 {
			return dir
		}
	}
	return ""
}
