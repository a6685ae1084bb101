package main

import (
	"cmp"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/bifolia/bifolia/internal/platform/config"
)

var versionCommand = command{
	name:    "version",
	summary: "print the release",
	run:     printVersion,
}

// Set when a release is built:
//
//	go build -ldflags "-X main.version=1.4.0 -X main.commit=3fa9c1d"
var version, commit string

// build identifies this program.
type build struct {
	Version string `json:"version"`
	Commit  string `json:"commit"`
	Go      string `json:"go"`
}

// readBuild returns the values of the release build, else those recorded by the Go tool.
func readBuild() build {
	b := build{Version: version, Commit: commit, Go: runtime.Version()}
	if info, ok := debug.ReadBuildInfo(); ok {
		if info.Main.Version != "(devel)" {
			b.Version = cmp.Or(b.Version, info.Main.Version)
		}
		for _, s := range info.Settings {
			if s.Key == "vcs.revision" {
				b.Commit = cmp.Or(b.Commit, s.Value)
			}
		}
	}
	b.Version = cmp.Or(b.Version, "dev")
	b.Commit = cmp.Or(b.Commit, "unknown")
	return b
}

func printVersion(_ context.Context, e env) int {
	var asJSON bool
	rest, err := config.ParseFlags("version", e.args, func(fs *flag.FlagSet) {
		fs.BoolVar(&asJSON, "json", false, "as one JSON object")
	})
	if err != nil {
		return e.fail(err)
	}
	if len(rest) > 0 {
		return e.usage("version takes flags only; \"bifolia help version\" lists them.")
	}
	b := readBuild()
	if asJSON {
		if err := json.NewEncoder(e.stdout).Encode(b); err != nil {
			return e.fail(fmt.Errorf("the version cannot be written: %w", err))
		}
		return exitOK
	}
	return e.say("bifolia %s (commit %s, %s)\n", b.Version, b.Commit, b.Go)
}
