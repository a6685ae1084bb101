package brand

import (
	"encoding/json"
	"fmt"
	"reflect"

	"github.com/bifolia/bifolia/internal/platform/eip55"
	"github.com/bifolia/bifolia/internal/platform/errs"
	"github.com/bifolia/bifolia/internal/platform/shape"
)

// A brand has three parts that change separately: the public content, the company's bank
// accounts, and the USDT address. Each follows the rules of the file, and names its
// mistakes by the same paths.

// Content is the public content.
type Content struct {
	Site     Site      `json:"site"`
	Counters []Counter `json:"counters" nullable:"false" items:"1-8"`
}

// Accounts are the company's bank accounts.
type Accounts struct {
	Banks []Bank `json:"banks" nullable:"false" items:"0-20"`
}

// Deposit is the address that members send USDT to.
type Deposit struct {
	USDT string `json:"usdt" text:"42"`
}

// ParseContent parses a Content. Invalid names every mistake at once.
func ParseContent(raw []byte) (c Content, err error) {
	err = parsePart("content", raw, &c, func(m *mistakes) {
		(&Brand{Site: c.Site, Counters: c.Counters}).checkContent(m)
	})
	return c, err
}

// ParseAccounts parses an Accounts. Invalid names every mistake at once.
func ParseAccounts(raw []byte) (a Accounts, err error) {
	err = parsePart("accounts", raw, &a, func(m *mistakes) { (&Brand{Banks: a.Banks}).checkBanks(m) })
	return a, err
}

// ParseDeposit parses a Deposit and adds the address's capitals. Invalid if it is no
// address, or the capitals are wrong.
func ParseDeposit(raw []byte) (d Deposit, err error) {
	err = parsePart("deposit", raw, &d, func(m *mistakes) { (&Brand{USDT: d.USDT}).checkUSDT(m) })
	if err == nil {
		d.USDT, _ = eip55.Parse(d.USDT)
	}
	return d, err
}

// parsePart parses raw into part and checks it by the tags and the part's rules.
func parsePart(whole string, raw []byte, part any, rules func(*mistakes)) error {
	if len(raw) > maxSize {
		return errs.New(errs.Invalid, "brand.part_too_large", "This has {bytes} bytes; it may have {most}.", "bytes", len(raw), "most", maxSize)
	}
	wrong, _ := shape.Read(whole, raw, part)
	if err := errs.Fields(wrong); err != nil {
		return err
	}
	var m mistakes
	m.walk("", reflect.ValueOf(part).Elem(), "")
	rules(&m)
	return errs.Fields(m)
}

// Content returns the part of b.
func (b *Brand) Content() Content { return Content{b.Site, b.Counters} }

// Accounts returns the part of b.
func (b *Brand) Accounts() Accounts { return Accounts{b.Banks} }

// Deposit returns the part of b.
func (b *Brand) Deposit() Deposit { return Deposit{b.USDT} }

// With is b with stored parts in place of its own, each a JSON text that was parsed
// before; nil keeps b's. Fields missing in a part are b's too.
func (b *Brand) With(parts ...[]byte) (*Brand, error) {
	out := &Brand{version: b.version}
	own, err := json.Marshal(b)
	if err != nil {
		return nil, err
	}
	for _, raw := range append([][]byte{own}, parts...) {
		if raw == nil {
			continue
		}
		// out is a deep copy of b: the decoder overwrites existing lists, and readers share
		// b.
		if err := json.Unmarshal(raw, out); err != nil {
			return nil, fmt.Errorf("a stored part of the brand cannot be read: %w", err)
		}
	}
	return out, nil
}
