package audit

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Summary is the result of a successful verification.
type Summary struct {
	Batches    int64     `json:"batches"`
	Transfers  int64     `json:"transfers"`
	Entries    int64     `json:"entries"`
	Commands   int64     `json:"commands"`
	Accounts   int64     `json:"accounts"`
	Holds      int64     `json:"holds"`
	OpenHolds  int64     `json:"open_holds"`
	Sums       []KindSum `json:"sums"`
	Epoch      int64     `json:"epoch"`
	Head       string    `json:"head"` // hash of the last batch, hex
	Keys       []string  `json:"keys"` // the keys that signed
	LastAnchor string    `json:"last_anchor,omitempty"`
}

// KindSum is the sum of the accounts of one kind, in dollars.
type KindSum struct {
	Kind     string `json:"kind"`
	Accounts int64  `json:"accounts"`
	Posted   string `json:"posted"`
	Held     string `json:"held"`
}

// String returns the summary for users.
func (s Summary) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "The ledger is in order: %d batches, %d transfers, %d entries, %d commands, %d accounts, %d holds (%d open).\n",
		s.Batches, s.Transfers, s.Entries, s.Commands, s.Accounts, s.Holds, s.OpenHolds)
	fmt.Fprintf(&b, "Head %s, epoch %d, signed by %s.\n", s.Head, s.Epoch, orNone(strings.Join(s.Keys, ", ")))
	fmt.Fprintf(&b, "Last anchor: %s.\n", orNone(s.LastAnchor))
	fmt.Fprintf(&b, "%-16s%10s%22s%22s\n", "kind", "accounts", "posted", "held")
	for _, k := range s.Sums {
		fmt.Fprintf(&b, "%-16s%10d%22s%22s\n", k.Kind, k.Accounts, k.Posted, k.Held)
	}
	return b.String()
}

func orNone(s string) string { return cmp.Or(s, "none") }

func anchorText(a *Anchor) string {
	if a == nil {
		return ""
	}
	return a.String()
}

// kindSums sums accounts by kind.
type kindSums map[string]*kindSum

type kindSum struct {
	accounts     int64
	posted, held sum
}

func (k kindSums) add(a *Account) {
	s := k[a.Kind]
	if s == nil {
		s = &kindSum{}
		k[a.Kind] = s
	}
	s.accounts++
	s.posted.add(a.Posted)
	s.held.add(a.Held)
}

// even checks that assets equal the sum of all other accounts.
func (k kindSums) even() error {
	var assets, others sum
	for kind, s := range k {
		side := &others
		if (place{kind: kind}).asset() {
			side = &assets
		}
		side.hi += s.posted.hi
		side.lo += s.posted.lo
		side.carry()
	}
	if assets != others {
		return wrong("account", "all accounts", "asset accounts have %s posted, but all others %s", assets, others)
	}
	return nil
}

// list returns the sums by kind: assets first, then by name.
func (k kindSums) list() []KindSum {
	out := make([]KindSum, 0, len(k))
	for kind, s := range k {
		out = append(out, KindSum{Kind: kind, Accounts: s.accounts, Posted: s.posted.String(), Held: s.held.String()})
	}
	slices.SortFunc(out, func(a, b KindSum) int { return strings.Compare(a.Kind, b.Kind) })
	return out
}
