package config

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/knadh/koanf/parsers/toml/v2"
	"github.com/knadh/koanf/providers/env/v2"
	"github.com/knadh/koanf/providers/file"
	"github.com/knadh/koanf/v2"
)

// value is the value of a setting in one source, with the place.
type value struct{ text, origin string }

// layer is one source: setting key → value.
type layer map[string]value

// apply applies a layer to c and returns the mistakes in it.
func (c *Config) apply(l layer) (wrong []string) {
	for _, s := range settings {
		v, ok := l[s.key]
		if !ok {
			continue
		}
		if err := s.parse(c, v.text); err != nil {
			wrong = append(wrong, v.origin+": "+err.Error())
		}
	}
	return wrong
}

// latest merges layers, later ones override: each setting given, valid or not, with its
// place.
func latest(layers ...layer) layer {
	all := layer{}
	for _, l := range layers {
		maps.Copy(all, l)
	}
	return all
}

// given collects the flags that were set, by setting key; "config" is the
// path of the file.
type given map[string]string

func newFlagSet(name string) *flag.FlagSet {
	fs := flag.NewFlagSet(name, flag.ContinueOnError)
	fs.SetOutput(io.Discard) // Load reports mistakes itself
	return fs
}

// defineSettings defines a flag for every setting in fs. The flags only record their text,
// because values of all sources are checked in the same way.
func defineSettings(fs *flag.FlagSet) given {
	g := given{}
	note := func(key string) func(string) error {
		return func(v string) error { g[key] = v; return nil }
	}
	fs.Func("config", "a TOML file with these settings", note("config"))
	for _, s := range settings {
		if s.boolean() {
			fs.BoolFunc(s.flag(), s.help, note(s.key)) // --demo alone means true
		} else {
			fs.Func(s.flag(), s.help, note(s.key))
		}
	}
	return g
}

func (g given) layer() layer {
	l := layer{}
	for _, s := range settings {
		if v, ok := g[s.key]; ok {
			l[s.key] = value{v, "--" + s.flag()}
		}
	}
	return l
}

// scan sets fs's flags from args, as fs.Parse does, but continues after a mistake so that
// all are reported. It does not repeat the value of an unknown flag: the value of a mistyped
// --db may contain a password.
func scan(fs *flag.FlagSet, args []string) (rest, wrong []string, help bool) {
	for len(args) > 0 {
		arg := args[0]
		if len(arg) < 2 || arg[0] != '-' {
			break
		}
		args = args[1:]
		if arg == "--" {
			break
		}
		name, text, hasText := strings.Cut(strings.TrimPrefix(arg[1:], "-"), "=")
		f := fs.Lookup(name)
		switch {
		case f != nil:
		case name == "help" || name == "h":
			return nil, nil, true
		default:
			wrong = append(wrong, "--"+clean(name)+": there is no such flag"+didYouMean("--", name, flagNames(fs)))
			if !hasText && len(args) > 0 && !strings.HasPrefix(args[0], "-") {
				args = args[1:] // most likely its value
			}
			continue
		}
		switch {
		case hasText:
		case isBool(f) && len(args) > 0 && (args[0] == "true" || args[0] == "false"):
			text, args = args[0], args[1:]
		case isBool(f):
			text = "true"
		case len(args) == 0:
			wrong = append(wrong, "--"+name+": a value is missing after it")
			continue
		default:
			text, args = args[0], args[1:]
		}
		if err := fs.Set(name, text); err != nil {
			wrong = append(wrong, "--"+name+": "+quote(text)+" is not valid: "+err.Error())
		}
	}
	// Parsing the rest as arguments makes fs.Args true for the subcommand.
	if err := fs.Parse(append([]string{"--"}, args...)); err != nil {
		wrong = append(wrong, err.Error())
	}
	return args, wrong, false
}

func isBool(f *flag.Flag) bool {
	b, ok := f.Value.(interface{ IsBoolFlag() bool })
	return ok && b.IsBoolFlag()
}

func flagNames(fs *flag.FlagSet) (names []string) {
	fs.VisitAll(func(f *flag.Flag) { names = append(names, f.Name) })
	return names
}

// readEnviron reads the BIFOLIA_ variables. An empty one counts as not set, as container
// tools use it for the default.
func readEnviron(environ []string) (l layer, wrong []string) {
	known := map[string]string{envPrefix + "CONFIG": "config"}
	names := []string{"CONFIG"}
	for _, s := range settings {
		known[s.env()] = s.key
		names = append(names, strings.TrimPrefix(s.env(), envPrefix))
	}
	vars, err := env.Provider("", env.Opt{
		Prefix:      envPrefix,
		EnvironFunc: func() []string { return environ },
	}).Read()
	if err != nil {
		return layer{}, []string{"the environment cannot be read"}
	}
	l = layer{}
	for _, name := range slices.Sorted(maps.Keys(vars)) {
		key, ok := known[name]
		if !ok {
			wrong = append(wrong, clean(name)+": there is no such setting"+didYouMean(envPrefix, strings.TrimPrefix(name, envPrefix), names))
			continue
		}
		if text, _ := vars[name].(string); text != "" {
			l[key] = value{text, name}
		}
	}
	return l, wrong
}

// configPath returns the path of the file and the source of the path.
func configPath(g given, vars layer) value {
	if path, ok := g["config"]; ok {
		return value{path, "--config"}
	}
	return vars["config"]
}

func readFile(from value) (l layer, wrong []string) {
	if from.origin == "" {
		return layer{}, nil
	}
	if from.text == "" {
		return layer{}, []string{from.origin + ": the name of the file is empty"}
	}
	if info, err := os.Stat(from.text); err == nil && (info.Mode()&os.ModeDevice != 0 || info.Mode().IsRegular() && info.Size() > largestFile) {
		return layer{}, []string{fmt.Sprintf("%s: %s is not a file of at most %d bytes", from.origin, quote(from.text), largestFile)}
	}
	provider := file.Provider(from.text)
	raw, err := provider.ReadBytes()
	if err != nil {
		return layer{}, []string{fmt.Sprintf("%s: %s cannot be read: %v", from.origin, quote(from.text), plain(err))}
	}
	k := koanf.New(".")
	if err := k.Load(bytesOf(raw), toml.Parser()); err != nil {
		return layer{}, []string{where(from.text, lineOfError(err)) + ": " + oneLine(strings.TrimPrefix(err.Error(), "toml: "))}
	}
	l, wrong = fileLayer(from.text, raw, k)
	return l, append(wrong, checkReaders(from, l)...)
}

// largestFile bounds the size of the file.
const largestFile = 1 << 20

// fileLayer returns the known keys of a parsed file and reports the others.
func fileLayer(path string, raw []byte, k *koanf.Koanf) (l layer, wrong []string) {
	l = layer{}
	for _, key := range k.Keys() {
		origin := where(path, lineOfKey(raw, key)) + ", " + clean(key)
		i := slices.IndexFunc(settings, func(s setting) bool { return s.key == key })
		if i < 0 {
			wrong = append(wrong, origin+": there is no such setting"+didYouMean("", key, settingKeys()))
			continue
		}
		text, err := textOf(k.Get(key), settings[i])
		if err != nil {
			wrong = append(wrong, origin+": "+err.Error())
			continue
		}
		l[key] = value{text, origin}
	}
	return l, wrong
}

func settingKeys() (keys []string) {
	for _, s := range settings {
		keys = append(keys, s.key)
	}
	return keys
}

// textOf returns a file's value as text, as in the other sources.
func textOf(v any, s setting) (string, error) {
	switch v := v.(type) {
	case string:
		return v, nil
	case int64:
		if s.numeric() {
			return strconv.FormatInt(v, 10), nil
		}
	case bool:
		if s.boolean() {
			return strconv.FormatBool(v), nil
		}
	case []any:
		parts := make([]string, 0, len(v))
		for _, item := range v {
			text, ok := item.(string)
			if !ok {
				return "", errors.New("a list must hold texts in quotes")
			}
			parts = append(parts, text)
		}
		return strings.Join(parts, ","), nil
	}
	return "", errors.New("the value must be a text in quotes")
}

// bytesOf passes to koanf a file that was read already.
type bytesOf []byte

func (b bytesOf) ReadBytes() ([]byte, error) { return b, nil }

func (b bytesOf) Read() (map[string]any, error) {
	return nil, errors.New("a file needs a parser")
}

func where(path string, line int) string {
	path = clean(path)
	if line == 0 {
		return path
	}
	return path + " line " + strconv.Itoa(line)
}

// lineOfKey returns the line of a top-level key; 0 if it is not written in the plain form
// key = value.
func lineOfKey(raw []byte, key string) int {
	n := 0
	for line := range strings.Lines(string(raw)) {
		n++
		if after, ok := strings.CutPrefix(strings.TrimSpace(line), key); ok &&
			strings.HasPrefix(strings.TrimSpace(after), "=") {
			return n
		}
	}
	return 0
}

func lineOfError(err error) int {
	var at interface{ Position() (row, column int) }
	if errors.As(err, &at) {
		row, _ := at.Position()
		return row
	}
	return 0
}

// oneLine removes line breaks from a message of the parser, which repeats unexpected
// characters.
func oneLine(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return '\uFFFD'
	}, text)
}

// plain returns an error of package os without the call and path.
func plain(err error) error {
	if path, ok := errors.AsType[*fs.PathError](err); ok {
		return path.Err
	}
	return err
}
