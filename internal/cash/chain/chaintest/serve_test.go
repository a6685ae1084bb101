package chaintest

import (
	"encoding/json"
	"math/big"
	"os"
	"testing"
	"time"
)

// TestServe is a chain for those who are not Go: the browser tests start it,
// read from its first line where it is, and end its input when they are done. Each
// line of the input is a payment to make; the hash is answered. CHAIN_AHEAD is how far
// the servers of the tests live ahead of this machine.
func TestServe(t *testing.T) {
	if os.Getenv("CHAIN_FOR_OTHERS") == "" {
		t.Skip("a chain for the browser tests")
	}
	ahead, err := time.ParseDuration(os.Getenv("CHAIN_AHEAD"))
	if err != nil {
		t.Fatal(err)
	}
	c := Start(t)
	c.NotBefore(t, time.Now().Add(ahead))
	token := c.Deploy(t, 18)
	key, wallet := Wallet(t)
	_, company := Wallet(t)
	c.Transfer(t, token, wallet, Units(18, 1000))
	c.Gas(t, wallet)
	out := json.NewEncoder(os.Stdout)
	if err := out.Encode(map[string]any{
		"id": ID, "urls": []string{c.Serve(t).URL, c.Serve(t).URL}, "token": token, "key": key, "wallet": wallet,
		"company": company, "xpub": NewAccount(t).Xpub,
	}); err != nil {
		t.Fatal(err)
	}
	payments := make(chan payment)
	go func() {
		defer close(payments)
		for in := json.NewDecoder(os.Stdin); ; {
			var p payment
			if in.Decode(&p) != nil {
				return
			}
			payments <- p
		}
	}()
	block := time.NewTicker(time.Second)
	defer block.Stop()
	for {
		select {
		case p, ok := <-payments:
			if !ok {
				return
			}
			hash := c.Transfer(t, token, p.To, new(big.Int).Mul(big.NewInt(p.Micros), Units(12, 1)))
			if err := out.Encode(map[string]string{"hash": hash}); err != nil {
				t.Fatal(err)
			}
		case <-block.C:
			c.Mine(1)
		}
	}
}

// payment is one from outside, in millionths of a dollar: announced payments differ by
// less than a cent.
type payment struct {
	To     string
	Micros int64
}
