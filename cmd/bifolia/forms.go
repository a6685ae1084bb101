package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/bifolia/bifolia/internal/platform/config"
)

// form is one form of a command with several actions.
type form struct{ words, does string }

// forms are all forms of a command.
type forms struct {
	name string
	all  []form
	note string // applies to several forms
}

// sentence is the message after a wrong call of the command.
func (f forms) sentence() string {
	words := make([]string, len(f.all))
	for i, one := range f.all {
		words[i] = one.words
	}
	return fmt.Sprintf("%s takes one of: %s; %s.", f.name, strings.Join(words, ", "), f.note)
}

// inHelp adds the forms to err if it is the help; other errors are unchanged.
func (f forms) inHelp(err error) error {
	var help *config.Help
	if !errors.As(err, &help) {
		return err
	}
	_, rest, _ := strings.Cut(help.Text, "\n")
	var b strings.Builder
	fmt.Fprintf(&b, "Usage: bifolia %s ACTION [flags]\n\nActions (%s):\n", f.name, f.note)
	for _, one := range f.all {
		fmt.Fprintf(&b, "  %s\n        %s\n", one.words, one.does)
	}
	return &config.Help{Text: b.String() + rest}
}
