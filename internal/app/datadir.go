package app

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/platform/config"
	"github.com/bifolia/bifolia/internal/platform/errs"
)

// makeDataDir creates the data folder, readable by its owner only. It returns Refused if
// the path is a folder of something else.
func makeDataDir(cfg config.Config) error {
	if err := os.MkdirAll(cfg.DataDir, 0o700); err != nil {
		return errs.New(errs.Refused, "data_dir.not_made", "The data folder {path} cannot be made: {reason}.", "path", cfg.DataDir, "reason", reason(err))
	}
	return checkDataDir(cfg)
}

// checkDataDir rejects a data folder that others can read and that holds only other files:
// restricting it would take those files away from their users. Nothing is written or
// changed before this.
func checkDataDir(cfg config.Config) error {
	info, err := os.Stat(cfg.DataDir)
	if os.IsNotExist(err) {
		return nil
	}
	var there []os.DirEntry
	if err == nil && info.Mode().Perm()&0o077 != 0 {
		there, err = os.ReadDir(cfg.DataDir)
	}
	if err != nil {
		return errs.New(errs.Refused, "data_dir.unusable", "The data folder {path} cannot be used: {reason}.", "path", cfg.DataDir, "reason", reason(err))
	}
	// An empty disk has only this.
	there = slices.DeleteFunc(there, func(f os.DirEntry) bool { return f.Name() == "lost+found" })
	if len(there) == 0 || hasOwnFiles(cfg, there) {
		return nil
	}
	return errs.New(errs.Refused, "data_dir.not_private", "Others may look into the folder {path}, and none of the files in it is Bifolia's: name an empty folder, or one that does not exist yet, with --data-dir. If this folder shall be Bifolia's, run chmod 700 on it first.", "path", cfg.DataDir)
}

// hasOwnFiles tells whether a file of the data folder belongs to an installation: the
// configured one, or a list of public keys that names its ledger.
func hasOwnFiles(cfg config.Config, there []os.DirEntry) bool {
	database, _ := strings.CutPrefix(cfg.DB, "sqlite:")
	database, _, _ = strings.Cut(database, "?")
	named := []string{database, cfg.KeyFile, ledger.PublicKeyFile(cfg.KeyFile), cfg.AnchorFile}
	return slices.ContainsFunc(there, func(f os.DirEntry) bool {
		path := filepath.Join(cfg.DataDir, f.Name())
		if slices.ContainsFunc(named, func(name string) bool { return samePath(name, path) }) {
			return true
		}
		if !f.Type().IsRegular() || filepath.Ext(path) != ".pub" {
			return false
		}
		owner, err := ledger.Owner(path)
		return err == nil && owner != ""
	})
}

func samePath(a, b string) bool {
	one, err := filepath.Abs(a)
	other, err2 := filepath.Abs(b)
	return err == nil && err2 == nil && one == other
}

// restrictDataDir restricts a data folder to its owner, unless it belongs to another user or
// is world-writable, and tells whether it changed anything. checkDataDir has passed, so no
// other folder is restricted.
func restrictDataDir(cfg config.Config) (mended bool, err error) {
	info, err := os.Stat(cfg.DataDir)
	if err != nil {
		return false, errs.New(errs.Refused, "data_dir.unusable", "The data folder {path} cannot be used: {reason}.", "path", cfg.DataDir, "reason", reason(err))
	}
	owner, ok := info.Sys().(*syscall.Stat_t)
	ours := ok && int(owner.Uid) == os.Geteuid() && info.Mode()&os.ModeSticky == 0
	if !ours || info.Mode().Perm()&0o077 == 0 {
		return false, nil
	}
	if err := os.Chmod(cfg.DataDir, info.Mode().Perm()&0o700); err != nil {
		return false, errs.New(errs.Refused, "data_dir.mode_unchanged", "Others may look into the data folder {path}, and its mode cannot be changed: {reason}.", "path", cfg.DataDir, "reason", reason(err))
	}
	return true, nil
}
