package member_test

import (
	"strconv"
	"testing"

	"pgregory.net/rapid"

	"github.com/bifolia/bifolia/internal/people/member"
	"github.com/bifolia/bifolia/internal/platform/errs"
)

func TestAUserIDIsSixToTenDigitsWithoutALeadingZero(t *testing.T) {
	t.Parallel()
	for s, want := range map[string]int64{"100000": 100000, "999999": 999999, "1234567": 1234567, "9999999999": 9999999999} {
		if got, err := member.ParseUserID(s); err != nil || got != want {
			t.Errorf("ParseUserID(%q) = %d, %v", s, got, err)
		}
	}
	for _, s := range []string{"", "0", "99999", "012345", "12345678901", "12345a", "-123456", "+123456", " 123456", "123456 ", "123 456", "१२३४५६", "1e6789", "123456\x00", "0x1234"} {
		if got, err := member.ParseUserID(s); !errs.Is(err, errs.Invalid) || got != 0 {
			t.Errorf("ParseUserID(%q) = %d, %v, want it refused", s, got, err)
		}
	}
}

func newIDs(t testing.TB, key string) *member.IDs {
	t.Helper()
	ids, err := member.NewIDs([]byte(key))
	if err != nil {
		t.Fatal(err)
	}
	return ids
}

const (
	keyA = "0123456789abcdef"
	keyB = "0123456789abcdeg"
)

func TestEverySixDigitIDIsGivenOutExactlyOnce(t *testing.T) {
	t.Parallel()
	ids := newIDs(t, keyA)
	seen := make([]bool, 1_000_000)
	for no := int64(1); no <= 900_000; no++ {
		id := ids.At(no)
		if id < 100_000 || id > 999_999 || seen[id] {
			t.Fatalf("member %d has the id %d: out of range or given out before", no, id)
		}
		seen[id] = true
	}
}

func TestLongerIDsFollowWhenShorterOnesRunOut(t *testing.T) {
	t.Parallel()
	ids := newIDs(t, keyA)
	seen := map[int64]bool{}
	for no := int64(900_001); no <= 9_900_000; no += 97 {
		id := ids.At(no)
		if id < 1_000_000 || id > 9_999_999 || seen[id] {
			t.Fatalf("member %d has the id %d: out of range or given out before", no, id)
		}
		seen[id] = true
	}
	for no, length := range map[int64]int{
		1: 6, 900_000: 6, 900_001: 7, 9_900_000: 7, 9_900_001: 8, 99_900_000: 8, 99_900_001: 9, 999_900_000: 9, 999_900_001: 10, 9_999_900_000: 10,
	} {
		if id := strconv.FormatInt(ids.At(no), 10); len(id) != length {
			t.Errorf("member %d has the id %s, want %d digits", no, id, length)
		}
	}
	for _, no := range []int64{-1 << 63, -1, 0, 9_999_900_001, 1<<63 - 1} {
		if id := ids.At(no); id != 0 {
			t.Errorf("member %d has the id %d, want none", no, id)
		}
	}
}

func TestNoTwoMembersShareAnID(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		ids, err := member.NewIDs(rapid.SliceOfN(rapid.Byte(), 16, 16).Draw(t, "key"))
		if err != nil {
			t.Fatal(err)
		}
		a, b := rapid.Int64Range(1, 9_999_900_000).Draw(t, "a"), rapid.Int64Range(1, 9_999_900_000).Draw(t, "b")
		if (ids.At(a) == ids.At(b)) != (a == b) {
			t.Errorf("members %d and %d have the ids %d and %d", a, b, ids.At(a), ids.At(b))
		}
		if _, err := member.ParseUserID(strconv.FormatInt(ids.At(a), 10)); err != nil {
			t.Errorf("member %d has the id %d: %v", a, ids.At(a), err)
		}
	})
}

// Members keep their ids: a change of how they are drawn fails this test first.
// The numbers were computed a second time, outside this program.
func TestTheSameKeyDrawsTheSameIDsForEver(t *testing.T) {
	t.Parallel()
	ids := newIDs(t, keyA)
	for no, want := range fixedIDs {
		if got := ids.At(no); got != want {
			t.Errorf("member %d has the id %d, want %d", no, got, want)
		}
	}
}

var fixedIDs = map[int64]int64{
	1: 386524, 2: 483721, 3: 244381, 900_000: 115444, 900_001: 6921482,
	9_900_001: 92724598, 99_900_001: 988449218, 9_999_900_000: 4998689213,
}

func TestIDsDoNotTellHowManyMembersThereAre(t *testing.T) {
	t.Parallel()
	a, b := newIDs(t, keyA), newIDs(t, keyB)
	same, rising := 0, 0
	for no := int64(1); no <= 10_000; no++ {
		if a.At(no) == b.At(no) {
			same++
		}
		if a.At(no) < a.At(no+1) {
			rising++
		}
	}
	if same > 5 {
		t.Errorf("two keys agree on %d of 10000 ids", same)
	}
	if rising < 4700 || rising > 5300 {
		t.Errorf("%d of 10000 ids are followed by a larger one, want about half", rising)
	}
	// The first members' ids are spread over the whole range.
	var tenths [10]int
	for no := int64(1); no <= 10_000; no++ {
		tenths[(a.At(no)-100_000)/90_000]++
	}
	for i, n := range tenths {
		if n < 850 || n > 1150 {
			t.Errorf("tenth %d of the range has %d of 10000 ids", i, n)
		}
	}
}

func TestAKeyOfAnotherLengthIsRefused(t *testing.T) {
	t.Parallel()
	for _, n := range []int{0, 15, 17, 24, 32} {
		if _, err := member.NewIDs(make([]byte, n)); !errs.Is(err, errs.Internal) {
			t.Errorf("a key of %d bytes: %v", n, err)
		}
	}
}

func TestAddressesOfOneMailboxHaveOneKey(t *testing.T) {
	t.Parallel()
	for email, want := range map[string]string{
		"Anna.Alpha@Example.org":     "anna.alpha@example.org",
		"anna+shop@example.org":      "anna@example.org",
		"a.n.n.a+x@googlemail.com":   "anna@gmail.com",
		"ANNA@gmail.com":             "anna@gmail.com",
		"+tag@example.org":           "+tag@example.org",
		"":                           "",
		"nobody":                     "",
		"@example.org":               "",
		"anna.alpha@gmail.com.other": "anna.alpha@gmail.com.other",
	} {
		if got := member.EmailKey(email); got != want {
			t.Errorf("%q has the key %q, want %q", email, got, want)
		}
	}
}
