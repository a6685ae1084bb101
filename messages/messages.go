// Package messages has the texts that the server writes itself: those of mails and the
// headings of files. They are in the message files of the screens, one folder for each
// language, in ICU MessageFormat: {name}, plural and select, as in web/vite/messages.ts.
package messages

import (
	"embed"
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"

	"golang.org/x/text/feature/plural"
	"golang.org/x/text/language"
)

// English is the language of a text that another language lacks.
const English = "en"

//go:embed */files.json */mail/*.json */member/*.json */site/lists.json
var files embed.FS

// Args are the values of a message's arguments.
type Args map[string]any

// catalogs are the messages by language and key.
var catalogs = load(files)

// Languages are the languages of the texts, English first.
func Languages() []string {
	others := slices.DeleteFunc(slices.Sorted(maps.Keys(catalogs)), func(in string) bool { return in == English })
	return append([]string{English}, others...)
}

// Find is a message in a language, or in English if the language lacks it. Its key is its
// folder and the names in its file: "mail.welcome.subject", or "files.entry" in files.json. ok
// is false if there is no such message.
func Find(in, key string, args Args) (text string, ok bool) {
	message, ok := catalogs[in][key]
	if !ok {
		in = English
		message, ok = catalogs[in][key]
	}
	var out strings.Builder
	write(&out, message, language.Make(in), args)
	return out.String(), ok
}

// Text is a message that must exist, see Find. It panics if there is none.
func Text(in, key string, args Args) string {
	text, ok := Find(in, key, args)
	if !ok {
		panic("messages: there is no text " + key)
	}
	return text
}

func load(from fs.FS) map[string]map[string][]part {
	out := map[string]map[string][]part{}
	err := fs.WalkDir(from, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		raw, err := fs.ReadFile(from, name)
		if err != nil {
			return err
		}
		var tree map[string]any
		if err := json.Unmarshal(raw, &tree); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		in, rest, _ := strings.Cut(name, "/")
		prefix := ""
		if folder, _, ok := strings.Cut(rest, "/"); ok {
			prefix = folder + "."
		}
		if out[in] == nil {
			out[in] = map[string][]part{}
		}
		if err := add(out[in], prefix, tree); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		return nil
	})
	if err != nil {
		panic("messages: " + err.Error()) // the files are part of the program
	}
	return out
}

func add(to map[string][]part, prefix string, tree map[string]any) error {
	for name, value := range tree {
		key := prefix + name
		switch value := value.(type) {
		case map[string]any:
			if err := add(to, key+".", value); err != nil {
				return err
			}
		case string:
			message, err := parse(value)
			if err != nil {
				return fmt.Errorf("%s: %w", key, err)
			}
			to[key] = message
		default:
			return fmt.Errorf("%s is no text", key)
		}
	}
	return nil
}

// write appends a message with its arguments. An argument that was not given stays as it is
// written in the message.
func write(out *strings.Builder, message []part, in language.Tag, args Args) {
	for _, p := range message {
		value, given := args[p.arg]
		switch {
		case p.arg == "":
			out.WriteString(p.text)
		case !given:
			out.WriteString("{" + p.arg + "}")
		case p.forms == nil:
			fmt.Fprint(out, value)
		default:
			write(out, p.choose(value, in), in, args)
		}
	}
}

var names = map[plural.Form]string{plural.Zero: "zero", plural.One: "one", plural.Two: "two", plural.Few: "few", plural.Many: "many"}

// choose is the form of a plural or a select that a value takes.
func (p part) choose(value any, in language.Tag) []part {
	name := fmt.Sprint(value)
	if p.plural {
		if exact, ok := p.forms["="+name]; ok {
			return exact
		}
		n := 0
		_, _ = fmt.Sscan(name, &n) // what is no whole number takes the form of 0
		name = names[plural.Cardinal.MatchPlural(in, max(n, -n), 0, 0, 0, 0)]
	}
	if form, ok := p.forms[name]; ok {
		return form
	}
	return p.forms["other"]
}
