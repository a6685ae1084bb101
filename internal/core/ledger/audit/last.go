package audit

import (
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"time"
)

// Beside the anchor file, which has a line for every checked head, there is a file with the
// last head that the server wrote. It has two slots that are written in turn, so that a
// crash while writing one leaves the other. Each slot names its ledger.

// slotSize is the size of a sector, which disks write atomically.
const slotSize = 512

// LastFile is the path of the last head's file for the anchor file at path.
func LastFile(path string) string { return path + ".last" }

// Line returns an anchor as a line of the anchor file, without the line end.
func (a Anchor) Line() ([]byte, error) {
	line := map[string]any{"batch": a.Batch, "seq": a.Seq, "hash": hex.EncodeToString(a.Hash[:]), "at": a.At.UTC().Format(time.RFC3339)}
	if a.Ledger != "" {
		line["ledger"] = a.Ledger
	}
	return json.Marshal(line)
}

// ReadLast reads the last head beside the anchor file at path. fs.ErrNotExist if there is no
// file; an error if no slot of the file can be read.
func ReadLast(path string) (Anchor, error) {
	slots, err := readSlots(path)
	if err != nil {
		return Anchor{}, err
	}
	if last := latest(slots); last != nil {
		return *last, nil
	}
	return Anchor{}, fmt.Errorf("anchors: %s has no head", LastFile(path))
}

// readSlots returns the readable slots beside the anchor file at path.
func readSlots(path string) (slots []Anchor, err error) {
	f, err := os.Open(LastFile(path))
	if err != nil {
		return nil, fmt.Errorf("anchors: %w", err)
	}
	defer func() { _ = f.Close() }()
	raw, err := io.ReadAll(io.LimitReader(f, 2*slotSize))
	if err != nil {
		return nil, fmt.Errorf("anchors: %w", err)
	}
	for from := 0; from < len(raw); from += slotSize {
		if a, err := parseAnchor(raw[from:min(len(raw), from+slotSize)]); err == nil {
			slots = append(slots, a)
		}
	}
	return slots, nil
}

// WriteLast durably writes a as the last head. Slots alternate with n.
func WriteLast(path string, n int64, a Anchor) error {
	line, err := a.Line()
	if err != nil {
		return err
	}
	if len(line) >= slotSize {
		return errors.New("anchors: a head is too long")
	}
	slot := make([]byte, slotSize)
	for i := copy(slot, line); i < slotSize-1; i++ {
		slot[i] = ' '
	}
	slot[slotSize-1] = '\n'
	f, err := os.OpenFile(LastFile(path), os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return err
	}
	_, err = f.WriteAt(slot, n%2*slotSize)
	if err == nil {
		err = f.Sync()
	}
	return errors.Join(err, f.Close())
}

// ReadAnchors reads all anchors: the anchor file at path, and the last head beside it.
// fs.ErrNotExist if there is neither.
func ReadAnchors(path string) ([]Anchor, error) {
	anchors, err := ReadChecked(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	last, lerr := ReadLast(path)
	switch {
	case lerr == nil:
		return append(anchors, last), nil
	case errors.Is(lerr, fs.ErrNotExist):
		return anchors, err
	}
	return nil, lerr
}

// Missing lists the missing files of an anchor.
func Missing(path string) (names []string, err error) {
	for _, name := range []string{path, LastFile(path)} {
		switch _, err := os.Stat(name); {
		case errors.Is(err, fs.ErrNotExist):
			names = append(names, name)
		case err != nil:
			return nil, fmt.Errorf("anchors: %w", err)
		}
	}
	return names, nil
}

// Gap means that a ledger ends before its anchor: its write-ahead log was removed or cut, or
// an older copy was restored.
type Gap struct {
	Ends     int64     // the last batch of the ledger
	Anchored int64     // the last anchored batch
	At       time.Time // of the anchor
}

// Behind returns the gap between a ledger that ends at a batch and its anchors.
func Behind(anchors []Anchor, ends int64) (Gap, bool) {
	last := latest(anchors)
	if last == nil || last.Batch <= ends {
		return Gap{}, false
	}
	return Gap{ends, last.Batch, last.At}, true
}

// String returns the gap as a sentence.
func (g Gap) String() string {
	return fmt.Sprintf("the database ends at batch %d, the anchor says %d (%s): batches %d to %d are missing, because a write-ahead log was removed or cut off, or an older copy was put back",
		g.Ends, g.Anchored, g.At.UTC().Format(time.RFC3339), g.Ends+1, g.Anchored)
}

// Finding returns the gap as a wrong row: the first missing batch.
func (g Gap) Finding() *Finding {
	return &Finding{Table: "batch", Row: batchRow(g.Ends + 1), Problem: "it is missing: " + g.String()}
}

// Rewritten returns the finding for a batch whose hash differs from the anchor.
func (a Anchor) Rewritten(hash []byte) *Finding {
	return &Finding{Table: "batch", Row: batchRow(a.Batch), Problem: fmt.Sprintf("hash is stored as %s, but was anchored as %x at %s: the ledger was rewritten after that, or was written on after its end was lost", hexOf(hash), a.Hash, a.At.UTC().Format(time.RFC3339))}
}
