package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"testing"
	"time"

	"github.com/bifolia/bifolia/internal/tools/bench"
)

// This checks only that all of bench console works on both databases, not the figures.
func TestBenchConsoleMeasuresEveryCaseOnBothDatabases(t *testing.T) {
	t.Setenv(runAs, "1") // the servers it starts are this program
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if _, err := bench.Console(t.Context(), bench.ConsoleOptions{Out: &out, Log: io.Discard, Program: self, Members: 1000, For: 2 * time.Millisecond}); err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for lines := json.NewDecoder(&out); ; {
		var l bench.ConsoleLine
		if err := lines.Decode(&l); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		if l.Bench != "console" || l.Members != 1000 || l.Entries != 10_000 || l.P50 <= 0 || l.P99 <= 0 || l.First <= 0 || l.Must == "" {
			t.Errorf("a line says too little: %+v", l)
		}
		seen[l.Engine+" "+l.Case] = true
	}
	for _, engine := range bench.TreeEngines {
		for _, name := range bench.ConsoleCases {
			if !seen[engine+" "+name] {
				t.Errorf("%s was not measured on %s", name, engine)
			}
		}
	}
}
