package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
)

// checkTranslations finds unknown codes in translations, and parameters in braces that the
// English message does not have and that would never be filled.
func checkTranslations(texts map[string]string) error {
	files, err := filepath.Glob("messages/*/errors.json")
	var wrong []error
	for _, file := range files {
		raw, err := os.ReadFile(file)
		var theirs map[string]string
		if err == nil {
			err = json.Unmarshal(raw, &theirs)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
		for code, text := range theirs {
			english, known := texts[code]
			if !known {
				wrong = append(wrong, fmt.Errorf("%s: there is no code %s", file, code))
			}
			for _, name := range names.FindAllString(text, -1) {
				if known && !slices.Contains(names.FindAllString(english, -1), name) {
					wrong = append(wrong, fmt.Errorf("%s: %s has no %s", file, code, name))
				}
			}
		}
	}
	return errors.Join(append(wrong, err)...)
}
