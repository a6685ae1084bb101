package audit

import (
	"strconv"
	"strings"
)

// noFloor is the floor of the accounts that may be negative.
const noFloor = -1 << 61

// place is an account's parsed code.
type place struct {
	kind  string
	owner int64
	line  string // the rest after the kind
}

// locate parses a code; false if it is not valid.
func locate(code string) (place, bool) {
	side, rest, found := strings.Cut(code, ":")
	name, line, _ := strings.Cut(rest, ":")
	if !found || side == "" || name == "" {
		return place{}, false
	}
	p := place{kind: code[:len(side)+1+len(name)], line: line}
	switch p.kind {
	case "L:FUND", "L:INCOME", "L:HELD":
		p.owner = member(line[strings.LastIndexByte(line, ':')+1:])
	case "L:PRINCIPAL":
		if parts := strings.SplitN(line, ":", 3); len(parts) == 3 { // the last is an id: any text
			p.owner = member(parts[1])
		}
	default:
		return p, true
	}
	return p, p.owner > 0
}

// member parses a member id; 0 if it is not in canonical form.
func member(s string) int64 {
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil || n <= 0 || strconv.FormatInt(n, 10) != s {
		return 0
	}
	return n
}

func (p place) asset() bool    { return strings.HasPrefix(p.kind, "A:") }
func (p place) pool() bool     { return strings.HasPrefix(p.kind, "P:") }
func (p place) working() bool  { return p.pool() && p.kind != "P:RESERVE" }
func (p place) income() bool   { return p.kind == "L:INCOME" || p.kind == "L:HELD" }
func (p place) roiHeld() bool  { return p.kind == "L:ROI_HELD" }
func (p place) bounded() bool  { return p.kind != "E:COMPANY" && p.kind != "A:OPERATING" }
func (p place) deferred() bool { return p.kind == "L:DEFERRED" }

func (p place) floor() int64 {
	if p.bounded() {
		return 0
	}
	return noFloor
}
