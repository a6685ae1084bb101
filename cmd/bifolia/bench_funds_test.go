package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"testing"

	"github.com/bifolia/bifolia/internal/tools/bench"
)

// This checks only that all of bench funds works on both databases, not the figures.
func TestBenchFundsMeasuresEveryCaseOnBothDatabases(t *testing.T) {
	t.Setenv(runAs, "1") // the servers it starts are this program
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if _, err := bench.Funds(t.Context(), bench.Options{Out: &out, Log: io.Discard, Program: self, Seconds: 1, Clients: []int{2}, Members: 200}); err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for lines := json.NewDecoder(&out); ; {
		var l bench.FundsLine
		if err := lines.Decode(&l); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		if l.Bench != "funds" || l.Clients != 2 || l.PerSecond <= 0 || l.P50 <= 0 || l.Raw <= 0 || l.Ledger <= 0 || l.OfLedger <= 0 {
			t.Errorf("a line says too little: %+v", l)
		}
		seen[l.Engine+" "+l.Case] = true
	}
	for _, want := range []string{"sqlite transfer", "sqlite fund_request", "postgres transfer", "postgres fund_request"} {
		if !seen[want] {
			t.Errorf("%s was not measured", want)
		}
	}
}
