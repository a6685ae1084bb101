package main

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// lockEntry is one installed package in package-lock.json.
type lockEntry struct {
	Name, Version                    string
	Dev, DevOptional, Optional, Link bool
	OS, CPU                          []string
	License                          any
}

// shipped tells whether a package can get into the bundle, not only into the build.
// Optional packages for one platform are native programs, which a bundle does not have and
// which would make the result depend on the machine.
func (e lockEntry) shipped() bool {
	native := e.Optional && len(e.OS)+len(e.CPU) > 0
	return !e.Dev && !e.DevOptional && !e.Link && !native
}

func npmComponents(web string) ([]component, error) {
	var lock struct{ Packages map[string]lockEntry }
	if err := readJSON(filepath.Join(web, "package-lock.json"), &lock); err != nil {
		return nil, err
	}
	var components []component
	var errs []error
	for _, path := range slices.Sorted(maps.Keys(lock.Packages)) {
		e := lock.Packages[path]
		at := strings.LastIndex(path, "node_modules/")
		if at < 0 || !e.shipped() {
			continue // the web itself, or a tool
		}
		name := cmp.Or(e.Name, path[at+len("node_modules/"):])
		c, err := npmComponent(filepath.Join(web, filepath.FromSlash(path)), name, e.Version)
		errs = append(errs, err)
		components = append(components, c)
	}
	slices.SortStableFunc(components, func(a, b component) int {
		return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.Version, b.Version))
	})
	// The same version may be installed in several places.
	components = slices.CompactFunc(components, func(a, b component) bool { return a.Name == b.Name && a.Version == b.Version })
	return components, errors.Join(errs...)
}

func npmComponent(dir, name, version string) (component, error) {
	c := component{Name: name, Version: version}
	var manifest struct {
		Version string
		License any
	}
	if err := readJSON(filepath.Join(dir, "package.json"), &manifest); errors.Is(err, os.ErrNotExist) || err == nil && manifest.Version != version {
		return c, fmt.Errorf("%s %s of package-lock.json is not installed: run scripts/ensure-web.sh", name, version)
	} else if err != nil {
		return c, err
	}
	files, err := textsIn(dir)
	if err != nil {
		return c, err
	}
	return c, c.license(files, declaredLicense(manifest.License))
}

// declaredLicense reads the current form, "MIT", and the old one, {"type": "MIT"}.
func declaredLicense(field any) string {
	switch v := field.(type) {
	case string:
		return v
	case map[string]any:
		s, _ := v["type"].(string)
		return s
	default:
		return ""
	}
}

func readJSON(path string, into any) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(text, into); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}
