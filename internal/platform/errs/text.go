package errs

import (
	"encoding/json"
	"fmt"
	"maps"
	"strings"
)

// Text is a sentence for users: Message in English, Code and Params for clients that
// translate it.
type Text struct {
	Code    string            `json:"code" example:"fund.already_decided" doc:"Which sentence it is, for programs."`
	Params  map[string]string `json:"params,omitempty" doc:"The values in the sentence, by name."`
	Message string            `json:"message" doc:"The sentence in English."`
}

// Say makes a Text. Names and values alternate in params; {name} in text is replaced by
// the value of that name. A value that is a Text adds its own code and values under the
// name: name.code and name.<its names>.
func Say(code, text string, params ...any) Text {
	t := Text{Code: code, Message: text}
	if len(params) == 0 {
		return t
	}
	t.Params = make(map[string]string, len(params)/2)
	for i := 0; i+1 < len(params); i += 2 {
		name, value := params[i].(string), params[i+1]
		if inner, ok := value.(Text); ok {
			t.Params[name+".code"] = inner.Code
			for k, v := range inner.Params {
				t.Params[name+"."+k] = v
			}
			value = inner.Message
		}
		t.Params[name] = fmt.Sprint(value)
	}
	pairs := make([]string, 0, 2*len(t.Params))
	for name, value := range t.Params {
		pairs = append(pairs, "{"+name+"}", value)
	}
	t.Message = strings.NewReplacer(pairs...).Replace(text)
	return t
}

// Encode returns the text as JSON, for a column of the database; empty for no text.
func (t Text) Encode() string {
	if t.Message == "" {
		return ""
	}
	raw, err := json.Marshal(t)
	if err != nil {
		panic(err) // unreachable: strings always encode
	}
	return string(raw)
}

// Scan reads a column that Encode wrote. It implements sql.Scanner.
func (t *Text) Scan(column any) error {
	s, ok := column.(string)
	if !ok {
		return fmt.Errorf("errs: a text is stored as %T", column)
	}
	*t = Text{}
	if s == "" {
		return nil
	}
	return json.Unmarshal([]byte(s), t)
}

// Equal reports whether two texts are the same.
func (t Text) Equal(other Text) bool {
	return t.Code == other.Code && t.Message == other.Message && maps.Equal(t.Params, other.Params)
}

// Field is an error of one field of the input.
type Field struct {
	Name string `json:"field" doc:"The field's name."`
	Text
}

// NewField makes a Field.
func NewField(name, code, text string, params ...any) Field {
	return Field{Name: name, Text: Say(code, text, params...)}
}

// Fields joins field errors into one Invalid error, or returns nil when there
// are none, so that a parser can collect them all and return once.
func Fields(fields []Field) error {
	if len(fields) == 0 {
		return nil
	}
	parts := make([]string, len(fields))
	for i, f := range fields {
		parts[i] = f.Name + ": " + f.Message
	}
	text := Say("request.invalid", "Several fields are wrong.")
	if len(fields) == 1 {
		text = fields[0].Text
	}
	text.Message = strings.Join(parts, "; ")
	return &Error{Kind: Invalid, Text: text, Fields: fields}
}

// BadField is Fields of one.
func BadField(name, code, text string, params ...any) error {
	return Fields([]Field{NewField(name, code, text, params...)})
}
