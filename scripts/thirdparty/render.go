package main

import (
	"fmt"
	"slices"
	"strings"
)

const intro = `# Third-party licences

Bifolia is built from its own code and the works listed here. This file is
written by ` + "`go run ./scripts/thirdparty`" + ` from the texts that come with them;
do not edit it.
`

const lgplNote = `
Works under the LGPL may be exchanged for changed versions of themselves: the
source of Bifolia is complete, so point go.mod at the changed version
(` + "`go mod edit -replace`" + `) and build.
`

func render(modules, packages, copied []component) string {
	var b strings.Builder
	b.WriteString(intro)
	isLGPL := func(c component) bool { return strings.Contains(c.License, "LGPL") }
	if slices.ContainsFunc(modules, isLGPL) || slices.ContainsFunc(packages, isLGPL) {
		b.WriteString(lgplNote)
	}
	table(&b, "Go modules in the server", modules)
	table(&b, "npm packages in the web", packages)
	if len(copied) > 0 {
		table(&b, "Data in the server", copied)
	}
	texts(&b, slices.Concat(modules, packages, copied))
	return b.String()
}

func table(b *strings.Builder, title string, components []component) {
	fmt.Fprintf(b, "\n## %s\n\n| name | version | licence |\n|---|---|---|\n", title)
	for _, c := range components {
		fmt.Fprintf(b, "| %s | %s | %s |\n", c.Name, c.Version, c.License)
	}
}

// texts writes each text once, under the names of all its components.
func texts(b *strings.Builder, components []component) {
	var order []string
	users := map[string][]string{}
	for _, c := range components {
		for _, text := range c.Texts {
			if users[text] == nil {
				order = append(order, text)
			}
			if !slices.Contains(users[text], c.Name) {
				users[text] = append(users[text], c.Name)
			}
		}
	}
	b.WriteString("\n## Texts\n")
	for _, text := range order {
		fence := "```"
		for strings.Contains(text, fence) {
			fence += "`"
		}
		fmt.Fprintf(b, "\n### %s\n\n%stext\n%s\n%s\n", strings.Join(users[text], ", "), fence, text, fence)
	}
}

// difference lists the components in which two versions of the file differ.
func difference(have, want string) []string {
	if have == "" {
		return []string{"it is missing"}
	}
	before, after := rows(have), rows(want)
	var lines []string
	for _, r := range after {
		if !slices.Contains(before, r) {
			lines = append(lines, r+" is not listed")
		}
	}
	for _, r := range before {
		if !slices.Contains(after, r) {
			lines = append(lines, r+" is listed but not used")
		}
	}
	if len(lines) == 0 {
		lines = []string{"the texts changed"}
	}
	return lines
}

func rows(text string) []string {
	tables, _, _ := strings.Cut(text, "\n## Texts\n")
	var rows []string
	for line := range strings.Lines(tables) {
		cells := strings.Split(strings.Trim(line, "| \n"), " | ")
		if strings.HasPrefix(line, "| ") && len(cells) == 3 && cells[0] != "name" {
			rows = append(rows, fmt.Sprintf("%s %s (%s)", cells[0], cells[1], cells[2]))
		}
	}
	return rows
}
