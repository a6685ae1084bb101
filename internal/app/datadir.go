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

// makeDataDir makes the data folder, for its owner only. Refused if there is a folder
// of something else at its place.
func makeDataDir(cfg config.Config) error {
	if err := os.MkdirAll(cfg.DataDir, 0o700); err != nil {
		return errs.New(errs.Refused, "data_dir.not_made", "The data folder {path} cannot be made: {reason}.", "path", cfg.DataDir, "reason", reason(err))
	}
	return ownDataDir(cfg)
}

// ownDataDir refuses a data folder that others may look into and that holds only
// files of something else: shutting it would take those files from everybody who
// uses them. Nothing is written or changed before this.
func ownDataDir(cfg config.Config) error {
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
	// A disk of its own is empty but for this.
	there = slices.DeleteFunc(there, func(f os.DirEntry) bool { return f.Name() == "lost+found" })
	if len(there) == 0 || holdsOurs(cfg, there) {
		return nil
	}
	return errs.New(errs.Refused, "data_dir.not_private", "Others may look into the folder {path}, and none of the files in it is Bifolia's: name an empty folder, or one that does not exist yet, with --data-dir. If this folder shall be Bifolia's, run chmod 700 on it first.", "path", cfg.DataDir)
}

// holdsOurs tells whether a file of the data folder is of an installation: of the one
// that cfg names, or a list of public keys that says which ledger it belongs to.
func holdsOurs(cfg config.Config, there []os.DirEntry) bool {
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

// shutDataDir makes a data folder that others may look into its owner's only, unless
// it belongs to another user or everybody may write there, and tells whether it did.
// ownDataDir has passed: no folder of something else is shut.
func shutDataDir(cfg config.Config) (mended bool, err error) {
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
