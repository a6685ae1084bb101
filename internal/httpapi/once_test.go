package httpapi

import "testing"

func TestANameThatStandsTwiceIsFound(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		`{"amount":"1","amount":"2"}`:                 "amount",
		`{"amount":"1","Amount":"2"}`:                 "Amount",
		`{"a":{"b":1,"c":[{"d":1},{"d":2,"d":3}]}}`:   "d",
		`{"a":"b","b":"a","c":["a","a"],"d":{"a":1}}`: "",
		`{"a":{"x":1},"b":{"x":1}}`:                   "",
		`["a","a"]`:                                   "",
		`{"a":1,`:                                     "",
		`"a"`:                                         "",
		``:                                            "",
	} {
		if got := twice([]byte(text)); got != want {
			t.Errorf("in %s %q stands twice, not %q", text, got, want)
		}
	}
}
