package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/bifolia/bifolia/internal/platform/config"
)

// form is one way to call a command that does several things.
type form struct{ words, does string }

// forms are all of them.
type forms struct {
	name string
	all  []form
	note string // what holds for several
}

// sentence is what somebody reads who called the command in a wrong way.
func (f forms) sentence() string {
	words := make([]string, len(f.all))
	for i, one := range f.all {
		words[i] = one.words
	}
	return fmt.Sprintf("%s takes one of: %s; %s.", f.name, strings.Join(words, ", "), f.note)
}

// inHelp names the forms in the help that err is; another err stays as it is.
func (f forms) inHelp(err error) error {
	var help *config.Help
	if !errors.As(err, &help) {
		return err
	}
	_, rest, _ := strings.Cut(help.Text, "\n")
	var b strings.Builder
	fmt.Fprintf(&b, "Usage: bifolia %s WHAT [flags]\n\nWhat it does (%s):\n", f.name, f.note)
	for _, one := range f.all {
		fmt.Fprintf(&b, "  %s\n        %s\n", one.words, one.does)
	}
	return &config.Help{Text: b.String() + rest}
}
