// Package simulate runs a scenario through the real services and a real store:
// a temporary database, and a clock that the events drive. It answers what a
// plan pays for a story.
package simulate

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/bifolia/bifolia/internal/core/plan"
	"github.com/bifolia/bifolia/internal/platform/errs"
	"github.com/bifolia/bifolia/internal/trade/closing"
)

// maxID is the length of an id: it is a command's key and part of an account's name.
const maxID = 110

// Scenario is a plan, what happened, and the days to close.
type Scenario struct {
	Plan   json.RawMessage `json:"plan"`
	Events []Event         `json:"events"`
	First  string          `json:"first"`
	Last   string          `json:"last"`
}

// Event is one thing that happened. Which fields count depends on its kind.
type Event struct {
	ID      string    `json:"id"`
	Kind    string    `json:"kind"`
	At      time.Time `json:"at"`
	Rec     time.Time `json:"rec"`
	UID     string    `json:"uid"`
	Sponsor string    `json:"sponsor"`
	Side    string    `json:"side"`
	Fund    string    `json:"fund"`
	Amount  string    `json:"amount"`
	From    string    `json:"from"`
	To      string    `json:"to"`
	Payer   string    `json:"payer"`
	Package int64     `json:"package"`
	Topup   string    `json:"topup"`
	Line    string    `json:"line"`
	Sale    string    `json:"sale"`
	Claim   string    `json:"claim"`
	Type    string    `json:"type"`
	Booking string    `json:"booking"`
	Reason  string    `json:"reason"`

	raw     []byte
	content []byte   // raw without when it was recorded, which who asks again cannot repeat
	unknown []string // fields that no event has
	day     plan.Day
	booked  plan.Day // of recorded history: the day it did book into
}

// UnmarshalJSON keeps the event's content: the same id with other content is
// another event.
func (e *Event) UnmarshalJSON(raw []byte) error {
	type fields Event
	if err := json.Unmarshal(raw, (*fields)(e)); err != nil {
		return &unreadable{e.ID, err}
	}
	all, err := fieldsOf(raw)
	if err != nil {
		return err
	}
	if e.raw, err = json.Marshal(all); err != nil {
		return err
	}
	e.unknown = unknownOf(all)
	delete(all, "rec")
	if e.content, err = json.Marshal(all); err != nil {
		return err
	}
	if e.Rec.IsZero() {
		e.Rec = e.At
	}
	return nil
}

// Of is an event of the product with the kind and the fields of e.
func (e Event) Of(x closing.Event) (closing.Event, error) {
	raw, err := json.Marshal(e)
	if err != nil {
		return x, err
	}
	fields, err := fieldsOf(raw)
	for _, name := range []string{"id", "kind", "at", "rec"} { // those of x
		delete(fields, name)
	}
	maps.DeleteFunc(fields, func(_ string, v any) bool { return v == "" || v == json.Number("0") })
	return x.Is(e.Kind, fields), err
}

// unreadable is an event that is no event, by its id if that was read before.
type unreadable struct {
	id  string
	err error
}

func (u *unreadable) Error() string {
	if u.id == "" {
		return "an event without an id: " + u.err.Error()
	}
	return fmt.Sprintf("event %q: %s", u.id, u.err)
}

func (u *unreadable) Unwrap() error { return u.err }

// fieldsOf reads content so that the same is written the same way, whatever the
// order of its fields and the space between them. Numbers stay as they were written.
func fieldsOf(raw []byte) (fields map[string]any, err error) {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	err = d.Decode(&fields)
	return fields, err
}

// Parse reads a scenario. Fields that it does not know, such as the answers in
// a worked example, are left alone.
func Parse(raw []byte) (*Scenario, error) {
	s := &Scenario{}
	if err := json.Unmarshal(raw, s); err != nil {
		var wrong *json.UnmarshalTypeError
		if errors.As(err, &wrong) {
			what := cmp.Or(wrong.Field, "it")
			if event := new(unreadable); errors.As(err, &event) {
				what = fmt.Sprintf("%s of event %q", what, event.id)
			}
			return nil, errs.New(errs.Invalid, "simulate.field_kind", "The scenario cannot be read: {field} is of the kind {kind}, which it must not be (amounts, ids and days are texts in quotes).", "field", what, "kind", wrong.Value)
		}
		return nil, errs.Wrap(errs.Invalid, err, "simulate.unreadable", "The scenario cannot be read")
	}
	if len(s.Plan) == 0 {
		return nil, errs.New(errs.Invalid, "simulate.no_plan", "The scenario has no plan.")
	}
	for i, e := range s.Events {
		if e.ID == "" || e.Kind == "" || e.At.IsZero() {
			return nil, errs.New(errs.Invalid, "simulate.event_incomplete", "Event {event} needs an id, a kind and a time.", "event", i+1)
		}
		if len(e.ID) > maxID {
			return nil, errs.New(errs.Invalid, "simulate.event_id_long", "The id of event {event} is longer than {most} bytes.", "event", i+1, "most", maxID)
		}
	}
	return s, nil
}

// What became of an event when it was handed in.
const (
	accepted  = "accepted"
	duplicate = "duplicate" // the same again: nothing changes
	refused   = "refused"   // another one under a known id
)

// order puts events as they book: by day, time and id. An id that came before
// is the same event again, or another one in its place; neither counts, and
// submitted tells of each id that came more than once what became of it.
func (s *Scenario) order(p *plan.Plan) (out []Event, submitted map[string][]string) {
	seen := map[string][]byte{}
	submitted = map[string][]string{}
	for _, e := range s.Events {
		if first, known := seen[e.ID]; known {
			became := refused
			if bytes.Equal(first, e.content) {
				became = duplicate
			}
			if submitted[e.ID] == nil {
				submitted[e.ID] = []string{accepted}
			}
			submitted[e.ID] = append(submitted[e.ID], became)
			continue
		}
		seen[e.ID] = e.content
		if e.day = e.booked; e.day == 0 {
			e.day = p.BookDay(e.At, e.Rec)
		}
		out = append(out, e)
	}
	inOrder(out)
	return out, submitted
}

// late books what happened before the first day into it: it keeps its own time, and
// was recorded when that day was open.
func late(events []Event, first plan.Day, p *plan.Plan) {
	opens, err := time.ParseInLocation(time.DateOnly, first.String(), p.Zone())
	if err != nil {
		return // a day's own text can be read
	}
	opens = opens.Add(time.Duration(p.GraceMinutes) * time.Minute)
	for i := range events {
		if e := &events[i]; e.day < first {
			e.day, e.Rec = first, opens
		}
	}
	inOrder(events)
}

func inOrder(events []Event) {
	slices.SortStableFunc(events, func(a, b Event) int {
		return cmp.Or(cmp.Compare(a.day, b.day), a.At.Compare(b.At), strings.Compare(a.ID, b.ID))
	})
}

// days are the first and the last to close.
func (s *Scenario) days(events []Event) (first, last plan.Day, err error) {
	if len(events) > 0 {
		first, last = events[0].day, events[len(events)-1].day
	}
	if s.First != "" {
		if first, err = plan.ParseDay(s.First); err != nil {
			return 0, 0, err
		}
	}
	if s.Last != "" {
		if last, err = plan.ParseDay(s.Last); err != nil {
			return 0, 0, err
		}
	}
	const most = 10_000
	switch {
	case len(events) == 0 && (s.First == "" || s.Last == ""):
		return 0, 0, errs.New(errs.Invalid, "simulate.no_events", "The scenario has no events: it needs first and last, the days to close.")
	case last < first:
		return 0, 0, errs.New(errs.Invalid, "simulate.last_before_first", "The last day, {last}, is before the first, {first}.", "last", last, "first", first)
	case last-first > most:
		return 0, 0, errs.New(errs.Invalid, "simulate.too_many_days", "From {first} to {last} are more than {most} days, the most that one scenario closes.", "first", first, "last", last, "most", most)
	}
	return first, last, nil
}
