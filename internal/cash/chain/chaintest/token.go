package chaintest

import (
	"bytes"
	_ "embed"
	"encoding/hex"
	"encoding/json"
	"testing"

	"github.com/ethereum/go-ethereum/accounts/abi"
)

// Token.json is made of Token.sol by token/compile.sh.
//
//go:embed token/Token.json
var compiled []byte

// Token is the ERC-20 that tests deploy.
func Token(t testing.TB) Artifact {
	t.Helper()
	var file struct {
		Source   string
		ABI      json.RawMessage
		Bytecode string
	}
	if err := json.Unmarshal(compiled, &file); err != nil {
		t.Fatal(err)
	}
	parsed, err := abi.JSON(bytes.NewReader(file.ABI))
	if err != nil {
		t.Fatal(err)
	}
	code, err := hex.DecodeString(file.Bytecode)
	if err != nil {
		t.Fatal(err)
	}
	return Artifact{parsed, code, file.Source}
}
