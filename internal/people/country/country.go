// Package country lists the countries of ISO 3166-1 with stable numbers. Members store
// such a number, so it never changes: ids.txt fixes the order, independent of the library
// of names.
package country

import (
	_ "embed"
	"slices"
	"strings"
	"sync"

	"github.com/biter777/countries"
)

// Country is one entry of the list, as sent to clients.
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

// list reads ids.txt once. A test proves that it agrees with the library.
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

// renamed replaces names that are outdated or unusual in the library.
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
	// The first is the oldest; the others were added when its numbers ran out.
	return strings.TrimPrefix(known[0].String(), "+")
}

// redialled corrects codes that the library has wrong for mobiles: it adds the area code
// of fixed lines, or names a code out of use.
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
