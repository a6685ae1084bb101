// Package shape decodes JSON into a Go type strictly and reports all mistakes.
//
// Package encoding/json stops at the first unknown field, reads a missing field as zero
// and ignores case in names, which is wrong for files that people edit. Package shape
// decodes all valid values in spite of mistakes, so that rules can be checked too and all
// mistakes are reported together.
package shape

import (
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strconv"

	"github.com/bifolia/bifolia/internal/platform/errs"
)

// Read decodes raw into into, which points to a struct, and returns all mistakes: fields
// that are missing, unknown, repeated or of another type. lost are the places whose value
// is not known. whole is the field name of mistakes about the whole text.
func Read(whole string, raw []byte, into any) (wrong []errs.Field, lost []string) {
	r := reader{whole: whole}
	if !json.Valid(raw) {
		r.lost("", "field.not_one_object", "is not one JSON object")
	} else {
		r.read("", raw, reflect.ValueOf(into).Elem())
	}
	return r.wrong, r.unread
}

type reader struct {
	whole  string
	wrong  []errs.Field
	unread []string // places whose value is not known
}

func (r *reader) add(at, code, text string, params ...any) {
	r.wrong = append(r.wrong, errs.NewField(r.place(at), code, text, params...))
}

func (r *reader) lost(at, code, text string, params ...any) {
	r.add(at, code, text, params...)
	r.unread = append(r.unread, r.place(at))
}

// place returns the field name of a place; the whole text has no path.
func (r *reader) place(at string) string {
	if at == "" {
		return r.whole
	}
	return at
}

// read decodes raw into v, the value at the path at.
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
			r.lost(at, "field.not_a_list", "is not a list")
		}
		v.Set(reflect.MakeSlice(v.Type(), len(list), len(list)))
		for i, e := range list {
			r.read(at+"["+strconv.Itoa(i)+"]", e, v.Index(i))
		}
	case reflect.Map:
		var by map[string]json.RawMessage
		if json.Unmarshal(raw, &by) != nil {
			r.lost(at, "field.not_an_object", "is not an object")
		}
		v.Set(reflect.MakeMap(v.Type()))
		r.duplicates(at, raw)
		for _, key := range slices.Sorted(maps.Keys(by)) {
			e := reflect.New(v.Type().Elem()).Elem()
			r.read(Join(at, key), by[key], e)
			v.SetMapIndex(reflect.ValueOf(key), e)
		}
	default:
		if string(raw) == "null" {
			r.lost(at, "field.null", "is null")
		} else if err := json.Unmarshal(raw, v.Addr().Interface()); err != nil {
			v.SetZero()
			r.lost(at, "field.other_kind", "{value} is not {wanted}", "value", string(raw), "wanted", words[kind])
		}
	}
}

// words describe the expected values. An amount has its own decoder.
var words = map[reflect.Kind]string{
	reflect.String: "a text in quotes", reflect.Int64: "a whole number", reflect.Bool: "true or false", reflect.Invalid: `an amount such as "12.50"`,
}

func (r *reader) object(at string, raw json.RawMessage, v reflect.Value) {
	var fields map[string]json.RawMessage
	if json.Unmarshal(raw, &fields) != nil {
		r.lost(at, "field.not_an_object", "is not an object")
		return
	}
	r.duplicates(at, raw)
	for i := range v.NumField() {
		tag := v.Type().Field(i).Tag.Get("json")
		if tag == "" {
			continue
		}
		if value, ok := fields[tag]; ok {
			r.read(Join(at, tag), value, v.Field(i))
		} else {
			r.lost(Join(at, tag), "field.missing", "is missing")
		}
		delete(fields, tag)
	}
	for _, unknown := range slices.Sorted(maps.Keys(fields)) {
		r.add(Join(at, unknown), "field.no_such_field", "there is no such field")
	}
}

// duplicates reports fields that an object has more than once, which are ambiguous.
func (r *reader) duplicates(at string, raw json.RawMessage) {
	_ = Scan{Repeated: func(depth int, name string) error {
		if depth == 1 {
			r.lost(Join(at, name), "field.there_twice", "is there twice")
		}
		return nil
	}}.Read(raw)
}

// Join returns the path of a field of the object at a path.
func Join(at, field string) string {
	if at == "" {
		return field
	}
	return at + "." + field
}
