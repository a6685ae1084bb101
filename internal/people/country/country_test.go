package country

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"
	"testing"

	"github.com/biter777/countries"
)

// notISO are what the library lists beyond ISO 3166-1: two dissolved states
// and a code that ISO leaves to users.
var notISO = []string{"AN", "XK", "YU"}

func TestTheFileAndTheLibraryHoldTheSameCountries(t *testing.T) {
	t.Parallel()
	var library []string
	for _, c := range countries.All() {
		if code := c.Alpha2(); !slices.Contains(notISO, code) {
			library = append(library, code)
		}
	}
	file := codes(idsFile)
	slices.Sort(library)
	slices.Sort(file)
	if !slices.Equal(library, file) {
		t.Errorf("the library has %v\nids.txt has %v", library, file)
	}
	if len(file) != 249 || len(slices.Compact(file)) != 249 {
		t.Errorf("%d countries, want 249, each once", len(file))
	}
}

// A changed number would move members to another country without a word.
func TestNumbersNeverChange(t *testing.T) {
	t.Parallel()
	const first249 = "e43e1272d3bf32e91a74482a256d0e2a55fbd43e3eeee6484602a1788958d7ce"
	if sum := sha256.Sum256([]byte(strings.Join(codes(idsFile)[:249], ","))); hex.EncodeToString(sum[:]) != first249 {
		t.Errorf("the order of ids.txt has the hash %x: lines were moved", sum)
	}
	for id, want := range map[int64]string{
		1: "Afghanistan", 2: "Aland Islands", 98: "Haiti", 99: "India", 100: "Heard Island and McDonald Islands", 249: "Zimbabwe",
	} {
		if c, ok := ByID(id); !ok || c.ID != id || c.Name != want {
			t.Errorf("country %d is %+v, want %s", id, c, want)
		}
	}
	if c, _ := ByID(99); c != (Country{ID: 99, Name: "India", ISO: "IN", PhoneCode: "91"}) {
		t.Errorf("country 99 is %+v", c)
	}
	for _, id := range []int64{-1, 0, 250, 1 << 62} {
		if c, ok := ByID(id); ok {
			t.Errorf("country %d is %+v, want none", id, c)
		}
	}
}

func TestAllIsSortedByNameAndEachIsFoundByItsNumber(t *testing.T) {
	t.Parallel()
	all := All()
	if len(all) != 249 || !slices.IsSortedFunc(all, func(a, b Country) int { return strings.Compare(a.Name, b.Name) }) {
		t.Errorf("%d countries, want 249 by name", len(all))
	}
	names := map[string]bool{}
	for _, c := range all {
		if got, ok := ByID(c.ID); !ok || got != c {
			t.Errorf("country %d is %+v, want %+v", c.ID, got, c)
		}
		if c.Name == "" || names[c.Name] || c.Name == countries.UnknownMsg {
			t.Errorf("country %d has the name %q, empty or used before", c.ID, c.Name)
		}
		names[c.Name] = true
	}
	all[0].Name = "changed"
	if All()[0].Name == "changed" {
		t.Error("a caller can change the list")
	}
}

func TestEveryCountryHasADiallingCodeUnlessNobodyCanBeCalledThere(t *testing.T) {
	t.Parallel()
	var silent []string
	for _, c := range All() {
		if c.PhoneCode == "" {
			silent = append(silent, c.Name)
			continue
		}
		if len(c.PhoneCode) > 4 || strings.Trim(c.PhoneCode, "0123456789") != "" || c.PhoneCode[0] == '0' {
			t.Errorf("%s has the dialling code %q", c.Name, c.PhoneCode)
		}
	}
	if want := []string{"Bouvet Island", "Heard Island and McDonald Islands"}; !slices.Equal(silent, want) {
		t.Errorf("without a code: %v, want %v", silent, want)
	}
}

func TestDiallingCodesAreThoseOfMobiles(t *testing.T) {
	t.Parallel()
	want := map[string]string{
		"India": "91", "United States": "1", "Canada": "1", "Jamaica": "1876", "Dominican Republic": "1809", "Puerto Rico": "1787",
		"United Kingdom": "44", "Guernsey": "44", "Aland Islands": "358", "Kazakhstan": "7", "Curacao": "5999", "Aruba": "297",
		"Cocos (Keeling) Islands": "61", "French Southern Territories": "262", "Holy See (Vatican City State)": "39", "Germany": "49",
	}
	for _, c := range All() {
		if code, ok := want[c.Name]; ok && c.PhoneCode != code {
			t.Errorf("%s has %q, want %q", c.Name, c.PhoneCode, code)
		}
		delete(want, c.Name)
	}
	if len(want) > 0 {
		t.Errorf("not in the list: %v", want)
	}
}

// Each correction must still be necessary: a newer library can make it redundant.
func TestCorrectionsStillCorrectSomething(t *testing.T) {
	t.Parallel()
	for _, c := range countries.All() {
		code := c.Alpha2()
		if n, ok := renamed[code]; ok && n == c.String() {
			t.Errorf("%s: the library says %q itself", code, n)
		}
		if p, ok := redialled[code]; ok && "+"+p == c.CallCodes()[0].String() {
			t.Errorf("%s: the library says %q itself", code, p)
		}
	}
}
