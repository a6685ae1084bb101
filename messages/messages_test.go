package messages

import (
	"strings"
	"testing"
	"testing/fstest"

	"golang.org/x/text/language"
)

func TestMessagesAreFormatted(t *testing.T) {
	args := Args{"name": "Ann {b}", "n": 2, "one": int64(1), "none": 0, "ok": true}
	for message, want := range map[string]string{
		"":                      "",
		"Hello {name}, it's ok": "Hello Ann {b}, it's ok",
		"''{name}'' '{name}'":   "'Ann {b}' {name}",
		"{n, plural, one {{n} day} other {{n} days}}":                    "2 days",
		"{one, plural, one {{one} day} other {{one} days}}":              "1 day",
		"{none, plural, =0 {none} one {one} other {{none} days}}":        "none",
		"{ok, select, true {yes{n, plural, other {, {n}}}} other {no}}.": "yes, 2.",
		"{name, select, true {yes} other {}}.":                           ".",
		"{lost}":                                                         "{lost}",
	} {
		parts, err := parse(message)
		if err != nil {
			t.Errorf("%q: %v", message, err)
		}
		var out strings.Builder
		write(&out, parts, language.English, args)
		if out.String() != want {
			t.Errorf("%q: got %q, want %q", message, out.String(), want)
		}
	}
}

func TestBrokenMessagesAreErrors(t *testing.T) {
	for _, message := range []string{"{", "}", "{}", "{a", "a}b", "{n, plural, one {x}}", "{n, number}", "{n, plural, other x}", "{n, plural, other {x}", "{n, select}"} {
		if parts, err := parse(message); err == nil {
			t.Errorf("%q is read as %v", message, parts)
		}
	}
}

func TestALanguageFollowsItsRules(t *testing.T) {
	all := load(fstest.MapFS{"pl/mail/files.json": {Data: []byte(`{"days":{"left":"{n, plural, one {dzień} few {dni} many {dni!} other {dnia}}"}}`)}})
	for n, want := range map[int]string{1: "dzień", 3: "dni", 5: "dni!", 22: "dni"} {
		var out strings.Builder
		write(&out, all["pl"]["mail.days.left"], language.Polish, Args{"n": n})
		if out.String() != want {
			t.Errorf("%d: got %q, want %q", n, out.String(), want)
		}
	}
}

func TestWhatALanguageLacksIsEnglish(t *testing.T) {
	text, ok := Find("xx", "mail.common.greeting", Args{"name": "Ann"})
	if !ok || text != "Hello Ann," {
		t.Errorf("got %q, %t", text, ok)
	}
	if got := Text("hi", "files.entry", nil); got != "प्रविष्टि" {
		t.Errorf("a text of files.json is %q", got)
	}
	if text, ok := Find("hi", "mail.nothing", nil); ok {
		t.Errorf("there is a text %q", text)
	}
}

func FuzzParse(f *testing.F) {
	f.Add("{n, plural, one {{n} day} other {'{'}}")
	f.Fuzz(func(_ *testing.T, message string) { _, _ = parse(message) })
}
