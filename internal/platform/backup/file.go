package backup

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"filippo.io/age"

	"github.com/bifolia/bifolia/internal/platform/errs"
)

// File is a backup that is being written. It has another name until Commit, so that a file
// with the requested name is always complete; the next backup overwrites what a killed
// process left under the other name.
type File struct {
	path string // what it is to be called
	work string
	to   []age.Recipient
	f    *os.File
}

// Create begins the backup at path, readable by its owner only, and encrypted if there are
// recipients. Conflict if the file exists and force is false, or if another backup is being
// written to it.
func Create(path string, force bool, to ...age.Recipient) (*File, error) {
	info, err := os.Lstat(path)
	switch {
	case err == nil && !info.Mode().IsRegular():
		return nil, errs.New(errs.Refused, "backup.not_a_file", "{path} is not a file. Name a file for the backup.", "path", path)
	case err == nil && !force:
		return nil, errs.New(errs.Conflict, "backup.file_exists", "The file {path} exists already. Name another file, or use --force to overwrite it.", "path", path)
	}
	w := &File{path: path, work: path + ".partial.db", to: to}
	if w.f, err = os.OpenFile(w.partial(), os.O_CREATE|os.O_RDWR, 0o600); err != nil {
		return nil, errs.New(errs.Refused, "backup.not_writable", "The backup cannot be written to {path}: {reason}.", "path", w.partial(), "reason", reason(err))
	}
	if err := w.own(); err != nil {
		_ = w.f.Close() // nothing was written
		return nil, err
	}
	return w, nil
}

// partial is the name until Commit.
func (w *File) partial() string { return w.path + ".partial" }

// Work is the path of the unencrypted copy of the database that goes into the archive.
func (w *File) Work() string { return w.work }

// WorkIn puts the unencrypted copy of the database into dir, because the folder of the
// backup may be on another machine.
func (w *File) WorkIn(dir string) error {
	path, err := filepath.Abs(w.path)
	if err != nil {
		return err
	}
	name := sha256.Sum256([]byte(path))
	w.work = filepath.Join(dir, "backup-"+hex.EncodeToString(name[:8])+".partial.db")
	return w.clearWork()
}

// own locks the file and truncates it. It must not truncate a file that was renamed before
// the lock was acquired: that is a finished backup.
func (w *File) own() error {
	busy := errs.New(errs.Conflict, "backup.under_way", "Another backup is being written to {path}. Wait for it, or name another file.", "path", w.path)
	if err := syscall.Flock(int(w.f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		return busy
	}
	mine, err := w.f.Stat()
	if err != nil {
		return err
	}
	if there, err := os.Lstat(w.partial()); err != nil || !os.SameFile(mine, there) {
		return busy
	}
	if err := errors.Join(w.f.Truncate(0), w.f.Chmod(0o600)); err != nil {
		return errs.New(errs.Refused, "backup.not_writable", "The backup cannot be written to {path}: {reason}.", "path", w.partial(), "reason", reason(err))
	}
	return w.clearWork()
}

// clearWork removes the working copy and SQLite's files beside it.
func (w *File) clearWork() error {
	for _, end := range []string{"", "-journal", "-wal", "-shm"} {
		if err := os.Remove(w.Work() + end); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return errs.New(errs.Refused, "backup.in_the_way", "{path} cannot be removed: {reason}.", "path", w.Work()+end, "reason", reason(err))
		}
	}
	return nil
}

// Commit writes the working copy and the public keys to the archive, makes it durable,
// reads it back completely and then renames it. It returns the manifest as written. If it
// fails, Abort removes the files.
func (w *File) Commit(ctx context.Context, m Manifest, public []byte, writing, reading Progress) (Manifest, error) {
	database, err := os.Open(w.Work())
	if err != nil {
		return m, err
	}
	out, ids, err := sealed(w.f, w.to)
	if err != nil {
		return m, errors.Join(err, database.Close())
	}
	err = write(ctx, out, &m, database, public, writing)
	err = errors.Join(err, database.Close())
	if err == nil {
		err = out.Close()
	}
	if err == nil {
		err = w.f.Sync()
	}
	if err != nil {
		return m, errs.New(errs.Unavailable, "backup.write_failed", "The backup could not be written to {path}: {reason}.", "path", w.path, "reason", reason(err))
	}
	again, err := Open(ctx, w.partial(), reading, ids...)
	if err != nil {
		return m, err
	}
	if err := again.Close(); err != nil {
		return m, err
	}
	if again.Manifest.SHA256 != m.SHA256 {
		return m, errs.New(errs.Unavailable, "backup.disk_untrusted", "The backup does not read back as written. The disk of {path} may be faulty.", "path", w.path)
	}
	if err := w.clearWork(); err != nil {
		return m, err
	}
	if err := os.Rename(w.partial(), w.path); err != nil {
		return m, errs.New(errs.Unavailable, "backup.not_named", "The backup could not be renamed to {path}: {reason}.", "path", w.path, "reason", reason(err))
	}
	return m, errors.Join(SyncDir(filepath.Dir(w.path)), w.f.Close())
}

// Abort removes what was written so far.
func (w *File) Abort() {
	_ = os.Remove(w.partial()) // the error that led here is reported
	_ = w.clearWork()
	_ = w.f.Close()
}

// SyncDir makes the names in a folder durable.
func SyncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}

// reason returns an error without the path, which the message contains already.
func reason(err error) error {
	if path, ok := errors.AsType[*fs.PathError](err); ok {
		return path.Err
	}
	return err
}
