package simulate

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/bifolia/bifolia/internal/core/plan"
)

// What a scenario says and nobody hears is most often a slip of the pen. It changes
// nothing, but who wrote it is told.

// fieldNames are the fields that some event has.
var fieldNames = func() map[string]json.RawMessage {
	raw, err := json.Marshal(Event{})
	names := map[string]json.RawMessage{}
	if err == nil {
		err = json.Unmarshal(raw, &names)
	}
	if err != nil {
		panic(err) // an event can be written
	}
	return names
}()

// unknownOf are the fields of an event that none has.
func unknownOf(fields map[string]any) (names []string) {
	for name := range fields {
		if _, known := fieldNames[strings.ToLower(name)]; !known {
			names = append(names, name)
		}
	}
	return names
}

// notes tells of fields that no event has, and of events after the last day.
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
