package chaintest

import (
	"encoding/json"
	"io"
	"os"
	"testing"
	"time"
)

// TestServe is a chain for those who are not Go: the browser tests start it,
// read from its first line where it is, and end its input when they are done.
func TestServe(t *testing.T) {
	if os.Getenv("CHAIN_FOR_OTHERS") == "" {
		t.Skip("a chain for the browser tests")
	}
	c := Start(t)
	token := c.Deploy(t, 18)
	key, wallet := Wallet(t)
	c.Transfer(t, token, wallet, Units(18, 1000))
	c.Gas(t, wallet)
	if err := json.NewEncoder(os.Stdout).Encode(map[string]any{
		"id": ID, "urls": []string{c.Serve(t).URL, c.Serve(t).URL}, "token": token, "key": key, "wallet": wallet,
	}); err != nil {
		t.Fatal(err)
	}
	gone := make(chan struct{})
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin)
		close(gone)
	}()
	block := time.NewTicker(time.Second)
	defer block.Stop()
	for {
		select {
		case <-gone:
			return
		case <-block.C:
			c.Mine(1)
		}
	}
}
