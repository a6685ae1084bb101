package closing

import (
	"bufio"
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"slices"
	"strconv"

	"github.com/bifolia/bifolia/internal/core/plan"
	"github.com/bifolia/bifolia/internal/platform/money"
)

// Report is a closed day for display and digest. The digested fields are in the order of
// their keys, which package json keeps.
type Report struct {
	Carry     *Carry            `json:"carry"`
	Day       string            `json:"day"`
	Digest    string            `json:"digest"`
	Events    []string          `json:"events"`
	Finalised []string          `json:"finalised"`
	Plan      string            `json:"plan"`
	Pools     map[string]string `json:"pools"`
	Refused   [][2]string       `json:"refused"`
	Rows      *Rows             `json:"rows"`
	Changes   Changes           `json:"status_changes"`

	// Company is derived from the rest and from the ledger.
	Company Company `json:"-"`
	// Already is set if the day was closed before; the report then has only day, plan and
	// digest.
	Already bool `json:"-"`
}

// A report of a large day is too long to be held as text. Its long lists are encoded in
// pieces, in the same bytes that package json writes.

// written are the parts of a report with their own encoding.
type written interface{ writeTo(w *bufio.Writer) }

// marshal returns the encoding for package json.
func marshal(part written) ([]byte, error) {
	var b bytes.Buffer
	w := bufio.NewWriter(&b)
	part.writeTo(w)
	err := w.Flush()
	return b.Bytes(), err
}

// makeDigest returns the hash of a report without its digest: of its JSON with sorted
// keys and no blanks.
func (r *Report) makeDigest() (string, error) {
	sum := sha256.New()
	if err := r.write(sum); err != nil {
		return "", err
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}

func (r *Report) write(to io.Writer) error {
	w := bufio.NewWriterSize(to, 64<<10)
	comma := byte('{')
	for _, part := range []struct {
		key   string
		value any
	}{
		{"carry", r.Carry},
		{"day", r.Day},
		{"events", r.Events},
		{"finalised", r.Finalised},
		{"plan", r.Plan},
		{"pools", r.Pools},
		{"refused", r.Refused},
		{"rows", r.Rows},
		{"status_changes", r.Changes},
	} {
		_ = w.WriteByte(comma) // Flush returns the error
		comma = ','
		_, _ = w.WriteString(`"` + part.key + `":`)
		if long, ok := part.value.(written); ok {
			long.writeTo(w)
			continue
		}
		raw, err := json.Marshal(part.value)
		if err != nil {
			return err
		}
		_, _ = w.Write(raw)
	}
	_ = w.WriteByte('}')
	return w.Flush()
}

// Rows are the income rows of a report, created on access.
type Rows struct {
	d *day
	n int
}

// Len returns their number.
func (r *Rows) Len() int {
	if r == nil {
		return 0
	}
	return r.n
}

// Page returns a range of the rows as shown.
func (r *Rows) Page(from, to int) []map[string]any {
	out := make([]map[string]any, 0, to-from)
	for i := from; i < to; i++ {
		out = append(out, Show(r.d.p, r.d.state(i), r.d.earner))
	}
	return out
}

// MarshalJSON encodes the rows as shown by Show.
func (r *Rows) MarshalJSON() ([]byte, error) { return marshal(r) }

func (r *Rows) writeTo(w *bufio.Writer) {
	s := shower{p: r.d.p, uid: r.d.earner}
	var b []byte
	_ = w.WriteByte('[')
	for i := range r.n {
		x := r.d.state(i)
		all := s.fields(&x)
		slices.SortFunc(all, func(a, b field) int { return cmp.Compare(a.key, b.key) })
		b = b[:0]
		if i > 0 {
			b = append(b, ',')
		}
		open := byte('{')
		for k := range all {
			b = append(b, open, '"')
			b = append(b, all[k].key...)
			b = all[k].append(append(b, '"', ':'))
			open = ','
		}
		_, _ = w.Write(append(b, '}'))
	}
	_ = w.WriteByte(']')
}

// append appends the field's encoded value.
func (f *field) append(b []byte) []byte {
	switch f.kind {
	case isNumber:
		return strconv.AppendInt(b, f.num, 10)
	case isAmount:
		return append(money.Micro(f.num).Append(append(b, '"')), '"')
	}
	return quote(b, f.text)
}

// quote appends text as package json encodes it.
func quote(b []byte, s string) []byte {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c > '~' || c == '"' || c == '\\' || c == '<' || c == '>' || c == '&' {
			raw, err := json.Marshal(s)
			if err != nil { // never for a string
				panic(err)
			}
			return append(b, raw...)
		}
	}
	return append(append(append(b, '"'), s...), '"')
}

// Change is a row's new status.
type Change struct {
	Row int64
	SS  string
}

// Changes are ordered by row.
type Changes []Change

// MarshalJSON writes pairs.
func (c Changes) MarshalJSON() ([]byte, error) { return marshal(c) }

func (c Changes) writeTo(w *bufio.Writer) {
	var b []byte
	_ = w.WriteByte('[')
	for i, x := range c {
		b = b[:0]
		if i > 0 {
			b = append(b, ',')
		}
		b = strconv.AppendInt(append(b, '['), x.Row, 10)
		b = append(quote(append(b, ','), x.SS), ']')
		_, _ = w.Write(b)
	}
	_ = w.WriteByte(']')
}

// Carry is the carried volume of the members who have some, ordered by their ids as text.
type Carry struct {
	book  *plan.Book
	order []int32
}

// newCarry sorts ids as text without formatting them: by their digits from the left, the
// shorter first.
func newCarry(b *plan.Book) *Carry {
	type member struct {
		digits uint64 // an int64 could not hold a 9 and eighteen more digits
		uid    int64
		i      int32
	}
	var all []member
	for i := range b.UID {
		if b.Left[i] == 0 && b.Right[i] == 0 {
			continue
		}
		n := uint64(b.UID[i])
		for n > 0 && n < 1e18 {
			n *= 10
		}
		all = append(all, member{n, b.UID[i], int32(i)})
	}
	slices.SortFunc(all, func(x, y member) int { return cmp.Or(cmp.Compare(x.digits, y.digits), cmp.Compare(x.uid, y.uid)) })
	c := &Carry{book: b, order: make([]int32, len(all))}
	for k := range all {
		c.order[k] = all[k].i
	}
	return c
}

// MarshalJSON writes both legs of each member.
func (c *Carry) MarshalJSON() ([]byte, error) { return marshal(c) }

func (c *Carry) writeTo(w *bufio.Writer) {
	var b []byte
	_ = w.WriteByte('{')
	for k, i := range c.order {
		b = b[:0]
		if k > 0 {
			b = append(b, ',')
		}
		b = strconv.AppendInt(append(b, '"'), c.book.UID[i], 10)
		b = money.Micro(c.book.Left[i]).Append(append(b, `":["`...))
		b = money.Micro(c.book.Right[i]).Append(append(b, `","`...))
		_, _ = w.Write(append(b, `"]`...))
	}
	_ = w.WriteByte('}')
}
