// Package auditlog records the acts of operators: the operator, the act, the
// member, the values before and after, and the reason. An entry is written in the
// command that does the act, so neither exists without the other. Entries are
// chained: each hash covers its entry and the hash before. Every minute a command
// adds the last hash to the ledger's signed chain; from then on verify detects an
// entry before it that was changed, removed or inserted.
package auditlog

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/bifolia/bifolia/internal/platform/errs"
	"github.com/bifolia/bifolia/internal/platform/plain"
)

// Entry is one act.
type Entry struct {
	No       int64
	Operator int64  // 0 for the command line and the server itself
	Name     string // the operator's name at that time
	Act      string // such as "block", in lower case
	Member   int64  // the member concerned; 0 for none
	Subject  string // the object concerned, if it is not a member
	Was      string // JSON before the act; "" for nothing
	Became   string // JSON after the act; "" for nothing
	Reason   string
	Shown    bool // the member concerned may see the entry
	At       time.Time
	Hash     Hash
}

// Hash covers an entry and all entries before it.
type Hash [sha256.Size]byte

const maxReason = 200

// ParseReason returns the reason of an act as an entry stores it. Invalid if it is
// too short, too long or not one line of text.
func ParseReason(reason string) (string, error) {
	reason = strings.TrimSpace(reason)
	n := utf8.RuneCountInString(reason)
	if n < 5 || n > maxReason || !utf8.ValidString(reason) || strings.ContainsFunc(reason, plain.Control) {
		return "", errs.BadField("reason", "approval.reason_5_200", "State the reason in 5 to 200 characters, on one line.")
	}
	return reason, nil
}

// State returns a value as JSON for Was and Became.
func State(v any) string {
	raw, err := json.Marshal(v)
	if err != nil {
		return fmt.Sprintf("%q", err.Error())
	}
	return string(raw)
}

// after returns the hash of e, which follows the entry with hash prev. It covers
// every field with its length, so that different entries have different bytes.
func (e Entry) after(prev Hash) Hash {
	b := append([]byte("bifolia trail 1\x00"), prev[:]...)
	number := func(n int64) { b = binary.BigEndian.AppendUint64(b, uint64(n)) }
	shown := int64(0)
	if e.Shown {
		shown = 1
	}
	number(e.No)
	number(e.Operator)
	number(e.Member)
	number(shown)
	number(e.At.UnixMicro())
	for _, s := range []string{e.Name, e.Act, e.Subject, e.Was, e.Became, e.Reason} {
		number(int64(len(s)))
		b = append(b, s...)
	}
	return sha256.Sum256(b)
}

// Filter selects entries; zero values match all.
type Filter struct {
	Operator int64
	Act      string
	Member   int64
	Shown    bool      // only entries that the member may see
	From, To time.Time // From included, To not
	Before   int64     // entries with a smaller number: the next page
	Limit    int
}

// Seal is the hash of an entry, as recorded in the signed chain.
type Seal struct {
	No   int64  `json:"no"`
	Hash []byte `json:"hash"`
}

// Finding is the first wrong entry.
type Finding struct {
	No   int64
	What string
}

func (f *Finding) Error() string { return fmt.Sprintf("entry %d: %s", f.No, f.What) }
