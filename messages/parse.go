package messages

import (
	"errors"
	"fmt"
	"strings"
)

// part is a piece of a message: its text, the value of an argument, or the form of a plural
// or select that fits the value of one.
type part struct {
	text   string
	arg    string // "" for a text
	plural bool
	forms  map[string][]part
}

// parser reads a message from its beginning.
type parser struct{ rest string }

func parse(message string) ([]part, error) {
	p := parser{message}
	parts, err := p.message()
	if err == nil && p.rest != "" {
		err = errors.New("a } without its {")
	}
	return parts, err
}

// message reads up to the end, or up to the } that ends a form.
func (p *parser) message() (parts []part, err error) {
	for {
		if text := p.literal(); text != "" {
			parts = append(parts, part{text: text})
		}
		if !p.take("{") {
			return parts, nil
		}
		arg, err := p.argument()
		if err != nil {
			return nil, err
		}
		parts = append(parts, arg)
	}
}

// literal reads a text up to a brace. Two apostrophes are one; one before a brace quotes what
// is up to the next.
func (p *parser) literal() string {
	var out strings.Builder
	for p.rest != "" && p.rest[0] != '{' && p.rest[0] != '}' {
		switch {
		case p.take("''"):
			out.WriteByte('\'')
		case strings.HasPrefix(p.rest, "'{"), strings.HasPrefix(p.rest, "'}"):
			var quoted string
			quoted, p.rest, _ = strings.Cut(p.rest[1:], "'")
			out.WriteString(quoted)
		default:
			out.WriteByte(p.rest[0])
			p.rest = p.rest[1:]
		}
	}
	return out.String()
}

// argument reads what is between the braces of one, and the closing brace.
func (p *parser) argument() (out part, err error) {
	out.arg = p.word()
	if p.take("}") && out.arg != "" {
		return out, nil
	}
	p.take(",")
	kind := p.word()
	if out.arg == "" || kind != "plural" && kind != "select" || !p.take(",") {
		return out, fmt.Errorf("only {name}, plural and select are supported, before %q", p.rest)
	}
	out.plural, out.forms = kind == "plural", map[string][]part{}
	for !p.take("}") {
		form := p.word()
		if form == "" || !p.take("{") {
			return out, fmt.Errorf("{%s, %s}: a form has no braces, before %q", out.arg, kind, p.rest)
		}
		if out.forms[form], err = p.message(); err != nil {
			return out, err
		}
		if !p.take("}") {
			return out, fmt.Errorf("{%s, %s}: a form does not end", out.arg, kind)
		}
		p.space()
	}
	if _, ok := out.forms["other"]; !ok {
		return out, fmt.Errorf("{%s, %s} has no form other", out.arg, kind)
	}
	return out, nil
}

// word reads a name with the space around it.
func (p *parser) word() string {
	p.space()
	end := strings.IndexAny(p.rest, "{}, \n\t")
	if end < 0 {
		end = len(p.rest)
	}
	word := p.rest[:end]
	p.rest = p.rest[end:]
	p.space()
	return word
}

func (p *parser) space() { p.rest = strings.TrimLeft(p.rest, " \n\t") }

// take skips a text if it is next.
func (p *parser) take(text string) (ok bool) {
	p.rest, ok = strings.CutPrefix(p.rest, text)
	return ok
}
