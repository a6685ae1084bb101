package main

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// file is a licence or notice of a component.
type file struct {
	name   string
	text   string
	notice bool // to be shipped, but not a licence
}

var (
	licenseName = regexp.MustCompile(`(?i)^([a-z]+-)?(un)?(licen[cs]es?|copying)([-._][a-z0-9._-]*)?$`)
	noticeName  = regexp.MustCompile(`(?i)^((notice|patents|copyright)([-._][a-z0-9._-]*)?|swagger-ui-bundle\.js\.license\.txt)$`) // the last one names parts of a prebuilt bundle
	// A component's own list of third parties, including tools that are not linked.
	listName = regexp.MustCompile(`(?i)(3rd|third)[-_]?party`)
	logoName = regexp.MustCompile(`(?i)^licen[cs]e-logo$`) // of an image that is not shipped
	codeName = regexp.MustCompile(`(?i)\.(go|c|h|m?[jt]sx?|cjs|json|ya?ml|sh|py|html|spdx)$`)
)

// textsIn reads the licences and notices of a directory, sorted by name.
func textsIn(dir string) ([]file, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var files []file
	for _, e := range entries {
		isLicense, isNotice := licenseName.MatchString(e.Name()), noticeName.MatchString(e.Name())
		if e.IsDir() || codeName.MatchString(e.Name()) || logoName.MatchString(e.Name()) || !isLicense && !isNotice {
			continue
		}
		text, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			return nil, err
		}
		if clean := tidy(string(text)); clean != "" {
			files = append(files, file{name: e.Name(), text: clean, notice: !isLicense || listName.MatchString(e.Name())})
		}
	}
	return files, nil
}

// tidy normalizes a text for comparison.
func tidy(text string) string {
	text = strings.ToValidUTF8(strings.TrimPrefix(text, "\ufeff"), "?")
	lines := strings.Split(strings.NewReplacer("\r\n", "\n", "\r", "\n", "\f", "").Replace(text), "\n")
	for i, line := range lines {
		lines[i] = strings.TrimRight(line, " \t")
	}
	return strings.Trim(strings.Join(lines, "\n"), "\n")
}

// rule recognizes a licence by phrases that in this combination occur in no other licence.
// Titles are matched together with their date if other licences mention them by name.
type rule struct {
	id     string
	all    []string
	none   []string
	anyOne []string
}

const (
	mitGrant   = "permission is hereby granted, free of charge, to any person obtaining a copy of this software"
	permission = "this permission notice"
	bsdGrant   = "redistribution and use in source and binary forms"
	endorse    = "to endorse or promote products"
)

var iscGrants = []string{
	"permission to use, copy, modify, and/or distribute this software for any purpose with or without fee is hereby granted",
	"permission to use, copy, modify, and distribute this software for any purpose with or without fee is hereby granted",
	"permission to use, copy, modify, distribute, and sell this software and its documentation for any purpose",
}

var rules = []rule{
	{id: "MIT", all: []string{mitGrant, permission}},
	{id: "MIT-0", all: []string{mitGrant}, none: []string{permission}},
	{id: "ISC", anyOne: iscGrants[:2], all: []string{"provided that the above copyright notice"}},
	{id: "0BSD", anyOne: iscGrants[:2], none: []string{"provided that the above copyright notice"}},
	{id: "HPND-sell-variant", all: iscGrants[2:]},
	{id: "BSD-4-Clause", all: []string{bsdGrant, "all advertising materials mentioning"}},
	{id: "BSD-3-Clause", all: []string{bsdGrant, endorse}, none: []string{"all advertising materials mentioning"}},
	{id: "BSD-2-Clause", all: []string{bsdGrant}, none: []string{endorse}},
	{id: "Apache-2.0", anyOne: []string{"apache license version 2.0, january 2004", "licensed under the apache license, version 2.0"}},
	{id: "MPL-2.0", anyOne: []string{"mozilla public license version 2.0", "mozilla public license, version 2.0"}},
	{id: "LGPL-3.0", all: []string{"gnu lesser general public license version 3, 29 june 2007"}},
	{id: "LGPL-2.1", all: []string{"gnu lesser general public license version 2.1, february 1999"}},
	{id: "GPL-3.0", all: []string{"gnu general public license version 3, 29 june 2007"}, none: []string{"gnu lesser general public license version 3, 29 june 2007"}},
	{id: "GPL-2.0", all: []string{"gnu general public license version 2, june 1991"}},
	{id: "AGPL-3.0", all: []string{"gnu affero general public license version 3, 19 november 2007"}},
	{id: "GPL", anyOne: []string{"under the terms of the gnu general public license"}, none: []string{"29 june 2007", "june 1991", "19 november 2007", "february 1999"}},
	{id: "AGPL", anyOne: []string{"under the terms of the gnu affero general public license"}, none: []string{"29 june 2007", "19 november 2007"}},
	{id: "Zlib", all: []string{"altered source versions must be plainly marked as such"}},
	{id: "Unlicense", all: []string{"this is free and unencumbered software released into the public domain"}},
	{id: "LicenseRef-SQLite-public-domain", all: []string{"all of the code and documentation in sqlite has been dedicated to the public domain"}},
	{id: "CC0-1.0", all: []string{"cc0 1.0 universal"}},
	{id: "CC-BY-4.0", all: []string{"creative commons attribution 4.0 international"}},
	{id: "OFL-1.1", all: []string{"sil open font license version 1.1"}},
	{id: "Bitstream-Vera", all: []string{"permission is hereby granted, free of charge, to any person obtaining a copy of the fonts accompanying this license", "only if the fonts are renamed"}},
	{id: "BSL-1.0", all: []string{"boost software license - version 1.0"}},
	{id: "BlueOak-1.0.0", all: []string{"blue oak model license"}},
	{id: "Unicode-3.0", all: []string{"unicode license v3"}},
	{id: "Python-2.0", all: []string{"python software foundation license version 2"}},
	{id: "WTFPL", all: []string{"do what the fuck you want to public license"}},
}

// refused are known licences that are not allowed, besides GPL and AGPL. BSD-4-Clause
// requires a line in every advertisement.
var refused = []string{"BSD-4-Clause"}

func known(id string) bool {
	return !slices.Contains(refused, id) && slices.ContainsFunc(rules, func(r rule) bool { return r.id == id })
}

// Line comments, quotes and Markdown interrupt phrases.
var noise = regexp.MustCompile("[\\s*#>`/\"'’“”_=|]+")

// classify returns every licence whose text occurs in the given one: files often contain
// several.
func classify(text string) []string {
	text = strings.ToLower(noise.ReplaceAllString(text, " "))
	in := func(phrase string) bool {
		return strings.Contains(text, strings.ToLower(noise.ReplaceAllString(phrase, " ")))
	}
	not := func(phrase string) bool { return !in(phrase) }
	var ids []string
	for _, r := range rules {
		if slices.ContainsFunc(r.all, not) || slices.ContainsFunc(r.none, in) {
			continue
		}
		if len(r.anyOne) == 0 || slices.ContainsFunc(r.anyOne, in) {
			ids = append(ids, r.id)
		}
	}
	return ids
}
