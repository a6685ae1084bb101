package audit

import (
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/bifolia/bifolia/internal/platform/errs"
)

func anchorJSON(batch int64) string {
	return fmt.Sprintf(`{"batch":%d,"seq":%d,"hash":"%064x","at":"2026-11-15T03:12:21Z"}`, batch, batch*2, batch)
}

func TestReadAnchors(t *testing.T) {
	good := anchorJSON(1) + "\n" + anchorJSON(2) + "\n"
	for _, c := range []struct {
		name, text string
		want       int
		bad        string // the line that is named
	}{
		{"empty", "", 0, ""},
		{"good", good, 2, ""},
		{"blank lines", "\n" + good + "\n\n", 2, ""},
		{"last line without an end", good + anchorJSON(3), 3, ""},
		{"torn last line", good + anchorJSON(3)[:40], 2, ""},
		{"torn before anything", anchorJSON(1)[:1], 0, ""},
		{"a tail of zero bytes", good + strings.Repeat("\x00", 10_000), 2, ""},
		{"torn in the middle", anchorJSON(1)[:40] + "\n" + anchorJSON(2) + "\n", 0, "Line 1 "},
		{"bad last line with an end", good + "x\n", 0, "Line 3 "},
		{"a line too long", good + strings.Repeat(" ", 5000) + anchorJSON(3) + "\n" + anchorJSON(4) + "\n", 0, "Line 3 "},
		{"a field missing", `{"batch":1,"seq":2,"at":"2026-11-15T03:12:21Z"}` + "\n" + good, 0, "Line 1 "},
		{"a short hash", good + strings.Replace(anchorJSON(3), "00", "", 1) + "\n", 0, "Line 3 "},
		{"a negative batch", strings.Replace(good, `"batch":2`, `"batch":-2`, 1), 0, "Line 2 "},
		{"no time", strings.Replace(good, "2026", "then", 1), 0, "Line 1 "},
		{"two on a line", anchorJSON(1) + anchorJSON(2) + "\n", 0, "Line 1 "},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "ledger.anchor")
			if err := os.WriteFile(path, []byte(c.text), 0o600); err != nil {
				t.Fatal(err)
			}
			anchors, err := ReadChecked(path)
			if c.bad == "" {
				if err != nil || len(anchors) != c.want {
					t.Fatalf("%d anchors, %v; want %d", len(anchors), err, c.want)
				}
				for i, a := range anchors {
					if a.Batch != int64(i+1) || a.Seq != a.Batch*2 || a.Hash[31] != byte(a.Batch) || a.At.Year() != 2026 {
						t.Errorf("anchor %d: %+v", i, a)
					}
				}
			} else if !errs.Is(err, errs.Invalid) || !strings.Contains(err.Error(), c.bad) || !strings.Contains(err.Error(), path) {
				t.Errorf("want %sof %s named, got %v", c.bad, path, err)
			}
		})
	}
	if _, err := ReadChecked(filepath.Join(t.TempDir(), "none")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("want fs.ErrNotExist, got %v", err)
	}
}

// Anchors that were read can be written and read again, and cutting a file anywhere
// within its last line loses at most that line.
func FuzzReadAnchors(f *testing.F) {
	f.Add(anchorJSON(1)+"\n"+anchorJSON(2)+"\n", 5)
	f.Add(anchorJSON(1)+"\n{\"batch\":", 0)
	f.Add("\x00\n", 1)
	f.Add(strings.Repeat("9", 5000)+"\n", 1)
	f.Fuzz(func(t *testing.T, text string, cut int) {
		anchors, err := parseAnchors(strings.NewReader(text), "fuzz")
		if err != nil {
			if !errs.Is(err, errs.Invalid) {
				t.Fatalf("want Invalid, got %v", err)
			}
			return
		}
		var again strings.Builder
		for _, a := range anchors {
			fmt.Fprintf(&again, `{"batch":%d,"seq":%d,"hash":%q,"at":%q}`+"\n", a.Batch, a.Seq, hex.EncodeToString(a.Hash[:]), a.At.Format(time.RFC3339Nano))
		}
		whole := again.String()
		same, err := parseAnchors(strings.NewReader(whole), "fuzz")
		if err != nil || len(same) != len(anchors) {
			t.Fatalf("read %d, then %d: %v", len(anchors), len(same), err)
		}
		if len(anchors) == 0 {
			return
		}
		last := strings.LastIndexByte(strings.TrimSuffix(whole, "\n"), '\n') + 1
		end := last + int(uint(cut)%uint(len(whole)-last))
		torn, err := parseAnchors(strings.NewReader(whole[:end]), "fuzz")
		if err != nil || len(torn) < len(anchors)-1 {
			t.Fatalf("cut at %d: %d of %d left: %v", end, len(torn), len(anchors), err)
		}
	})
}
