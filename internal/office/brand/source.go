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

// reloadEvery is how often the file is looked at.
const reloadEvery = 2 * time.Second

// Source is the brand as its file has it. The file is read when the process
// starts, and again whenever it has changed. A file with mistakes stops the
// start; later the last good one stays, and the log names the mistakes.
type Source struct {
	path string
	log  *slog.Logger
	seen []byte // what was read last, good or not
	now  atomic.Pointer[Brand]
}

// Open reads the file at path; the demo brand if path is "". Only a demo shows
// the accounts of that: what real members sent there would be lost. Invalid names
// the file's mistakes, Refused that it cannot be read.
func Open(path string, demo bool, log *slog.Logger) (*Source, error) {
	s := &Source{path: path, log: log}
	if path == "" {
		b := Demo()
		if !demo {
			b.Banks, b.USDT = []Bank{}, ""
			b.Site.Dashboard.Trends = []string{} // invented ones beside real figures would be lies
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

// Current is the brand that holds now. Nobody may change it.
func (s *Source) Current() *Brand { return s.now.Load() }

// Follow reads the file again whenever it changes, until ctx ends.
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

// Look reads the file if it has changed. Editors replace files in more than one
// step, so a file that cannot be read is looked at again later.
func (s *Source) Look() {
	raw, err := read(s.path)
	if err != nil || bytes.Equal(raw, s.seen) {
		return
	}
	s.seen = raw
	b, err := Parse(raw)
	if err != nil {
		s.log.Error("the brand file is wrong: the one before stays", "file", s.path, "mistakes", errs.MessageOf(err))
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
