package main

import (
	"bytes"
	"cmp"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// platforms are the platforms of the server.
var platforms = [][2]string{{"linux", "amd64"}, {"linux", "arm64"}, {"darwin", "amd64"}, {"darwin", "arm64"}}

// gplParts are packages with a stricter licence than their module, stated only in prose.
var gplParts = map[string]string{
	"github.com/ethereum/go-ethereum/cmd/": "GPL-3.0",
}

// Go's standard library is linked too. Its text is kept here because not every
// installation of Go has it.
//
//go:embed go-license.txt
var goLicense string

type goPackage struct {
	ImportPath string
	Dir        string
	Standard   bool
	Module     *goModule
	Error      *struct{ Err string }
}

type goModule struct {
	Path, Version, Dir, GoVersion string
	Main                          bool
	Replace                       *goModule
}

// goComponents returns the modules of all packages of the program, on all platforms.
func goComponents(ctx context.Context, root, program, tags string) ([]component, error) {
	byPath := map[string]goModule{}
	packageDirs := map[string]map[string]bool{}
	goVersion := ""
	for _, p := range platforms {
		packages, err := listPackages(ctx, root, program, tags, p[0], p[1])
		if err != nil {
			return nil, err
		}
		for _, pkg := range packages {
			switch m := pkg.Module; {
			case pkg.Standard || m == nil:
			case m.Main:
				goVersion = m.GoVersion
			default:
				byPath[m.Path] = *m
				if packageDirs[m.Path] == nil {
					packageDirs[m.Path] = map[string]bool{}
				}
				packageDirs[m.Path][pkg.Dir] = true
			}
		}
	}
	std := component{Name: "Go standard library", Version: "go" + goVersion, License: "BSD-3-Clause", Texts: []string{tidy(goLicense)}}
	components := []component{std}
	var errs []error
	for _, m := range slices.SortedFunc(maps.Values(byPath), func(a, b goModule) int { return cmp.Compare(a.Path, b.Path) }) {
		c, err := goComponent(m, slices.Sorted(maps.Keys(packageDirs[m.Path])))
		errs = append(errs, err)
		components = append(components, c)
	}
	return components, errors.Join(errs...)
}

func goComponent(m goModule, dirs []string) (component, error) {
	c := component{Name: m.Path, Version: m.Version}
	if r := m.Replace; r != nil {
		m.Dir = r.Dir
		c.Version = strings.TrimSpace(r.Path + " " + r.Version) // the module actually linked
	}
	// A package may have a separate licence; only those of linked packages matter.
	seen := map[string]bool{}
	var files []file
	for _, dir := range append([]string{m.Dir}, dirs...) {
		for ; !seen[dir] && strings.HasPrefix(dir, m.Dir); dir = filepath.Dir(dir) {
			seen[dir] = true
			found, err := textsIn(dir)
			if err != nil {
				return c, err
			}
			files = append(files, found...)
		}
	}
	return c, c.license(files, "")
}

func listPackages(ctx context.Context, root, program, tags, goos, goarch string) ([]goPackage, error) {
	cmd := exec.CommandContext(ctx, "go", "list", "-e", "-deps", "-tags="+tags, "-json=ImportPath,Dir,Standard,Module,Error", program)
	cmd.Dir = root
	// Ignore the machine's own settings.
	cmd.Env = append(os.Environ(), "GOOS="+goos, "GOARCH="+goarch, "CGO_ENABLED=0", "GOFLAGS=-mod=readonly", "GOWORK=off", "GOEXPERIMENT=")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w: %s", err, strings.TrimSpace(stderr.String()))
	}
	var packages []goPackage
	for dec := json.NewDecoder(bytes.NewReader(out)); ; {
		var p goPackage
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			return packages, nil
		} else if err != nil {
			return nil, fmt.Errorf("go list: %w", err)
		}
		// The web may not be built yet, which changes no licence.
		if p.Error != nil && !strings.Contains(p.Error.Err, "no matching files found") {
			return nil, fmt.Errorf("go list: %s: %s", p.ImportPath, p.Error.Err)
		}
		for prefix, id := range gplParts {
			if strings.HasPrefix(p.ImportPath, prefix) {
				return nil, fmt.Errorf("%s is under %s, which the product cannot be shipped with: do not import it", p.ImportPath, id)
			}
		}
		packages = append(packages, p)
	}
}
