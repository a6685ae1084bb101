package shape

import (
	"bytes"
	"encoding/json"
)

// Canonical returns a value's JSON in the form that is stored, compared and digested:
// fields in their order, no spaces, characters unescaped.
func Canonical(v any) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		panic("shape: a value has no JSON: " + err.Error()) // a digest of empty bytes would match any such value
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}
