package plan

import (
	"bytes"
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/bifolia/bifolia/internal/errs"
)

// reader reads a plan's text and names everything that does not fit its type.
// The decoder alone would stop at the first unknown field and take one that is
// missing, or spelled in other letters, for a zero or for the right one: in
// rules about money neither may happen. What does fit is read all the same, so
// that the rules can be checked of it and every mistake is in one answer.
type reader struct {
	mistakes
	unread []string // places whose value is not known
}

func (r *reader) lost(at, format string, args ...any) {
	r.add(place(at), format, args...)
	r.unread = append(r.unread, place(at))
}

// read reads raw into v, which is what at is.
func (r *reader) read(at string, raw json.RawMessage, v reflect.Value) {
	kind := v.Kind()
	if v.CanAddr() && v.Addr().Type().Implements(reflect.TypeFor[json.Unmarshaler]()) || string(raw) == "null" {
		kind = reflect.Invalid
	}
	switch kind {
	case reflect.Struct:
		r.object(at, raw, v)
	case reflect.Slice:
		var list []json.RawMessage
		if json.Unmarshal(raw, &list) != nil {
			r.lost(at, "is not a list")
		}
		v.Set(reflect.MakeSlice(v.Type(), len(list), len(list)))
		for i, e := range list {
			r.read(at+"["+strconv.Itoa(i)+"]", e, v.Index(i))
		}
	case reflect.Map:
		var by map[string]json.RawMessage
		if json.Unmarshal(raw, &by) != nil {
			r.lost(at, "is not an object")
		}
		v.Set(reflect.MakeMap(v.Type()))
		r.twice(at, raw)
		for _, key := range slices.Sorted(maps.Keys(by)) {
			e := reflect.New(v.Type().Elem()).Elem()
			r.read(join(at, key), by[key], e)
			v.SetMapIndex(reflect.ValueOf(key), e)
		}
	default:
		if string(raw) == "null" {
			r.lost(at, "is null")
		} else if err := json.Unmarshal(raw, v.Addr().Interface()); err != nil {
			v.SetZero()
			r.lost(at, "%s is not %s", raw, words[kind])
		}
	}
}

// words say what a value should be. An amount is read by its own type.
var words = map[reflect.Kind]string{
	reflect.String: "a text in quotes", reflect.Int64: "a whole number", reflect.Bool: "true or false", reflect.Invalid: `an amount such as "12.50"`,
}

func (r *reader) object(at string, raw json.RawMessage, v reflect.Value) {
	var fields map[string]json.RawMessage
	if json.Unmarshal(raw, &fields) != nil {
		r.lost(at, "is not an object")
		return
	}
	r.twice(at, raw)
	for i := range v.NumField() {
		tag := v.Type().Field(i).Tag.Get("json")
		if tag == "" {
			continue
		}
		if value, ok := fields[tag]; ok {
			r.read(join(at, tag), value, v.Field(i))
		} else {
			r.lost(join(at, tag), "is missing")
		}
		delete(fields, tag)
	}
	for _, unknown := range slices.Sorted(maps.Keys(fields)) {
		r.add(join(at, unknown), "there is no such field")
	}
}

// twice names fields that an object has more than once: which of them counts
// would be a guess.
func (r *reader) twice(at string, raw json.RawMessage) {
	d := json.NewDecoder(bytes.NewReader(raw))
	if _, err := d.Token(); err != nil {
		return
	}
	seen := map[string]bool{}
	for d.More() {
		key, err := d.Token()
		name, ok := key.(string)
		var skip json.RawMessage
		if err != nil || !ok || d.Decode(&skip) != nil {
			return
		}
		if seen[name] {
			r.lost(join(at, name), "is there twice")
		}
		seen[name] = true
	}
}

// needs are the parts that rules about another part look at.
var needs = map[string]string{"level_ppm": "pools_ppm", "roi_level_ppm": "profit_split_ppm", "royalty_weights": "ranks", "rewards": "salary_maintenance_x"}

// judged adds the mistakes against rules, but for those that only follow from
// what could not be read.
func (r *reader) judged(rules []errs.Field) {
	lost := r.unread
	for _, f := range rules {
		top := f.Name[:len(f.Name)-len(strings.TrimLeft(f.Name, "abcdefghijklmnopqrstuvwxyz_"))]
		if !slices.ContainsFunc(lost, func(at string) bool { return related(f.Name, at) || needs[top] != "" && related(needs[top], at) }) {
			r.mistakes = append(r.mistakes, f)
		}
	}
}

// related tells whether one place is part of the other, or both are of one list.
func related(a, b string) bool {
	a, b = list(a), list(b)
	return a == b || b == "plan" || strings.HasPrefix(a, b+".") || strings.HasPrefix(b, a+".") || strings.HasPrefix(a, b+"[") || strings.HasPrefix(b, a+"[")
}

// list is the list that a place is in, or the place itself.
func list(at string) string {
	if i := strings.LastIndex(at, "["); i >= 0 {
		return at[:i]
	}
	return at
}

func join(at, field string) string {
	if at == "" {
		return field
	}
	return at + "." + field
}

// place is how a mistake calls a place; the whole has no path.
func place(at string) string {
	if at == "" {
		return "plan"
	}
	return at
}
