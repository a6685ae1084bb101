package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const (
	mit = "The MIT License (MIT)\n\nCopyright (c) 2020 Somebody\n\nPermission is hereby granted, free of charge, to any person obtaining a copy\nof this software and associated documentation files (the \"Software\") …\n\nThe above copyright notice and this permission notice shall be included in\nall copies."
	isc = "ISC License\n\nPermission to use, copy, modify, and/or distribute this software for any\npurpose with or without fee is hereby granted, provided that the above\ncopyright notice and this permission notice appear in all copies."
	bsd = "Redistribution and use in source and binary forms, with or without\nmodification, are permitted provided that …"
	gpl = "                    GNU GENERAL PUBLIC LICENSE\n                       Version 3, 29 June 2007\n\n… Use with the GNU Affero General Public License."
)

func TestClassify(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{mit, "MIT"},
		{"// " + strings.ReplaceAll(mit, "\n", "\n// "), "MIT"},
		{strings.ReplaceAll(mit, "this permission notice", "nothing"), "MIT-0"},
		{isc, "ISC"},
		{strings.ReplaceAll(isc, "provided that", "even if"), "0BSD"},
		{bsd, "BSD-2-Clause"},
		{bsd + " Neither the name of X nor the names of its contributors may be used\nto endorse or promote products", "BSD-3-Clause"},
		{bsd + " All advertising materials mentioning features … to endorse or promote products", "BSD-4-Clause"},
		{isc + mit, "MIT ISC"},
		{"Apache License\n   Version 2.0, January 2004\n http://www.apache.org/licenses/", "Apache-2.0"},
		{"Mozilla Public License Version 2.0\n====\n… the GNU General Public License, Version 2.0", "MPL-2.0"},
		{gpl, "GPL-3.0"},
		{"GNU LESSER GENERAL PUBLIC LICENSE\n Version 3, 29 June 2007\n the terms and conditions of version 3 of the GNU General Public License", "LGPL-3.0"},
		{"GNU AFFERO GENERAL PUBLIC LICENSE\n Version 3, 19 November 2007", "AGPL-3.0"},
		{"you can redistribute it and/or modify it under the terms of the GNU General Public License as published", "GPL"},
		{mit + "\nParts are distributed under the terms of the GNU Affero General Public License.", "MIT AGPL"},
		{"This software is provided 'as-is' … Altered source versions must be plainly marked as such", "Zlib"},
		{"This is free and unencumbered software released into the public domain.", "Unlicense"},
		{"-----\nSIL OPEN FONT LICENSE Version 1.1 - 26 February 2007\n-----", "OFL-1.1"},
		{"Permission is hereby granted, free of charge, to any person obtaining a copy\nof the fonts accompanying this license (\"Fonts\") … only if the fonts\nare renamed", "Bitstream-Vera"},
		{"CC0 1.0 Universal", "CC0-1.0"},
		{"All rights reserved.", ""},
	} {
		if got := strings.Join(classify(c.text), " "); got != c.want {
			t.Errorf("got %q, want %q for:\n%s", got, c.want, c.text)
		}
	}
	if got := classify(goLicense); !slices.Equal(got, []string{"BSD-3-Clause"}) {
		t.Errorf("Go's own: %v", got)
	}
}

func TestLicense(t *testing.T) {
	lgpl := "GNU LESSER GENERAL PUBLIC LICENSE Version 3, 29 June 2007"
	for _, c := range []struct {
		name, declared string
		texts          []string
		want, err      string
	}{
		{"one text", "", []string{mit}, "MIT", ""},
		{"two texts", "", []string{mit, isc}, "ISC AND MIT", ""},
		{"two texts to choose from", "(MIT OR ISC)", []string{mit, isc}, "(MIT OR ISC)", ""},
		{"the text counts, not the manifest", "ISC", []string{mit}, "MIT", ""},
		{"a manifest alone", "MIT", nil, "MIT", ""},
		{"the LGPL with its base", "", []string{gpl, lgpl}, "LGPL-3.0", ""},
		{"the GPL", "", []string{gpl}, "", "x v1 is under GPL-3.0"},
		{"the GPL beside another", "", []string{mit, gpl}, "", "under GPL-3.0"},
		{"the GPL in the manifest", "GPL-2.0-only", []string{mit}, "", "under GPL-2.0-only"},
		{"a choice without the GPL's text", "MIT OR GPL-2.0-only", []string{mit}, "MIT", ""},
		{"nothing", "", nil, "", "x v1: no licence"},
		{"an unknown text", "MIT", []string{"Ask me."}, "", "x v1: the licence in f is unknown"},
		{"an unknown name", "SEE LICENSE IN README", nil, "", "is unknown"},
		{"advertising", "BSD-4-Clause", nil, "", "is unknown"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var files []file
			for _, text := range c.texts {
				files = append(files, file{name: "f", text: text})
			}
			got := component{Name: "x", Version: "v1"}
			err := got.license(files, c.declared)
			if c.err != "" {
				if err == nil || !strings.Contains(err.Error(), c.err) || strings.Contains(err.Error(), "\n") {
					t.Errorf("got %v, want %s", err, c.err)
				}
				return
			}
			if err != nil || got.License != c.want {
				t.Errorf("got %q, %v; want %q", got.License, err, c.want)
			}
		})
	}
}

func TestTheBillOfMaterialsIsTheSameForTheSameSources(t *testing.T) {
	modules := []component{{Name: "Go standard library", Version: "go1.26.8", License: "BSD-3-Clause"}, {Name: "example.test/m/v2", Version: "v2.0.1", License: "MIT"}}
	packages := []component{{Name: "@scope/p", Version: "1.2.3", License: "(MIT OR ISC)"}}
	var texts []string
	for range 2 {
		path := filepath.Join(t.TempDir(), "bom.json")
		if err := writeSBOM(path, "1.0.0", modules, packages, nil); err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		texts = append(texts, string(text))
	}
	if texts[0] != texts[1] {
		t.Error("two runs differ")
	}
	for _, want := range []string{`"CycloneDX"`, "pkg:golang/std@1.26.8", "pkg:golang/example.test/m/v2@v2.0.1", "pkg:npm/%40scope/p@1.2.3", "(MIT OR ISC)"} {
		if !strings.Contains(texts[0], want) {
			t.Errorf("%s is not in it: %s", want, texts[0])
		}
	}
}

// write makes files below a new directory.
func write(t *testing.T, files map[string]string) string {
	t.Helper()
	root := t.TempDir()
	for name, text := range files {
		path := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

// product is a small server and web with one dependency each that counts.
func product(t *testing.T) string {
	t.Helper()
	manifest := func(version string) string { return fmt.Sprintf(`{"version": %q, "license": "ISC"}`, version) }
	return write(t, map[string]string{
		"go.mod":               "module example.com/p\n\ngo 1.26\n\nrequire (\n\texample.com/dep v1.0.0\n\texample.com/unused v1.0.0\n)\n\nreplace example.com/dep => ./dep\n\nreplace example.com/unused => ./unused\n",
		"cmd/bifolia/main.go":  "package main\n\nimport (\n\t_ \"embed\"\n\t_ \"example.com/dep\"\n)\n\n//go:embed not-built-yet\nvar s string\n\nfunc main() {}\n",
		"dep/go.mod":           "module example.com/dep\n",
		"dep/LICENSE":          mit,
		"dep/LICENSE.go":       "package dep",
		"dep/NOTICE":           "Made by Somebody.",
		"dep/dep.go":           "package dep\n",
		"dep/mac_darwin.go":    "package dep\n\nimport _ \"example.com/dep/mac\"\n",
		"dep/mac/mac.go":       "package mac\n",
		"dep/mac/COPYING":      isc,
		"dep/strict/strict.go": "package strict\n",
		"dep/strict/COPYING":   gpl,
		"unused/go.mod":        "module example.com/unused\n",
		"unused/LICENSE":       gpl,

		"web/package-lock.json": `{"packages": {"": {}, "node_modules/a": {"version": "1.0.0"}, "node_modules/a/node_modules/b": {"version": "2.0.0"},
			"node_modules/b": {"version": "2.0.0"}, "node_modules/tool": {"version": "1.0.0", "dev": true}, "node_modules/types": {"version": "1.0.0", "devOptional": true},
			"node_modules/native": {"version": "1.0.0", "optional": true, "os": ["darwin"]}}}`,
		"web/node_modules/a/package.json":                manifest("1.0.0"),
		"web/node_modules/a/LICENSE.md":                  mit,
		"web/node_modules/b/package.json":                manifest("2.0.0"),
		"web/node_modules/a/node_modules/b/package.json": manifest("2.0.0"),
		"web/node_modules/tool/package.json":             `{"version": "1.0.0", "license": "GPL-3.0"}`,
	})
}

func testConfig(root string) config {
	return config{root: root, program: "./cmd/bifolia", web: "web", out: "OUT.md"}
}

func TestWriteAndCheck(t *testing.T) {
	c := testConfig(product(t))
	path := filepath.Join(c.root, c.out)
	checked := c
	checked.check = true
	wantStale := func(what string) {
		t.Helper()
		if err := run(t.Context(), checked); err == nil || !strings.Contains(err.Error(), what) {
			t.Errorf("got %v, want %s", err, what)
		}
	}

	wantStale("it is missing")
	if err := run(t.Context(), c); err != nil {
		t.Fatal(err)
	}
	if err := run(t.Context(), checked); err != nil {
		t.Errorf("just written: %v", err)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"Go standard library go1.26 (BSD-3-Clause)", "example.com/dep ./dep (ISC AND MIT)", "a 1.0.0 (MIT)", "b 2.0.0 (ISC)"}
	if got := rows(string(text)); !slices.Equal(got, want) {
		t.Errorf("got %q", got)
	}
	if n := strings.Count(string(text), tidy(mit)); n != 1 {
		t.Errorf("the shared text is there %d times", n)
	}
	if !strings.Contains(string(text), "### example.com/dep, a\n") || !strings.Contains(string(text), "Made by Somebody.") {
		t.Errorf("texts are not as wanted:\n%s", text)
	}

	replace := func(from, to string) {
		t.Helper()
		if err := os.WriteFile(path, []byte(strings.Replace(string(text), from, to, 1)), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	replace("| a | 1.0.0 |", "| a | 0.9.0 |")
	wantStale("a 1.0.0 (MIT) is not listed; a 0.9.0 (MIT) is listed but not used")
	replace("Somebody", "Nobody")
	wantStale("the texts changed")
}

func TestRefusals(t *testing.T) {
	for _, c := range []struct{ name, file, text, want string }{
		{"a linked package under the GPL", "dep/strict.go", "package dep\n\nimport _ \"example.com/dep/strict\"\n", "example.com/dep ./dep is under GPL-3.0"},
		{"a shipped package under the AGPL", "web/node_modules/b/package.json", `{"version": "2.0.0", "license": "AGPL-3.0-only"}`, "b 2.0.0 is under AGPL-3.0-only"},
		{"an import that does not exist", "dep/x.go", "package dep\n\nimport _ \"example.com/nowhere\"\n", "example.com/nowhere"},
		{"another version installed", "web/node_modules/b/package.json", `{"version": "2.0.1"}`, "run scripts/ensure-web.sh"},
	} {
		t.Run(c.name, func(t *testing.T) {
			root := product(t)
			if err := os.WriteFile(filepath.Join(root, c.file), []byte(c.text), 0o644); err != nil {
				t.Fatal(err)
			}
			if err := run(t.Context(), testConfig(root)); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want %s", err, c.want)
			}
		})
	}
}
