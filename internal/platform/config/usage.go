package config

import (
	"flag"
	"fmt"
	"strings"
)

// usage returns the text of --help: the subcommand's own flags first, then the settings.
func usage(name string, fs *flag.FlagSet) string {
	var b strings.Builder
	fmt.Fprintf(&b, "Usage: bifolia %s [flags]\n", name)
	if own := ownFlags(fs); own != "" {
		b.WriteString("\nFlags:\n" + own)
	}
	if fs.Lookup("config") == nil {
		return b.String()
	}
	b.WriteString("\nSettings, each also a variable and a key of the file:\n")
	writeFlag(&b, "config FILE", "a TOML file with these settings (BIFOLIA_CONFIG)", "")
	for _, s := range settings {
		writeFlag(&b, s.flag()+" "+s.arg, s.help, s.byDef)
	}
	b.WriteString(`
Later wins: default, file, variable, flag. The spellings of one setting:
  data_dir = "./data"        in the file
  BIFOLIA_DATA_DIR=./data    in the environment
  --data-dir ./data          on the command line, or --data-dir=./data
`)
	return b.String()
}

// ownFlags returns the flags that are not settings.
func ownFlags(fs *flag.FlagSet) string {
	shared := map[string]bool{"config": true}
	for _, s := range settings {
		shared[s.flag()] = true
	}
	all := fs.Lookup("config") == nil
	var b strings.Builder
	fs.VisitAll(func(f *flag.Flag) {
		if shared[f.Name] && !all {
			return
		}
		arg, help := flag.UnquoteUsage(f)
		def := f.DefValue
		if isBool(f) || def == "0" {
			def = ""
		}
		writeFlag(&b, strings.TrimSpace(f.Name+" "+strings.ToUpper(arg)), help, def)
	})
	return b.String()
}

func writeFlag(b *strings.Builder, name, help, def string) {
	if def != "" {
		help += " (default " + def + ")"
	}
	fmt.Fprintf(b, "  --%-26s %s\n", name, help)
}
