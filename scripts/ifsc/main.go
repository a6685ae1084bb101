// Command ifsc writes internal/people/ifsc/data: the bank codes of the npm package "ifsc"
// in a searchable form.
//
//	go run ./scripts/ifsc          write the files
//	go run ./scripts/ifsc -check   fail if they are stale
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// release is the version of the package: raise it, run the command and commit both.
const release = "2.0.50"

const into = "internal/people/ifsc/data"

func main() {
	check := flag.Bool("check", false, "write nothing; fail if a file is stale")
	flag.Parse()
	if err := run(context.Background(), *check); err != nil {
		fmt.Fprintln(os.Stderr, "ifsc:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, check bool) error {
	dir, err := os.MkdirTemp("", "ifsc-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	if err := fetch(ctx, dir); err != nil {
		return err
	}
	banks, err := banksOf(filepath.Join(dir, "package", "src"))
	if err != nil {
		return err
	}
	license, err := os.ReadFile(filepath.Join(dir, "package", "LICENSE"))
	if err != nil {
		return err
	}
	var stale []error
	for name, want := range map[string]string{"banks.txt": banks, "LICENSE": string(license), "VERSION": release + "\n"} {
		path := filepath.Join(into, name)
		if !check {
			stale = append(stale, os.WriteFile(path, []byte(want), 0o644))
			continue
		}
		if have, err := os.ReadFile(path); err != nil || string(have) != want {
			stale = append(stale, fmt.Errorf("%s is stale, write it with `go run ./scripts/ifsc`", path))
		}
	}
	return errors.Join(stale...)
}

// fetch unpacks the package without its dependencies.
func fetch(ctx context.Context, dir string) error {
	for _, args := range [][]string{{"npm", "pack", "--silent", "--ignore-scripts", "ifsc@" + release}, {"tar", "xzf", "ifsc-" + release + ".tgz"}} {
		c := exec.CommandContext(ctx, args[0], args[1:]...)
		c.Dir, c.Stderr = dir, os.Stderr
		if err := c.Run(); err != nil {
			return fmt.Errorf("%s: %w", strings.Join(args, " "), err)
		}
	}
	return nil
}

func read(path string, to any) error {
	raw, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	return d.Decode(to)
}

// banksOf returns a line for each bank: its four letters, its name, and its branches, with
// consecutive numbers as first-last. Lines that begin with "=" are codes or prefixes that
// a bank lets another one use, and the name of that bank.
func banksOf(src string) (string, error) {
	var branches map[string][]any
	var names, lent, also map[string]string
	if err := errors.Join(read(filepath.Join(src, "IFSC.json"), &branches), read(filepath.Join(src, "banknames.json"), &names),
		read(filepath.Join(src, "sublet.json"), &lent), read(filepath.Join(src, "custom-sublets.json"), &also)); err != nil {
		return "", err
	}
	var b strings.Builder
	for _, bank := range slices.Sorted(maps.Keys(branches)) {
		fmt.Fprintf(&b, "%s\t%s\t%s\n", bank, names[bank], spans(branches[bank]))
	}
	maps.Copy(lent, also)
	for _, code := range slices.Sorted(maps.Keys(lent)) {
		name := lent[code]
		if known, ok := names[name]; ok {
			name = known
		}
		fmt.Fprintf(&b, "=%s\t%s\n", code, name)
	}
	return b.String(), nil
}

// spans formats branches, numbers before words.
func spans(all []any) string {
	var numbers []int
	var words, out []string
	for _, x := range all {
		if number, isNumber := x.(json.Number); !isNumber {
			words = append(words, fmt.Sprint(x))
		} else if n, err := strconv.Atoi(number.String()); err == nil {
			numbers = append(numbers, n)
		}
	}
	slices.Sort(numbers)
	for i := 0; i < len(numbers); {
		j := i
		for j+1 < len(numbers) && numbers[j+1] == numbers[j]+1 {
			j++
		}
		span := strconv.Itoa(numbers[i])
		if j > i {
			span += "-" + strconv.Itoa(numbers[j])
		}
		out, i = append(out, span), j+1
	}
	slices.Sort(words)
	return strings.Join(append(out, slices.Compact(words)...), " ")
}
