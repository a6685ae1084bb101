package httpx

import (
	"encoding/json"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Examples are made from what the contract says of each field: the example its
// author gave, else a value that the contract would take.

// exampleOf is the example of a whole body or answer.
func (d *docsDocument) exampleOf(m docsMedia) any {
	if m.Example != nil {
		return m.Example
	}
	for _, name := range slices.Sorted(maps.Keys(m.Examples)) {
		return m.Examples[name].Value
	}
	value, _ := d.example(m.Schema, nil)
	return value
}

// example is a value of the given schema. It is not ok where a schema stands
// in itself: there the value has to end.
func (d *docsDocument) example(schema *docsSchema, inside []string) (value any, ok bool) {
	s, ref := d.resolve(schema)
	if ref != "" && slices.Contains(inside, ref) {
		return nil, false
	}
	inside = appendName(inside, ref)
	switch {
	case len(s.Examples) > 0:
		return s.Examples[0], true
	case s.Default != nil:
		return s.Default, true
	case s.Const != nil:
		return s.Const, true
	case len(s.Enum) > 0:
		return s.Enum[0], true
	case len(s.OneOf) > 0:
		return d.example(s.OneOf[0], inside)
	case len(s.AnyOf) > 0:
		return d.example(s.AnyOf[0], inside)
	}
	switch s.Type.main() {
	case "array":
		return d.exampleList(s, inside), true
	case "string":
		return s.exampleText(), true
	case "integer", "number":
		return s.exampleNumber(), true
	case "boolean":
		return true, true
	case "object":
		return d.exampleObject(s, inside), true
	}
	if len(s.Properties)+len(s.AllOf) > 0 {
		return d.exampleObject(s, inside), true
	}
	return nil, true
}

func (d *docsDocument) exampleObject(s *docsSchema, inside []string) map[string]any {
	object := map[string]any{}
	for name, property := range s.Properties {
		if value, ok := d.example(property, inside); ok {
			object[name] = value
		}
	}
	if extra := s.AdditionalProperties.docsSchema; extra != nil {
		if value, ok := d.example(extra, inside); ok {
			object["name"] = value
		}
	}
	for _, part := range s.AllOf {
		value, _ := d.example(part, inside)
		if fields, ok := value.(map[string]any); ok {
			maps.Copy(object, fields)
		}
	}
	return object
}

func (d *docsDocument) exampleList(s *docsSchema, inside []string) []any {
	item, ok := d.example(s.Items, inside)
	if !ok {
		return []any{}
	}
	list := []any{item}
	for s.MinItems != nil && len(list) < *s.MinItems && len(list) < 10 {
		list = append(list, item)
	}
	return list
}

// exampleFormats are values for formats that huma checks, and for ours.
var exampleFormats = map[string]string{
	"date-time":      "2026-03-01T09:30:00Z",
	"date-time-http": "Sun, 01 Mar 2026 09:30:00 GMT",
	"date":           "2026-03-01",
	"time":           "09:30:00Z",
	"email":          "ada@example.com",
	"idn-email":      "ada@example.com",
	"hostname":       "example.com",
	"ip":             "192.0.2.1",
	"ipv4":           "192.0.2.1",
	"ipv6":           "2001:db8::1",
	"uri":            "https://example.com/",
	"uuid":           "7c9e6679-7425-40de-944b-e07fc1f90ae7",
	"decimal":        "12.5",
}

// exampleTexts are tried against a pattern, which cannot be run backwards.
var exampleTexts = []string{
	"text", "Text", "TEXT", "123456", "1", "12.5", "2026-03-01", "ada@example.com", "Ada Lovelace",
	"+15550100", "5550100123", "1234", "123456789012", "ABCD0123456", "ABCDE1234F", "L", "left",
	"0x52908400098527886E0F7030069857D2E4169EE7", "0x" + strings.Repeat("ab", 32),
}

func (s *docsSchema) exampleText() string {
	if text, known := exampleFormats[s.Format]; known {
		return text
	}
	pattern, err := regexp.Compile(s.Pattern)
	for _, text := range exampleTexts {
		fits := (s.MinLength == nil || len(text) >= *s.MinLength) && (s.MaxLength == nil || len(text) <= *s.MaxLength)
		if fits && (err != nil || pattern.MatchString(text)) {
			return text
		}
	}
	text := exampleTexts[0]
	if s.MinLength != nil && len(text) < *s.MinLength {
		text = strings.Repeat("x", *s.MinLength)
	}
	if s.MaxLength != nil && len(text) > *s.MaxLength {
		text = text[:*s.MaxLength]
	}
	return text
}

// exampleNumber is 1, or the number nearest to it that the limits allow as far
// as whole numbers go.
func (s *docsSchema) exampleNumber() json.Number {
	n := int64(1)
	if step, err := strconv.ParseInt(s.MultipleOf.String(), 10, 64); err == nil {
		n = step
	}
	for _, least := range []struct {
		limit json.Number
		more  int64
	}{{s.Minimum, 0}, {s.ExclusiveMinimum, 1}} {
		if limit, err := least.limit.Int64(); err == nil {
			n = max(n, limit+least.more)
		}
	}
	for _, most := range []struct {
		limit json.Number
		less  int64
	}{{s.Maximum, 0}, {s.ExclusiveMaximum, 1}} {
		if limit, err := most.limit.Int64(); err == nil {
			n = min(n, limit-most.less)
		}
	}
	return json.Number(strconv.FormatInt(n, 10))
}
