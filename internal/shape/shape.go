// Package shape holds a JSON text against a Go type before it is decoded.
//
// The decoder alone would stop at the first unknown field, and would take one
// that is missing, or spelled in other letters, for a zero or for the right
// one. In files that people edit neither may happen.
package shape

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"

	"github.com/bifolia/bifolia/internal/errs"
)

// Mistakes names everything in raw that does not fit T: what is missing, what is
// unknown, and what is of another kind. whole is what the text as a whole is
// called.
func Mistakes[T any](whole string, raw []byte) []errs.Field {
	c := check{whole: whole}
	if !json.Valid(raw) {
		c.add("", "is not one JSON object")
		return c.wrong
	}
	c.value("", raw, reflect.TypeFor[T]())
	return c.wrong
}

type check struct {
	whole string
	wrong []errs.Field
}

func (c *check) add(at, format string, args ...any) {
	if at == "" {
		at = c.whole
	}
	c.wrong = append(c.wrong, errs.Field{Name: at, Message: fmt.Sprintf(format, args...)})
}

func (c *check) value(at string, raw json.RawMessage, t reflect.Type) {
	kind := t.Kind()
	if reflect.PointerTo(t).Implements(reflect.TypeFor[json.Unmarshaler]()) || string(raw) == "null" {
		kind = reflect.Invalid
	}
	switch kind {
	case reflect.Struct:
		c.object(at, raw, t)
	case reflect.Slice:
		var list []json.RawMessage
		if json.Unmarshal(raw, &list) != nil {
			c.add(at, "is not a list")
		}
		for i, v := range list {
			c.value(at+"["+strconv.Itoa(i)+"]", v, t.Elem())
		}
	case reflect.Map:
		var by map[string]json.RawMessage
		if json.Unmarshal(raw, &by) != nil {
			c.add(at, "is not an object")
		}
		for _, key := range slices.Sorted(maps.Keys(by)) {
			c.value(join(at, key), by[key], t.Elem())
		}
	default:
		if string(raw) == "null" {
			c.add(at, "is null")
		} else if err := json.Unmarshal(raw, reflect.New(t).Interface()); err != nil {
			c.add(at, "%s is not %s", raw, words[kind])
		}
	}
}

// words say what a value should be. An amount is read by its own type.
var words = map[reflect.Kind]string{
	reflect.String: "a text in quotes", reflect.Int64: "a whole number", reflect.Bool: "true or false", reflect.Invalid: `an amount such as "12.50"`,
}

func (c *check) object(at string, raw json.RawMessage, t reflect.Type) {
	var fields map[string]json.RawMessage
	if json.Unmarshal(raw, &fields) != nil {
		c.add(at, "is not an object")
		return
	}
	for i := range t.NumField() {
		tag := t.Field(i).Tag.Get("json")
		if tag == "" {
			continue
		}
		if v, ok := fields[tag]; ok {
			c.value(join(at, tag), v, t.Field(i).Type)
		} else {
			c.add(join(at, tag), "is missing")
		}
		delete(fields, tag)
	}
	for _, unknown := range slices.Sorted(maps.Keys(fields)) {
		c.add(join(at, unknown), "there is no such field")
	}
}

func join(at, field string) string {
	if at == "" {
		return field
	}
	return at + "." + field
}
