package booking

import "testing"

func TestFileNamesAreSanitized(t *testing.T) {
	t.Parallel()
	for given, want := range map[string]string{
		"broker.csv":                  "broker.csv",
		`C:\Users\me\broker.csv`:      "broker.csv",
		"../../etc/passwd":            "passwd",
		"a\"b;c\r\nd.pdf":             "abcd.pdf",
		"ब्रोकर.pdf":                  "ब्रोकर.pdf",
		"":                            "",
		"..":                          "",
		"/":                           "",
		"\x00":                        "",
		"statement \xff of today.csv": "statement  of today.csv",
	} {
		if got := fileName(given); got != want {
			t.Errorf("%q becomes %q, want %q", given, got, want)
		}
	}
}
