package backup

import (
	"archive/tar"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"hash"
	"io"
	"os"
	"time"

	"filippo.io/age"

	"github.com/bifolia/bifolia/internal/platform/errs"
)

// Manifest describes a backup.
type Manifest struct {
	Format  int       `json:"format"`
	Made    time.Time `json:"made"`
	Program string    `json:"program"` // the release that made the backup
	Engine  string    `json:"engine"`  // sqlite or postgres
	Tool    int       `json:"tool"`    // PostgreSQL: the major version of pg_dump
	Schema  int64     `json:"schema"`
	// The ledger's head in the copy: last transfer, last batch, its hash, and the
	// id of the key that signed it ("" before the first batch).
	Seq   int64  `json:"ledger_seq"`
	Batch int64  `json:"ledger_batch"`
	Hash  string `json:"ledger_hash"`
	Key   string `json:"ledger_key"`
	// Of the database in the archive.
	Size   int64  `json:"size"`
	SHA256 string `json:"sha256"`
}

// format is the version of the format of backups.
const format = 1

const (
	nameDatabase = "database"
	namePublic   = "ledger.pub"
	nameManifest = "manifest.json"
	nameSeal     = "seal"

	block = 512
	// sealLength is the length after the seal's header: its text, padded, and the two
	// empty blocks that end a tar archive.
	sealLength = 3 * block
	// largest bounds the parts read into memory: keys and manifest have a few hundred
	// bytes.
	largest = 1 << 20
)

// Progress is called with the number of bytes done and the total.
type Progress func(done, total int64)

// write writes the parts to w. It sets the manifest's size and sum.
func write(ctx context.Context, w io.Writer, m *Manifest, database *os.File, public []byte, progress Progress) error {
	info, err := database.Stat()
	if err != nil {
		return err
	}
	whole, sum := sha256.New(), sha256.New()
	tw := tar.NewWriter(io.MultiWriter(w, whole))
	if err := head(tw, nameDatabase, info.Size(), m.Made); err != nil {
		return err
	}
	from := &counter{r: database, ctx: ctx, total: info.Size(), progress: progress}
	if m.Size, err = io.Copy(io.MultiWriter(tw, sum), from); err != nil {
		return err
	}
	m.Format, m.SHA256 = format, hex.EncodeToString(sum.Sum(nil))
	text, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		return err
	}
	for _, part := range []struct {
		name string
		data []byte
	}{{namePublic, public}, {nameManifest, append(text, '\n')}} {
		if err := head(tw, part.name, int64(len(part.data)), m.Made); err != nil {
			return err
		}
		if _, err := tw.Write(part.data); err != nil {
			return err
		}
	}
	// The seal covers its own header too, which is written now.
	if err := head(tw, nameSeal, int64(len(sealText(whole))), m.Made); err != nil {
		return err
	}
	if _, err := tw.Write(sealText(whole)); err != nil {
		return err
	}
	return tw.Close()
}

func sealText(whole hash.Hash) []byte { return []byte(hex.EncodeToString(whole.Sum(nil)) + "\n") }

// head begins a part. The GNU format has one header block for any size, so that reader and
// writer have processed the same bytes when they reach the seal.
func head(tw *tar.Writer, name string, size int64, made time.Time) error {
	return tw.WriteHeader(&tar.Header{Typeflag: tar.TypeReg, Name: name, Size: size, Mode: 0o600, ModTime: made.UTC().Truncate(time.Second), Format: tar.FormatGNU})
}

// Archive is a backup that was read completely and is undamaged.
type Archive struct {
	Manifest Manifest
	Public   []byte // the list of public keys
	file     *os.File
	content  io.ReaderAt // of the file, decrypted
}

// Open reads the backup at path completely; ids decrypt it if it is encrypted. Refused if
// the file is not a backup, is damaged or cannot be decrypted, NotFound if there is no
// file. The caller must call Close.
func Open(ctx context.Context, path string, progress Progress, ids ...age.Identity) (*Archive, error) {
	f, err := os.Open(path)
	if errors.Is(err, os.ErrNotExist) {
		return nil, errs.New(errs.NotFound, "backup.file_not_found", "There is no file {path}.", "path", path)
	}
	if err != nil {
		return nil, errs.New(errs.Refused, "backup.unreadable", "The backup {path} cannot be read: {reason}.", "path", path, "reason", reason(err))
	}
	a, err := check(ctx, f, progress, ids)
	if err == nil {
		return a, nil
	}
	_ = f.Close()
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	return nil, unreadable(path, err)
}

// Close closes the file.
func (a *Archive) Close() error { return a.file.Close() }

// Database returns a reader of the database. At its end it returns an error if the bytes
// differ from those that Open has read.
func (a *Archive) Database(ctx context.Context, progress Progress) io.Reader {
	return &summed{counter{r: chunked(a.content, block, a.Manifest.Size), ctx: ctx, total: a.Manifest.Size, progress: progress}, sha256.New(), a.Manifest.SHA256}
}

var (
	errSum   = errors.New("its bytes are not those that were written")
	errShort = errors.New("its end is missing")
	errNewer = errors.New("its format is newer")
	errOther = errors.New("its parts are not those of a backup")
)

// check reads all of f. The seal covers all parts; the bytes after the seal's header have
// a fixed value. So every byte is checked.
func check(ctx context.Context, f *os.File, progress Progress, ids []age.Identity) (*Archive, error) {
	content, length, err := opened(f, ids)
	if err != nil {
		return nil, err
	}
	a, whole, sum := &Archive{file: f, content: content}, sha256.New(), sha256.New()
	read := &counter{r: chunked(content, 0, length), ctx: ctx, total: length, progress: progress}
	tr := tar.NewReader(io.TeeReader(read, whole))
	var size int64
	var text []byte
	for _, part := range []struct {
		name string
		take func() error
	}{
		{nameDatabase, func() (err error) { size, err = io.Copy(sum, tr); return err }}, //nolint:gosec // hashed as a stream, not stored
		{namePublic, func() (err error) { a.Public, err = small(tr); return err }},
		{nameManifest, func() (err error) { text, err = small(tr); return err }},
		{nameSeal, func() error { return nil }},
	} {
		h, err := tr.Next()
		if err != nil {
			return nil, short(err)
		}
		if h.Name != part.name || h.Typeflag != tar.TypeReg {
			return nil, errOther
		}
		if err := part.take(); err != nil {
			return nil, short(err)
		}
	}
	end := make([]byte, sealLength)
	copy(end, sealText(whole))
	if err := endsWith(read, end); err != nil {
		return nil, err
	}
	if err := json.Unmarshal(text, &a.Manifest); err != nil {
		return nil, errOther
	}
	switch m := &a.Manifest; {
	case m.Format > format:
		return nil, errNewer
	case m.Format != format || m.Size != size || m.SHA256 != hex.EncodeToString(sum.Sum(nil)):
		return nil, errSum
	}
	return a, nil
}

// endsWith reports an error unless the rest of r is exactly end.
func endsWith(r io.Reader, end []byte) error {
	got, err := io.ReadAll(io.LimitReader(r, int64(len(end))+1))
	switch {
	case err != nil:
		return err
	case len(got) < len(end):
		return errShort
	case !bytes.Equal(got, end):
		return errSum
	}
	return nil
}

// small reads a part that fits into memory.
func small(r io.Reader) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(r, largest+1))
	if err == nil && len(data) > largest {
		err = errOther
	}
	return data, err
}

// short translates an error of the tar reader.
func short(err error) error {
	switch {
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return errShort
	case errors.Is(err, tar.ErrHeader):
		return errSum
	}
	return err
}

// counter reports the progress of reading, and stops it when its context ends.
type counter struct {
	r           io.Reader
	ctx         context.Context
	done, total int64
	progress    Progress
}

func (c *counter) Read(p []byte) (int, error) {
	if err := c.ctx.Err(); err != nil {
		return 0, err
	}
	n, err := c.r.Read(p)
	c.done += int64(n)
	if c.progress != nil {
		c.progress(c.done, c.total)
	}
	return n, err
}

// summed returns an error at its end if the bytes do not have the expected hash.
type summed struct {
	counter
	sum  hash.Hash
	want string
}

func (s *summed) Read(p []byte) (int, error) {
	n, err := s.counter.Read(p)
	s.sum.Write(p[:n])
	if errors.Is(err, io.EOF) && hex.EncodeToString(s.sum.Sum(nil)) != s.want {
		return n, errSum
	}
	return n, err
}
