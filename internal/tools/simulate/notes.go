package simulate

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/bifolia/bifolia/internal/core/plan"
)

// Ignored parts of a scenario are most often mistakes. They do not change the outcome, but
// are reported.

// fieldNames are the known fields of events.
var fieldNames = func() map[string]json.RawMessage {
	raw, err := json.Marshal(Event{})
	names := map[string]json.RawMessage{}
	if err == nil {
		err = json.Unmarshal(raw, &names)
	}
	if err != nil {
		panic(err) // impossible: an Event can be encoded
	}
	return names
}()

// unknownOf returns the unknown fields of an event.
func unknownOf(fields map[string]any) (names []string) {
	for name := range fields {
		if _, known := fieldNames[strings.ToLower(name)]; !known {
			names = append(names, name)
		}
	}
	return names
}

// notes reports unknown fields, and events after the last day.
func notes(events []Event, last plan.Day) (all []string) {
	unknown := map[string]string{} // field → the first event that has it
	var after []string
	for _, e := range events {
		for _, name := range e.unknown {
			if unknown[name] == "" {
				unknown[name] = e.ID
			}
		}
		if e.day > last {
			after = append(after, e.ID)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(unknown)) {
		all = append(all, fmt.Sprintf("no event has a field %q, as event %q does: it was left alone.", name, unknown[name]))
	}
	if n := len(after); n > 0 {
		const most = 5
		rest := ""
		if n > most {
			rest = fmt.Sprintf(" and %d more", n-most)
		}
		all = append(all, fmt.Sprintf("%d of %d events book into days after %s, the last to close, and did not happen: %s%s.", n, len(events), last, strings.Join(after[:min(n, most)], ", "), rest))
	}
	return all
}
