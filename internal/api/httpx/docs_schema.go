package httpx

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// What the page of the contract reads of an OpenAPI document.

type docsDocument struct {
	Info       struct{ Title, Version string }
	Tags       []struct{ Name, Description string }
	Paths      map[string]map[string]*docsOperation
	Components struct{ Schemas map[string]*docsSchema }
}

type docsOperation struct {
	Tags                 []string
	Summary, Description string
	Deprecated           bool
	Parameters           []docsParam
	RequestBody          *struct {
		Required bool
		Content  map[string]docsMedia
	}
	Responses map[string]docsResponse
	Security  []map[string][]string
}

type docsParam struct {
	Name, In, Description string
	Required              bool
	Schema                *docsSchema
}

type docsResponse struct {
	Description string
	Headers     map[string]docsParam
	Content     map[string]docsMedia
}

type docsMedia struct {
	Schema   *docsSchema
	Example  any
	Examples map[string]struct{ Value any }
}

type docsSchema struct {
	Ref                          string    `json:"$ref"`
	Type                         docsTypes `json:"type"`
	Format, Description, Pattern string
	PatternDescription           string
	Default, Const               any
	Examples, Enum               []any
	Items                        *docsSchema
	Properties                   map[string]*docsSchema
	AdditionalProperties         docsExtra
	Required                     []string
	Minimum, ExclusiveMinimum    json.Number
	Maximum, ExclusiveMaximum    json.Number
	MultipleOf                   json.Number
	MinLength, MaxLength         *int
	MinItems, MaxItems           *int
	UniqueItems, Deprecated      bool
	OneOf, AnyOf, AllOf          []*docsSchema
}

// docsTypes is one type or several; OpenAPI 3.1 writes "or null" as a second.
type docsTypes []string

func (t *docsTypes) UnmarshalJSON(b []byte) error {
	if bytes.HasPrefix(b, []byte("[")) {
		return json.Unmarshal(b, (*[]string)(t))
	}
	*t = docsTypes{""}
	return json.Unmarshal(b, &(*t)[0])
}

// main is the type that is not null.
func (t docsTypes) main() string {
	for _, name := range t {
		if name != "null" {
			return name
		}
	}
	return ""
}

// docsExtra is what fields an object may have besides its named ones: a schema
// for them, or just whether there may be any.
type docsExtra struct{ *docsSchema }

func (e *docsExtra) UnmarshalJSON(b []byte) error {
	if !bytes.HasPrefix(b, []byte("{")) {
		return nil
	}
	dec := json.NewDecoder(bytes.NewReader(b))
	dec.UseNumber()
	return dec.Decode(&e.docsSchema)
}

const schemaPrefix = "#/components/schemas/"

// resolve follows a reference. name is what it referred to, or "".
func (d *docsDocument) resolve(s *docsSchema) (found *docsSchema, name string) {
	if s == nil {
		return &docsSchema{}, ""
	}
	if s.Ref == "" {
		return s, ""
	}
	name = strings.TrimPrefix(s.Ref, schemaPrefix)
	target := d.Components.Schemas[name]
	if target == nil {
		return &docsSchema{}, name
	}
	if s.Description != "" {
		own := *target
		own.Description = s.Description
		target = &own
	}
	return target, name
}

// docsField is one field of a body or an answer, a parameter or a header.
type docsField struct {
	Name, In, Type, Description string
	Required, Deprecated        bool
	Optional                    bool // of answers, where what is required is simply there
	Limits                      []string
	Enum                        []string
	Default                     string
	Fields                      []docsField // of the object, or of the objects of the list
}

// anyName stands for the names that a map's keys have.
const anyName = "any name"

// answered turns what a caller must send into what it will get.
func answered(fields []docsField) {
	for i := range fields {
		f := &fields[i]
		f.Optional = !f.Required && f.Name != anyName
		f.Required = false
		answered(f.Fields)
	}
}

// field describes one field. inside are the names of the schemas that it
// stands in: a tree's node holds nodes, and its page must end somewhere.
func (d *docsDocument) field(name string, schema *docsSchema, required bool, inside []string) docsField {
	s, ref := d.resolve(schema)
	f := docsField{
		Name: name, Required: required, Description: s.Description, Deprecated: s.Deprecated,
		Limits: s.limits(""),
	}
	if s.Default != nil {
		f.Default = compact(s.Default)
	}
	prefix := ""
	null := slices.Contains(s.Type, "null")
	for s.Type.main() == "array" {
		prefix += "array of "
		inside = appendName(inside, ref)
		s, ref = d.resolve(s.Items)
		f.Limits = append(f.Limits, s.limits("each ")...)
	}
	for _, v := range s.Enum {
		f.Enum = append(f.Enum, compact(v))
	}
	f.Type = prefix + d.typeOf(s)
	if null {
		f.Type += " or null"
	}
	if ref != "" && slices.Contains(inside, ref) {
		f.Type += ", with the same fields as the " + ref + " it stands in"
		return f
	}
	f.Fields = d.fields(s, appendName(inside, ref))
	return f
}

// fields are those of an object, the required ones first.
func (d *docsDocument) fields(s *docsSchema, inside []string) (fields []docsField) {
	for _, name := range slices.Sorted(maps.Keys(s.Properties)) {
		fields = append(fields, d.field(name, s.Properties[name], slices.Contains(s.Required, name), inside))
	}
	slices.SortStableFunc(fields, func(a, b docsField) int {
		switch {
		case a.Required == b.Required:
			return 0
		case a.Required:
			return -1
		}
		return 1
	})
	if extra := s.AdditionalProperties.docsSchema; extra != nil {
		fields = append(fields, d.field(anyName, extra, false, inside))
	}
	for _, part := range s.AllOf {
		fields = append(fields, d.field("", part, false, inside).Fields...)
	}
	return fields
}

// typeOf names a type in one or a few words.
func (d *docsDocument) typeOf(s *docsSchema) string {
	var names []string
	for _, one := range slices.Concat(s.OneOf, s.AnyOf) {
		target, ref := d.resolve(one)
		names = append(names, cmp.Or(ref, d.typeOf(target)))
	}
	if len(names) > 0 {
		return strings.Join(names, " or ")
	}
	name := s.Type.main()
	switch {
	case s.Format == "binary":
		return "file"
	case name == "" && len(s.Properties)+len(s.AllOf) > 0:
		return "object"
	case name == "":
		return "any value"
	case s.Format != "" && name == "string":
		return name + " (" + s.Format + ")"
	}
	return name
}

// limits says what values are taken, each in a few words after before.
func (s *docsSchema) limits(before string) (limits []string) {
	add := func(format string, value any) { limits = append(limits, before+fmt.Sprintf(format, value)) }
	for _, l := range []struct {
		format string
		value  json.Number
	}{
		{"at least %v", s.Minimum},
		{"more than %v", s.ExclusiveMinimum},
		{"at most %v", s.Maximum},
		{"less than %v", s.ExclusiveMaximum},
		{"a multiple of %v", s.MultipleOf},
	} {
		if l.value != "" {
			add(l.format, l.value)
		}
	}
	for _, l := range []struct {
		format string
		value  *int
	}{
		{"at least %d characters", s.MinLength},
		{"at most %d characters", s.MaxLength},
		{"at least %d items", s.MinItems},
		{"at most %d items", s.MaxItems},
	} {
		if l.value != nil {
			add(l.format, *l.value)
		}
	}
	if s.UniqueItems {
		add("%s", "no item twice")
	}
	if s.Pattern != "" {
		add("%s", cmp.Or(s.PatternDescription, "matches "+s.Pattern))
	}
	if s.Const != nil {
		add("always %s", compact(s.Const))
	}
	return limits
}

func appendName(inside []string, name string) []string {
	if name == "" {
		return inside
	}
	return append(slices.Clone(inside), name)
}

// compact is a value as JSON on one line.
func compact(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		return "" // unreachable: it was read from JSON
	}
	return string(b)
}
