package main

import (
	"bytes"
	"encoding/json"
	"io"
	"os"
	"slices"
	"testing"
	"time"

	"github.com/bifolia/bifolia/internal/bench"
)

// What is measured is not looked at here: only that everything that bench tree
// does works, on both databases, and that its own recount finds all counts right.
func TestBenchTreeMeasuresEveryCaseOnBothDatabases(t *testing.T) {
	t.Setenv(runAs, "1") // the server it starts is this program
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if _, err := bench.Tree(t.Context(), bench.TreeOptions{
		Out: &out, Log: io.Discard, Program: self, Members: 1000, Joins: 3, Starts: 1, For: 4 * time.Millisecond,
	}); err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for lines := json.NewDecoder(&out); ; {
		var l bench.TreeLine
		if err := lines.Decode(&l); err == io.EOF {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		if l.Bench != "tree" || l.Members != 1000 || l.Value <= 0 || l.Ratio <= 0 || l.Unit == "" || l.Must == "" {
			t.Errorf("a line says too little: %+v", l)
		}
		seen[l.Engine+" "+l.Shape+" "+l.Case] = true
	}
	pages := []string{"binary_tree", "dashboard", "downline"}
	for _, engine := range bench.TreeEngines {
		for _, shape := range bench.TreeShapes {
			for _, name := range bench.TreeCases {
				want := shape != "zigzag" || !slices.Contains(pages, name)
				if at := engine + " " + shape + " " + name; seen[at] != want {
					t.Errorf("%s was measured: %v", at, seen[at])
				}
			}
		}
	}
}
