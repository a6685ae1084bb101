package payout

import (
	"strings"
	"testing"

	"github.com/bifolia/bifolia/internal/platform/errs"
)

// Whatever list of hashes comes back, each line that is taken names one withdrawal and
// one transaction, none twice, and the rest is Invalid.
func FuzzParseList(f *testing.F) {
	hash := "0x" + strings.Repeat("ab", 32)
	for _, s := range []string{
		"id,hash\r\n1," + hash + "\r\n", "\xef\xbb\xbfid,uid,address,amount,hash\n1,2,'0xab,3.00,\n", "hash,id,replaces\n" + hash + ",1," + hash,
		"id,hash\n1," + hash + "\n1," + hash, "id,hash\n-1,0x\n", "id\n", "\"", "id;hash\n1;" + hash, "id,hash\n\"1\n",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		all, _, err := parseList(raw)
		if err != nil {
			if !errs.Is(err, errs.Invalid) {
				t.Fatal(err)
			}
			return
		}
		ids, hashes := map[int64]bool{}, map[string]bool{}
		for _, l := range all {
			if is, ok := parseHash(l.hash); !ok || is != l.hash || l.id <= 0 || ids[l.id] || hashes[l.hash] {
				t.Errorf("%q has a line of %d and %q", raw, l.id, l.hash)
			}
			ids[l.id], hashes[l.hash] = true, true
		}
	})
}
