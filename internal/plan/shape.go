package plan

import (
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strconv"

	"github.com/bifolia/bifolia/internal/errs"
)

// misshapen names everything in a plan's text that does not fit its type. The
// decoder alone would stop at the first unknown field and take one that is
// missing, or spelled in other letters, for a zero or for the right one: in
// rules about money neither may happen.
func misshapen(raw []byte) []errs.Field {
	var m mistakes
	if !json.Valid(raw) {
		m.add("plan", "is not one JSON object")
		return m
	}
	m.shape("", raw, reflect.TypeFor[Plan]())
	return m
}

func (m *mistakes) shape(at string, raw json.RawMessage, t reflect.Type) {
	kind := t.Kind()
	if reflect.PointerTo(t).Implements(reflect.TypeFor[json.Unmarshaler]()) || string(raw) == "null" {
		kind = reflect.Invalid
	}
	switch kind {
	case reflect.Struct:
		m.object(at, raw, t)
	case reflect.Slice:
		var list []json.RawMessage
		if json.Unmarshal(raw, &list) != nil {
			m.add(place(at), "is not a list")
		}
		for i, v := range list {
			m.shape(at+"["+strconv.Itoa(i)+"]", v, t.Elem())
		}
	case reflect.Map:
		var by map[string]json.RawMessage
		if json.Unmarshal(raw, &by) != nil {
			m.add(place(at), "is not an object")
		}
		for _, key := range slices.Sorted(maps.Keys(by)) {
			m.shape(join(at, key), by[key], t.Elem())
		}
	default:
		if string(raw) == "null" {
			m.add(place(at), "is null")
		} else if err := json.Unmarshal(raw, reflect.New(t).Interface()); err != nil {
			m.add(place(at), "%s is not %s", raw, words[kind])
		}
	}
}

// words say what a value should be. An amount is read by its own type.
var words = map[reflect.Kind]string{
	reflect.String: "a text in quotes", reflect.Int64: "a whole number", reflect.Bool: "true or false", reflect.Invalid: `an amount such as "12.50"`,
}

func (m *mistakes) object(at string, raw json.RawMessage, t reflect.Type) {
	var fields map[string]json.RawMessage
	if json.Unmarshal(raw, &fields) != nil {
		m.add(place(at), "is not an object")
		return
	}
	for i := range t.NumField() {
		tag := t.Field(i).Tag.Get("json")
		if tag == "" {
			continue
		}
		if v, ok := fields[tag]; ok {
			m.shape(join(at, tag), v, t.Field(i).Type)
		} else {
			m.add(join(at, tag), "is missing")
		}
		delete(fields, tag)
	}
	for _, unknown := range slices.Sorted(maps.Keys(fields)) {
		m.add(join(at, unknown), "there is no such field")
	}
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
