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

// File is a backup that is being written. Until Commit it has another name, so a
// file with the asked-for name is always a whole one; what a killed process left
// under the other name is used up by the next.
type File struct {
	path string // what it is to be called
	work string
	to   []age.Recipient
	f    *os.File
}

// Create begins the backup at path, readable by its owner only, and encrypted if
// there are recipients. Conflict if there is a file of that name and force is not
// said, or another backup is being written to it.
func Create(path string, force bool, to ...age.Recipient) (*File, error) {
	info, err := os.Lstat(path)
	switch {
	case err == nil && !info.Mode().IsRegular():
		return nil, errs.New(errs.Refused, "backup.not_a_file", "{path} is not a file: name a file to write the backup to.", "path", path)
	case err == nil && !force:
		return nil, errs.New(errs.Conflict, "backup.file_exists", "There is a file {path} already: name another, or overwrite it with --force.", "path", path)
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

// partial is its name until it is whole.
func (w *File) partial() string { return w.path + ".partial" }

// Work is where the database is put together, in the clear, before it goes into
// the archive.
func (w *File) Work() string { return w.work }

// WorkIn keeps the database in the clear out of the folder of the backup, which may
// be another machine's: it is put together in dir.
func (w *File) WorkIn(dir string) error {
	path, err := filepath.Abs(w.path)
	if err != nil {
		return err
	}
	name := sha256.Sum256([]byte(path))
	w.work = filepath.Join(dir, "backup-"+hex.EncodeToString(name[:8])+".partial.db")
	return w.clearWork()
}

// own locks the file and empties it. Whoever got the lock of a file that has been
// renamed since holds a finished backup, which must not be emptied.
func (w *File) own() error {
	taken := errs.New(errs.Conflict, "backup.under_way", "Another backup is being written to {path}: wait for it, or name another file.", "path", w.path)
	if err := syscall.Flock(int(w.f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		return taken
	}
	mine, err := w.f.Stat()
	if err != nil {
		return err
	}
	if there, err := os.Lstat(w.partial()); err != nil || !os.SameFile(mine, there) {
		return taken
	}
	if err := errors.Join(w.f.Truncate(0), w.f.Chmod(0o600)); err != nil {
		return errs.New(errs.Refused, "backup.not_writable", "The backup cannot be written to {path}: {reason}.", "path", w.partial(), "reason", reason(err))
	}
	return w.clearWork()
}

// clearWork removes the working copy and what SQLite may have put beside it.
func (w *File) clearWork() error {
	for _, end := range []string{"", "-journal", "-wal", "-shm"} {
		if err := os.Remove(w.Work() + end); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return errs.New(errs.Refused, "backup.in_the_way", "{path} is in the way: {reason}.", "path", w.Work()+end, "reason", reason(err))
		}
	}
	return nil
}

// Commit puts the working copy and the public keys into the archive, makes it
// durable, reads it again to its end and only then gives it its name. The
// manifest as written is returned. When it fails, Abort removes what there is.
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
		return m, errs.New(errs.Unavailable, "backup.disk_untrusted", "The backup reads otherwise than it was written: the disk of {path} cannot be trusted.", "path", w.path)
	}
	if err := w.clearWork(); err != nil {
		return m, err
	}
	if err := os.Rename(w.partial(), w.path); err != nil {
		return m, errs.New(errs.Unavailable, "backup.not_named", "The backup could not be named {path}: {reason}.", "path", w.path, "reason", reason(err))
	}
	return m, errors.Join(SyncDir(filepath.Dir(w.path)), w.f.Close())
}

// Abort removes what was written so far.
func (w *File) Abort() {
	_ = os.Remove(w.partial()) // the error that led here says what matters
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

// reason is what went wrong without the path, which the sentence names already.
func reason(err error) error {
	var path *fs.PathError
	if errors.As(err, &path) {
		return path.Err
	}
	return err
}
