package closing

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"hash"
	"slices"
	"strings"

	"github.com/bifolia/bifolia/internal/core/plan"
)

// The carried values decide payments but are in no account. So each close puts their hash
// into the answer of its command, which the ledger's chain signs. The next close and
// 'bifolia verify' compare the tables with it.

// Answer is the answer of a close's command.
type Answer struct {
	Digest string `json:"digest"`
	// Seal covers the members' carried values, the tallies and the plans so far. Flips
	// covers who became active or inactive that day.
	Seal  string `json:"seal"`
	Flips string `json:"flips"`
	Left
}

// readAnswer parses the answer of a close's command.
func readAnswer(raw []byte) (a Answer, err error) {
	return a, json.Unmarshal(raw, &a)
}

// closeKey is the idempotency key of a day's close.
func closeKey(on plan.Day) string { return "close " + on.String() }

// sealed computes a seal.
type sealed struct {
	sum hash.Hash
	w   *bufio.Writer
}

func newSealed() *sealed {
	sum := sha256.New()
	return &sealed{sum, bufio.NewWriterSize(sum, 64<<10)}
}

func (s *sealed) numbers(all ...int64) {
	var b [8]byte
	for _, n := range all {
		binary.BigEndian.PutUint64(b[:], uint64(n))
		_, _ = s.w.Write(b[:]) // a hash never fails
	}
}

func (s *sealed) text(t string) {
	s.numbers(int64(len(t)))
	_, _ = s.w.WriteString(t)
}

// carried adds a member with carried values.
func (s *sealed) carried(c Carried) {
	if c == (Carried{No: c.No}) {
		return
	}
	active := int64(0)
	if c.Active {
		active = 1
	}
	var b [13 * 8]byte // one write: this runs for every member, twice a close
	for i, n := range [13]int64{c.No, c.Final, c.Sales, c.Own, c.Month, c.Left, c.Right, c.Match, c.Rank, c.Reward, c.Months, active, c.Debt} {
		binary.BigEndian.PutUint64(b[i*8:], uint64(n))
	}
	_, _ = s.w.Write(b[:])
}

// plans adds the versions until a day.
func (s *sealed) plans(all []Version, on plan.Day) {
	for _, v := range all {
		if v.First <= on {
			s.numbers(int64(v.First))
			s.text(v.Name)
			s.text(string(v.Body))
		}
	}
}

func (s *sealed) String() string {
	_ = s.w.Flush()
	return hex.EncodeToString(s.sum.Sum(nil))
}

// tallies are the names of counters that only closes change.
func tallies() (names []string) {
	for k := plan.LEVEL; k < plan.RESERVE; k++ {
		names = append(names, "deficit:"+k.Name())
	}
	for _, line := range plan.LineNames {
		names = append(names, "settled:"+line)
	}
	return names
}

// beginSeal hashes the carried values in parallel to the close, which must not change
// them until seal has returned.
func (d *day) beginSeal() {
	book, begun := d.book, make(chan *sealed, 1)
	d.begun = begun
	go func() {
		s := newSealed()
		for i := range book.UID {
			s.carried(carriedBy(book, i))
		}
		begun <- s
	}()
}

// seal returns the hash of the book with the plans of a day, after beginSeal.
func (d *day) seal(ctx context.Context, on plan.Day) (string, error) {
	s := <-d.begun
	s.numbers(-1) // separates members and tallies
	for k := plan.LEVEL; k < plan.RESERVE; k++ {
		s.numbers(d.book.Deficit[k])
	}
	for i := range plan.LineNames {
		s.numbers(d.book.Lines[i].Settled)
	}
	versions, err := d.s.opt.Store.Versions(ctx, d.tx)
	s.plans(versions, on)
	return s.String(), err
}

// checkSeal refuses to continue if the database differs from the seal of the last close.
func (d *day) checkSeal(ctx context.Context, last plan.Day) error {
	got, err := d.seal(ctx, last) // before the book changes
	if err != nil {
		return err
	}
	raw, found, err := d.s.opt.Store.Answered(ctx, d.tx, closeKey(last))
	if err != nil || !found {
		return err
	}
	a, err := readAnswer(raw)
	if err != nil {
		return err
	}
	if got != a.Seal {
		return notLeft("What members carry, the tallies or the plans are", last)
	}
	return d.checkLeft(ctx, a.Left, last)
}

// answer returns the answer of the close.
func (d *day) answer(ctx context.Context, digest string) ([]byte, error) {
	a := Answer{Digest: digest, Left: d.left()}
	var err error
	if a.Seal, err = d.seal(ctx, d.day); err != nil {
		return nil, err
	}
	flips := newSealed()
	for _, f := range d.flips() {
		flips.flip(f)
	}
	a.Flips = flips.String()
	return json.Marshal(a)
}

func (s *sealed) flip(f Flip) {
	active := int64(0)
	if f.Active {
		active = 1
	}
	s.numbers(f.No, active)
}

// flips returns who became active or inactive in this close.
func (d *day) flips() (all []Flip) {
	for _, f := range d.book.Flips {
		if f.Day == d.day {
			all = append(all, Flip{int64(f.Member) + 1, f.Day, f.Active})
		}
	}
	return all
}

// checkSeals compares the tables with the answers of closes.
func checkSeals(ctx context.Context, m Moment) error {
	answers, last := map[plan.Day]Answer{}, plan.Day(0)
	if err := m.Closes(ctx, func(c Closed, raw []byte) error {
		if len(raw) == 0 {
			return &Broken{"a closed day was closed by a command", "day " + c.Day.String(), c.Digest, ""}
		}
		a, err := readAnswer(raw)
		if err != nil {
			return fmt.Errorf("closing: the answer of %s: %w", c.Day, err)
		}
		if a.Digest != c.Digest {
			return &Broken{"a closed day's digest is the one that its close answered", "day " + c.Day.String(), c.Digest, a.Digest}
		}
		answers[c.Day], last = a, max(last, c.Day)
		return nil
	}); err != nil {
		return err
	}
	if len(answers) > 0 {
		got, err := sealOf(ctx, m, last)
		if err != nil {
			return err
		}
		if got != answers[last].Seal {
			return &Broken{"what members carry, the tallies and the plans are what the last close left", "day " + last.String(), got, answers[last].Seal}
		}
		if err := checkLefts(ctx, m, answers[last].Left, last); err != nil {
			return err
		}
	}
	return checkFlips(ctx, m, answers)
}

// sealOf computes the seal of the tables.
func sealOf(ctx context.Context, m Moment, on plan.Day) (string, error) {
	s := newSealed()
	if err := m.Carried(ctx, func(c Carried) error { s.carried(c); return nil }); err != nil {
		return "", err
	}
	s.numbers(-1)
	has, err := m.Tallies(ctx)
	if err != nil {
		return "", err
	}
	known := tallies()
	for _, name := range known {
		s.numbers(has[name])
	}
	for name := range has {
		if !slices.Contains(known, name) && !strings.HasPrefix(name, "frozen:") { // what is frozen is that of the claims
			return "", &Broken{"there are no tallies but those that closes keep", "tally " + name, "there", "missing"}
		}
	}
	versions, err := m.Versions(ctx)
	s.plans(versions, on)
	return s.String(), err
}

func checkFlips(ctx context.Context, m Moment, answers map[plan.Day]Answer) error {
	days := map[plan.Day]*sealed{}
	for on := range answers {
		days[on] = newSealed()
	}
	if err := m.Flips(ctx, func(f Flip) error {
		if s := days[f.Day]; s != nil {
			s.flip(f)
		}
		return nil
	}); err != nil {
		return err
	}
	for on, s := range days {
		if got := s.String(); got != answers[on].Flips {
			return &Broken{"who became active or inactive is what the day's close said", "day " + on.String(), got, answers[on].Flips}
		}
	}
	return nil
}
