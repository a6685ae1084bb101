package ledger

import (
	"strconv"
	"strings"
	"unicode"

	"github.com/bifolia/bifolia/internal/platform/errs"
)

// kindSpec describes one kind of account in the chart.
type kindSpec struct {
	parts     int  // number of parts that follow the kind in a code
	owner     int  // which part is the member's id, counted from 1; 0 = the company's account
	named     bool // the last part is an id of any text
	unbounded bool // may be negative: the company's own assets and debts
}

// chart lists every kind of account. A: assets. L: liabilities. P: pools that
// final sales fill. E: the company's equity.
var chart = map[string]kindSpec{
	"A:CLIENT":       {},
	"A:FIELD":        {},
	"A:OPERATING":    {unbounded: true}, // mirrors company equity
	"A:TRADING":      {parts: 1},
	"L:FUND":         {parts: 2, owner: 2},
	"L:DEFERRED":     {parts: 1, named: true},
	"L:PRINCIPAL":    {parts: 3, owner: 2, named: true},
	"L:INCOME":       {parts: 2, owner: 2},
	"L:HELD":         {parts: 2, owner: 2},
	"L:ROI_HELD":     {parts: 1},
	"L:FEE_HELD":     {parts: 1},
	"L:LINE_RESERVE": {parts: 1},
	"P:LEVEL":        {},
	"P:MATCH":        {},
	"P:LEAD":         {},
	"P:ROYALTY":      {},
	"P:RESERVE":      {},
	"E:COMPANY":      {unbounded: true},
}

// noFloor is the floor of accounts that may be negative. It is not the
// smallest int64, so that posted − held − floor cannot overflow.
const noFloor = -1 << 61

// maxPart is the maximum length of a part, maxName that of an id, in bytes.
const (
	maxPart = 40
	maxName = maxKey
)

// Account is an account code, such as L:FUND:FUNDS:100007. The zero value is no
// account; only ParseAccount makes others, so every Account is in the chart.
type Account struct{ code string }

// ParseAccount reads an account's code. Invalid if its kind is not in the
// chart, or its parts are missing, too many or malformed.
func ParseAccount(code string) (Account, error) {
	if len(code) > 240 {
		return Account{}, errs.New(errs.Invalid, "ledger.account_long", "The account code is too long.")
	}
	kind := Account{code}.Kind()
	spec, known := chart[kind]
	if !known || len(kind) == len(code) != (spec.parts == 0) {
		return Account{}, errs.New(errs.Invalid, "ledger.account_unknown", "Account {account} is unknown.", "account", strconv.Quote(code))
	}
	if spec.parts == 0 {
		return Account{code}, nil
	}
	split := -1
	if spec.named { // the id may contain colons
		split = spec.parts
	}
	parts := strings.SplitN(code[len(kind)+1:], ":", split)
	if len(parts) != spec.parts {
		return Account{}, errs.New(errs.Invalid, "ledger.account_unknown", "Account {account} is unknown.", "account", strconv.Quote(code))
	}
	for i, p := range parts {
		ok := wellFormed(p)
		if spec.named && i+1 == spec.parts {
			ok = p != "" && checkText("id", p, maxName) == nil && !strings.ContainsFunc(p, unicode.IsControl)
		}
		if !ok || (i+1 == spec.owner && parseOwner(p) == 0) {
			return Account{}, errs.New(errs.Invalid, "ledger.account_malformed", "Account {account} is unknown: part {part} is malformed.", "account", strconv.Quote(code), "part", strconv.Quote(p))
		}
	}
	return Account{code}, nil
}

// MustAccount is ParseAccount for constants in code and tests.
func MustAccount(code string) Account {
	a, err := ParseAccount(code)
	if err != nil {
		panic(err)
	}
	return a
}

// parseOwner reads a member id; 0 if it is not in canonical form, so that each
// account has one code.
func parseOwner(s string) int64 {
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil || n <= 0 || strconv.FormatInt(n, 10) != s {
		return 0
	}
	return n
}

func wellFormed(part string) bool {
	if part == "" || len(part) > maxPart {
		return false
	}
	for i := range len(part) {
		c := part[i]
		ok := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c == '-'
		if !ok {
			return false
		}
	}
	return true
}

func (a Account) String() string { return a.code }

// Kind is the part of the code that names the kind: "L:FUND".
func (a Account) Kind() string {
	first := strings.IndexByte(a.code, ':')
	if next := strings.IndexByte(a.code[first+1:], ':'); next >= 0 {
		return a.code[:first+1+next]
	}
	return a.code
}

// Owner is the id of the member who owns the account; 0 for the company's.
func (a Account) Owner() int64 {
	spec := chart[a.Kind()]
	if spec.owner == 0 {
		return 0
	}
	rest := a.code
	for range 1 + spec.owner {
		_, rest, _ = strings.Cut(rest, ":")
	}
	owner, _, _ := strings.Cut(rest, ":")
	return parseOwner(owner)
}

// line is the trading line in the code of A:TRADING and L:ROI_HELD.
func (a Account) line() string { return a.code[strings.LastIndexByte(a.code, ':')+1:] }

// floor is the minimum available balance of an account of this kind.
func (a Account) floor() int64 {
	if chart[a.Kind()].unbounded {
		return noFloor
	}
	return 0
}

// isAsset reports whether a kind is on the asset side.
func isAsset(kind string) bool { return strings.HasPrefix(kind, "A:") }

func isPool(kind string) bool { return strings.HasPrefix(kind, "P:") }

// reserve receives leftovers of pools and incomes taken back. It pays no income.
const reserve = "P:RESERVE"

// isWorkingPool reports whether a kind is a pool that final sales fill and that
// pays incomes.
func isWorkingPool(kind string) bool { return isPool(kind) && kind != reserve }

// isIncome reports whether a kind is earned money, held or released. Such
// accounts must not be credited out of deposits.
func isIncome(kind string) bool { return kind == "L:INCOME" || kind == "L:HELD" }
