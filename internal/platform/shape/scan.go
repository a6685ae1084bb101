package shape

import (
	"encoding/json"
	"errors"
	"math"
	"strings"
)

// ErrTooDeep and ErrTooMany mean that a text exceeds a bound of a Scan.
var (
	ErrTooDeep = errors.New("shape: a text nests too deep")
	ErrTooMany = errors.New("shape: a text has too many names and values")
)

// Scan scans a JSON text without decoding it. It bounds the text and finds names that an
// object has more than once.
type Scan struct {
	Values, Depth int                                // the maximum; 0 is no bound
	Fold          func(name string) string           // names with the same folded form are equal; nil: no folding
	Repeated      func(depth int, name string) error // its error ends the scan
}

// Read scans a text. It may accept invalid JSON, which decoding rejects.
func (o Scan) Read(raw []byte) error {
	s := scanner{Scan: o, left: o.Values, seen: map[objectName]bool{}}
	if s.left == 0 {
		s.left = math.MaxInt
	}
	for i := 0; i < len(raw); {
		var err error
		if i, err = s.token(raw, i); err != nil {
			return err
		}
	}
	return nil
}

// objectName is a name within one object of a text.
type objectName struct {
	object int
	name   string // folded
}

type scanner struct {
	Scan
	left    int   // remaining number of names and values
	objects []int // by depth: the number of the open object; 0 for an array
	opened  int   // objects so far
	name    bool  // the next string is a name
	seen    map[objectName]bool
}

// token reads the token at i and returns where the next may begin.
func (s *scanner) token(raw []byte, i int) (int, error) {
	switch c := raw[i]; c {
	case ' ', '\t', '\r', '\n', ':':
		return i + 1, nil
	case ',':
		s.name = len(s.objects) > 0 && s.objects[len(s.objects)-1] > 0
		return i + 1, nil
	case '}', ']':
		s.objects, s.name = s.objects[:max(len(s.objects)-1, 0)], false
		return i + 1, nil
	case '{', '[':
		return i + 1, s.open(c == '{')
	case '"':
		end := stringEnd(raw, i)
		if !s.name {
			return end, s.count()
		}
		s.name = false
		return end, s.once(raw[i:end])
	}
	end := i + 1
	for end < len(raw) && !strings.ContainsRune(" \t\r\n:,]}[{\"", rune(raw[end])) {
		end++
	}
	return end, s.count()
}

func (s *scanner) open(object bool) error {
	if s.Depth > 0 && len(s.objects) == s.Depth {
		return ErrTooDeep
	}
	number := 0
	if object {
		s.opened++
		number = s.opened
	}
	s.objects, s.name = append(s.objects, number), object
	return s.count()
}

func (s *scanner) count() error {
	if s.left--; s.left < 0 {
		return ErrTooMany
	}
	return nil
}

func (s *scanner) once(quoted []byte) error {
	if err := s.count(); err != nil {
		return err
	}
	var name string
	if isText := json.Unmarshal(quoted, &name) == nil; !isText {
		return nil // not JSON
	}
	key := objectName{s.objects[len(s.objects)-1], name}
	if s.Fold != nil {
		key.name = s.Fold(name)
	}
	if s.seen[key] {
		return s.Repeated(len(s.objects), name)
	}
	s.seen[key] = true
	return nil
}

// stringEnd returns the index after the string that begins at i.
func stringEnd(raw []byte, i int) int {
	for i++; i < len(raw); i++ {
		switch raw[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return len(raw)
}
