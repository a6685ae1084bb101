// Command thirdparty writes THIRD_PARTY_LICENSES.md: every Go module linked
// into the server and every npm package the web ships, with its licence.
//
//	go run ./scripts/thirdparty          write the file
//	go run ./scripts/thirdparty -check   fail if the file is stale
//	go run ./scripts/thirdparty -sbom FILE  write a CycloneDX bill of materials instead
//
// Licences are read from the texts that come with each component, not from
// what a registry says about it. A text it does not know, and any GPL or AGPL,
// is an error. The outcome depends on go.mod, go.sum and package-lock.json
// only, not on the machine: the server is looked at for every platform it is
// built for, and npm packages for one platform only are left out.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// component is third-party software.
type component struct {
	Name    string
	Version string
	License string   // SPDX expression
	Texts   []string // licences and notices to ship with the product
}

type config struct {
	root, program, web, out, tags string
	sbom, version                 string
	check                         bool
}

func main() {
	var c config
	flag.StringVar(&c.root, "root", ".", "the repository")
	flag.StringVar(&c.program, "program", "./cmd/bifolia", "the Go program that is shipped")
	flag.StringVar(&c.web, "web", "web", "the web, below root")
	flag.StringVar(&c.out, "out", "THIRD_PARTY_LICENSES.md", "the file, below root")
	flag.StringVar(&c.tags, "tags", "", "build tags of the shipped program")
	flag.BoolVar(&c.check, "check", false, "write nothing; fail if the file is stale")
	flag.StringVar(&c.sbom, "sbom", "", "write a CycloneDX bill of materials to this file instead")
	flag.StringVar(&c.version, "version", "dev", "the version of the program that -sbom describes")
	flag.Parse()
	if err := run(context.Background(), c); err != nil {
		fmt.Fprintln(os.Stderr, "thirdparty:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, c config) error {
	// Both halves always run, so that one run reports every problem.
	modules, errGo := goComponents(ctx, c.root, c.program, c.tags)
	packages, errNPM := npmComponents(filepath.Join(c.root, c.web))
	data, errCopied := copiedComponents(c.root)
	if err := errors.Join(errGo, errNPM, errCopied); err != nil {
		return err
	}
	if c.sbom != "" {
		return writeSBOM(c.sbom, c.version, modules, packages, data)
	}
	path := filepath.Join(c.root, c.out)
	want := render(modules, packages, data)
	have, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	if string(have) == want {
		fmt.Fprintf(os.Stderr, "thirdparty: %s is up to date\n", c.out)
		return nil
	}
	if c.check {
		return fmt.Errorf("%s is stale, write it with `go run ./scripts/thirdparty`: %s", c.out, strings.Join(difference(string(have), want), "; "))
	}
	if err := os.WriteFile(path, []byte(want), 0o644); err != nil {
		return err
	}
	fmt.Fprintf(os.Stderr, "thirdparty: wrote %s: %d Go modules, %d npm packages\n", c.out, len(modules), len(packages))
	return nil
}

// license determines the licence from the texts of a component. declared is the licence in
// its manifest, or "".
func (c *component) license(files []file, declared string) error {
	var ids []string
	for _, f := range files {
		c.Texts = append(c.Texts, f.text)
		if f.notice {
			continue
		}
		found := classify(f.text)
		if len(found) == 0 {
			return fmt.Errorf("%s %s: the licence in %s is unknown: read it and teach scripts/thirdparty, or drop the component", c.Name, c.Version, f.name)
		}
		ids = append(ids, found...)
	}
	slices.Sort(ids)
	ids = slices.Compact(ids)
	ids = withoutBaseText(ids)
	declaredIDs := identifiers(declared)
	switch {
	case !strings.Contains(declared, " OR ") && slices.ContainsFunc(declaredIDs, isGPL):
		ids, c.License = declaredIDs, declared // regardless of the texts
	case len(ids) == 0 && len(declaredIDs) == 0:
		return fmt.Errorf("%s %s: no licence was found: drop the component, or ask its maker for one", c.Name, c.Version)
	case len(ids) == 0:
		ids, c.License = declaredIDs, declared // a manifest but no text
	case slices.Equal(ids, declaredIDs):
		c.License = declared // it distinguishes "and" from "or", which the texts do not
	default:
		c.License = strings.Join(ids, " AND ")
	}
	return c.allowed(ids)
}

func (c *component) allowed(ids []string) error {
	for _, id := range ids {
		if isGPL(id) {
			return fmt.Errorf("%s %s is under %s, which the product cannot be shipped with: drop it", c.Name, c.Version, id)
		}
		if !known(id) {
			return fmt.Errorf("%s %s: the licence %s is unknown: read it and teach scripts/thirdparty, or drop the component", c.Name, c.Version, id)
		}
	}
	return nil
}

func isGPL(id string) bool {
	return strings.HasPrefix(id, "GPL") || strings.HasPrefix(id, "AGPL")
}

// withoutBaseText drops the GPL next to the LGPL of the same version, which is written as
// an addition to the GPL and comes with its text.
func withoutBaseText(ids []string) []string {
	var kept []string
	for _, id := range ids {
		if !slices.Contains(ids, "L"+id) {
			kept = append(kept, id)
		}
	}
	return kept
}

// identifiers are the licences named in an SPDX expression, sorted.
func identifiers(expression string) []string {
	var ids []string
	for word := range strings.FieldsFuncSeq(expression, func(r rune) bool { return strings.ContainsRune(" ()", r) }) {
		if word != "AND" && word != "OR" && word != "WITH" {
			ids = append(ids, word)
		}
	}
	slices.Sort(ids)
	return slices.Compact(ids)
}
