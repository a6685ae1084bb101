// Package country lists the countries of ISO 3166-1 with the numbers that we
// know them by. Members keep such a number, so it never changes: ids.txt holds
// the order, whatever the library of names does.
package country

import (
	_ "embed"
	"slices"
	"strings"
	"sync"

	"github.com/biter777/countries"
)

// Country is one entry of the list, as it goes over the wire.
type Country struct {
	ID        int64  `json:"id"`
	Name      string `json:"name"`
	ISO       string `json:"iso" doc:"ISO 3166-1 alpha-2; by it a browser knows the name in other languages."`
	PhoneCode string `json:"phonecode"` // digits; the screen adds the plus; "" where nobody can be called
}

// ids.txt has one ISO 3166-1 alpha-2 code per line; the n-th code is country n.
//
//go:embed ids.txt
var idsFile string

// All lists every country, by name.
func All() []Country { return slices.Clone(list().byName) }

// ByID finds a country; false if there is none with this id.
func ByID(id int64) (Country, bool) {
	all := list().byID
	if id < 1 || id > int64(len(all)) {
		return Country{}, false
	}
	return all[id-1], true
}

type loaded struct{ byID, byName []Country }

// list reads ids.txt once. That it agrees with the library is proved by a test
// and does not depend on anything at run time.
var list = sync.OnceValue(func() loaded {
	library := map[string]countries.CountryCode{}
	for _, c := range countries.All() {
		library[c.Alpha2()] = c
	}
	var l loaded
	for i, code := range codes(idsFile) {
		c, ok := library[code]
		if !ok {
			panic("country: ids.txt names " + code + ", which the library does not know")
		}
		l.byID = append(l.byID, Country{ID: int64(i + 1), Name: name(code, c), ISO: code, PhoneCode: phoneCode(code, c)})
	}
	l.byName = slices.SortedFunc(slices.Values(l.byID), func(a, b Country) int { return strings.Compare(a.Name, b.Name) })
	return l
})

// codes are the lines of ids.txt that are neither empty nor comments.
func codes(file string) []string {
	var out []string
	for line := range strings.Lines(file) {
		line, _, _ = strings.Cut(line, "#")
		if line = strings.TrimSpace(line); line != "" {
			out = append(out, line)
		}
	}
	return out
}

func name(code string, c countries.CountryCode) string {
	if n, ok := renamed[code]; ok {
		return n
	}
	return c.String()
}

// renamed are names that the library has kept from before, or writes in a way
// that no list would.
var renamed = map[string]string{
	"BQ": "Bonaire, Sint Eustatius and Saba",
	"IM": "Isle of Man",
	"LY": "Libya",
	"MF": "Saint Martin (French part)",
	"MK": "North Macedonia",
	"SX": "Sint Maarten (Dutch part)",
	"SZ": "Eswatini",
	"VG": "Virgin Islands (British)",
	"VI": "Virgin Islands (US)",
}

func phoneCode(code string, c countries.CountryCode) string {
	if p, ok := redialled[code]; ok {
		return p
	}
	known := c.CallCodes()
	if len(known) == 0 {
		return ""
	}
	// The first is the oldest; the others came when its numbers ran out.
	return strings.TrimPrefix(known[0].String(), "+")
}

// redialled are codes that the library has wrong for mobiles: it adds the area
// of the fixed lines (mobiles have another), or names a code out of use.
var redialled = map[string]string{
	"AX": "358", // Åland shares Finland's mobiles
	"BQ": "599", // one code for three islands
	"CC": "61",
	"CX": "61",
	"GG": "44",
	"IM": "44",
	"JE": "44",
	"SJ": "47",
	"TF": "262", // not North America's
	"VA": "39",  // Italy's; its own code was never switched on
	"YT": "262",

	// Nobody lives there and there is no network.
	"BV": "",
	"HM": "",
}
