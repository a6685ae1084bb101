package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/bifolia/bifolia/internal/tools/bench"
)

// This checks only that all of bench tree works on both databases, not the figures, and
// that its own recount finds all counts correct. For the database a zigzag is the same as
// a chain.
func TestBenchTreeMeasuresEveryCaseOnBothDatabases(t *testing.T) {
	t.Setenv(runAs, "1") // the server it starts is this program
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	shapes := map[string][]string{"sqlite": bench.TreeShapes, "postgres": {"chain", "random"}}
	var both sync.WaitGroup
	for engine, shapes := range shapes {
		both.Go(func() {
			var out bytes.Buffer
			if _, err := bench.Tree(t.Context(), bench.TreeOptions{
				Out: &out, Log: io.Discard, Program: self, Engines: []string{engine}, Shapes: shapes,
				Members: 1000, Joins: 3, Starts: 1, For: 4 * time.Millisecond,
			}); err != nil {
				t.Error(err)
			}
			checkTreeLines(t, &out, engine, shapes)
		})
	}
	both.Wait()
}

func checkTreeLines(t *testing.T, out io.Reader, engine string, shapes []string) {
	seen := map[string]bool{}
	for lines := json.NewDecoder(out); ; {
		var l bench.TreeLine
		if err := lines.Decode(&l); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Error(err)
			return
		}
		// Memory is the whole process's, and here two benches share one: with so few members
		// it may even fall.
		measured := l.Case == "memory" || l.Value > 0 && l.Ratio > 0
		if l.Bench != "tree" || l.Engine != engine || l.Members != 1000 || !measured || l.Unit == "" || l.Must == "" {
			t.Errorf("a line says too little: %+v", l)
		}
		seen[l.Shape+" "+l.Case] = true
	}
	pages := []string{"binary_tree", "dashboard", "downline"}
	for _, shape := range shapes {
		for _, name := range bench.TreeCases {
			want := shape != "zigzag" || !slices.Contains(pages, name)
			if at := shape + " " + name; seen[at] != want {
				t.Errorf("%s: %s was measured: %v", engine, at, seen[at])
			}
		}
	}
}
