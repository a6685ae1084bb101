package audit

import (
	"bufio"
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/bifolia/bifolia/internal/platform/errs"
)

// Anchor is a head stored outside the database.
type Anchor struct {
	Batch int64
	Seq   int64
	Hash  [32]byte
	At    time.Time
	// Ledger is the id of the head's ledger, set for a last head; in the anchor file a
	// separate line names the ledger.
	Ledger string
}

// maxAnchorLine bounds a line: an anchor has less than 200 bytes.
const maxAnchorLine = 4096

// ReadChecked reads an anchor file: the heads that were checked. It ignores an unreadable
// last line without a line end, which a crash can leave. Invalid, with the line's number,
// if any other line is not an anchor.
func ReadChecked(path string) ([]Anchor, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("anchors: %w", err)
	}
	defer func() { _ = f.Close() }()
	return parseAnchors(f, path)
}

func parseAnchors(r io.Reader, name string) ([]Anchor, error) {
	in := bufio.NewReaderSize(r, maxAnchorLine)
	var anchors []Anchor
	for n := 1; ; n++ {
		line, last, err := anchorLine(in)
		if err != nil {
			return nil, fmt.Errorf("anchors: %w", err)
		}
		if len(bytes.TrimSpace(line)) > 0 {
			a, perr := parseAnchor(line)
			_, owner := ownerOf(line)
			switch {
			case owner:
			case perr == nil:
				anchors = append(anchors, a)
			case !last:
				return nil, errs.Wrap(errs.Invalid, perr, "anchor.line_malformed", "Line {line} of the anchor file {file} is not an anchor", "line", n, "file", name)
			}
		}
		if last {
			return anchors, nil
		}
	}
}

// anchorLine reads one line; last reports that it has no line end. A line that is too long
// is returned as an invalid anchor.
func anchorLine(in *bufio.Reader) (line []byte, last bool, err error) {
	line, err = in.ReadSlice('\n')
	if errors.Is(err, bufio.ErrBufferFull) {
		line = []byte("too long")
		for errors.Is(err, bufio.ErrBufferFull) {
			_, err = in.ReadSlice('\n')
		}
	}
	if errors.Is(err, io.EOF) {
		return line, true, nil
	}
	return line, false, err
}

func parseAnchor(line []byte) (Anchor, error) {
	var raw struct {
		Batch, Seq *int64
		Hash, At   *string
		Ledger     string
	}
	if err := json.Unmarshal(line, &raw); err != nil {
		return Anchor{}, err
	}
	if raw.Batch == nil || raw.Seq == nil || raw.Hash == nil || raw.At == nil {
		return Anchor{}, errors.New("it must have batch, seq, hash and at")
	}
	a := Anchor{Batch: *raw.Batch, Seq: *raw.Seq, Ledger: raw.Ledger}
	if a.Batch < 0 || a.Seq < 0 {
		return Anchor{}, errors.New("batch and seq cannot be negative")
	}
	hash, err := hex.DecodeString(*raw.Hash)
	if err != nil || len(hash) != len(a.Hash) {
		return Anchor{}, errors.New("hash must be 64 hex digits")
	}
	copy(a.Hash[:], hash)
	if a.Ledger != "" && !isLedgerID(a.Ledger) {
		return Anchor{}, errors.New("ledger must be 16 hex digits")
	}
	a.At, err = time.Parse(time.RFC3339, *raw.At)
	return a, err
}

// String returns an anchor as a summary shows it.
func (a Anchor) String() string {
	return fmt.Sprintf("batch %d of %s", a.Batch, a.At.UTC().Format(time.RFC3339))
}

// matches checks that the batch is the anchored one.
func (a Anchor) matches(b *Batch) error {
	if !bytes.Equal(a.Hash[:], b.Hash) {
		return a.Rewritten(b.Hash)
	}
	if a.Seq != b.Last {
		return wrong("batch", batchRow(b.No), "last_seq is stored as %d, but was anchored as %d at %s", b.Last, a.Seq, a.At.UTC().Format(time.RFC3339))
	}
	return nil
}

// latest returns the anchor of the highest batch.
func latest(anchors []Anchor) *Anchor {
	var last *Anchor
	for i := range anchors {
		if last == nil || anchors[i].Batch >= last.Batch {
			last = &anchors[i]
		}
	}
	return last
}

// anchorsReached checks that no anchored batch is after the last batch. An anchor of batch
// 0 is of the empty ledger: its hash is the genesis.
func anchorsReached(anchors []Anchor, head *Head, last *Batch) error {
	var cut *Anchor
	for i := range anchors {
		a := &anchors[i]
		if a.Batch == 0 && !bytes.Equal(a.Hash[:], head.Genesis) {
			return wrong("head", "head", "genesis is stored as %s, but was anchored as %x at %s", hexOf(head.Genesis), a.Hash, a.At.UTC().Format(time.RFC3339))
		}
		if a.Batch > last.No && (cut == nil || a.Batch < cut.Batch) {
			cut = a
		}
	}
	if gap, behind := Behind(anchors, last.No); behind {
		return wrong("batch", batchRow(cut.Batch), "it is missing, but was anchored with the hash %x at %s: %s", cut.Hash, cut.At.UTC().Format(time.RFC3339), gap)
	}
	return nil
}
