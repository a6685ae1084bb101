package shape

import (
	"bytes"
	"encoding/json"
)

// Canonical writes a value in the one form that is kept, compared and digested:
// fields in their order, nothing between them, letters as they are.
func Canonical(v any) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		panic("shape: a value has no JSON: " + err.Error()) // a digest of nothing would vouch for anything
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}
