package chaintest

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"testing"
)

func TestTheTokenIsCompiledFromItsSource(t *testing.T) {
	t.Parallel()
	source, err := os.ReadFile("token/Token.sol")
	if err != nil {
		t.Fatal(err)
	}
	if sum := sha256.Sum256(source); hex.EncodeToString(sum[:]) != Token(t).Source {
		t.Error("Token.sol has changed: run token/compile.sh")
	}
}
