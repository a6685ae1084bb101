// Messages writes messages/en/errors.json: every code that the server may answer with its
// English message, for translators and for the web. It reads the sources, where every code
// is followed by its message. With -check it only reports whether the file is up to date,
// and whether translations have unknown codes or parameters.
package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
)

const catalog = "messages/en/errors.json"

func main() {
	check := flag.Bool("check", false, "only tell whether "+catalog+" is fresh")
	flag.Parse()
	if err := run(*check); err != nil {
		fmt.Fprintln(os.Stderr, "messages:", err)
		os.Exit(1)
	}
}

func run(check bool) error {
	texts, err := collect("internal", "cmd")
	if err != nil {
		return err
	}
	var fresh bytes.Buffer
	enc := json.NewEncoder(&fresh)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(texts); err != nil {
		return err
	}
	if !check {
		return os.WriteFile(catalog, fresh.Bytes(), 0o644)
	}
	if old, err := os.ReadFile(catalog); err != nil || !bytes.Equal(old, fresh.Bytes()) {
		return errors.New(catalog + " is stale: run 'go run ./scripts/messages' and commit the result")
	}
	return checkTranslations(texts)
}
