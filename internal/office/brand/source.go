package brand

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"log/slog"
	"os"
	"sync/atomic"
	"time"

	"github.com/bifolia/bifolia/internal/platform/errs"
)

// reloadEvery is the interval of checks of the file.
const reloadEvery = 2 * time.Second

// Source is the brand of a file. The file is read at the start, and again whenever it
// changes. A file with mistakes fails the start; later the last valid one stays, and the
// log names the mistakes.
type Source struct {
	path string
	log  *slog.Logger
	seen []byte // the last content, valid or not
	now  atomic.Pointer[Brand]
}

// Open reads the file at path, or the demo brand if path is "". Only a demo shows that
// brand's accounts, because real payments there would be lost. Invalid names the file's
// mistakes; Refused if it cannot be read.
func Open(path string, demo bool, log *slog.Logger) (*Source, error) {
	s := &Source{path: path, log: log}
	if path == "" {
		b := Demo()
		if !demo {
			b.Banks, b.USDT = []Bank{}, ""
			b.Site.Dashboard.Trends = []string{} // invented figures must not appear beside real ones
			log.Warn("there is no --brand-file: the demo brand is shown, and no bank account or USDT address until the settings have one")
		}
		s.now.Store(b)
		return s, nil
	}
	raw, err := read(path)
	if err != nil {
		return nil, errs.New(errs.Refused, "brand.file_unreadable", "The brand file cannot be read: {reason}.", "reason", err)
	}
	b, err := Parse(raw)
	if err != nil {
		return nil, errs.New(errs.Invalid, "brand.file_wrong", "The brand file {path} is wrong: {mistakes}.", "path", path, "mistakes", errs.TextOf(err))
	}
	s.seen = raw
	s.now.Store(b)
	return s, nil
}

// Current is the current brand. Callers must not change it.
func (s *Source) Current() *Brand { return s.now.Load() }

// Follow reloads the file whenever it changes, until ctx ends.
func (s *Source) Follow(ctx context.Context) {
	if s.path == "" {
		return
	}
	tick := time.NewTicker(reloadEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			s.Look()
		}
	}
}

// Look reloads the file if it changed. Editors replace files in several steps, so an
// unreadable file is retried later.
func (s *Source) Look() {
	raw, err := read(s.path)
	if err != nil || bytes.Equal(raw, s.seen) {
		return
	}
	s.seen = raw
	b, err := Parse(raw)
	if err != nil {
		s.log.Error("brand: the file is invalid: the previous brand stays", "file", s.path, "mistakes", errs.MessageOf(err))
		return
	}
	s.now.Store(b)
	s.log.Info("the brand file was read", "file", s.path, "version", b.version)
}

// read reads at most what Parse needs to see that a file is too large.
func read(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, maxSize+1))
}

func version(raw []byte) string {
	sum := sha256.Sum256(raw)
	return hex.EncodeToString(sum[:8])
}
