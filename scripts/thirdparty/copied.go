package main

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
)

// copied is third-party data in the repository, with its licence and version next to it.
var copied = []struct{ name, dir string }{
	{"github.com/razorpay/ifsc (bank codes)", "internal/people/ifsc/data"},
	{"zxcvbn (common passwords)", "internal/people/passwords/weak"},
	{"DejaVu Sans Condensed (font)", "internal/platform/export/font/dejavu"},
	{"Lohit Devanagari (font)", "internal/platform/export/font/lohit"},
}

// copiedComponents returns those below root; a repository may have none.
func copiedComponents(root string) (all []component, err error) {
	for _, c := range copied {
		dir := filepath.Join(root, c.dir)
		version, errRead := os.ReadFile(filepath.Join(dir, "VERSION"))
		if errors.Is(errRead, os.ErrNotExist) {
			continue
		}
		files, errTexts := textsIn(dir)
		one := component{Name: c.name, Version: strings.TrimSpace(string(version))}
		err = errors.Join(err, errRead, errTexts, one.license(files, ""))
		all = append(all, one)
	}
	return all, err
}
