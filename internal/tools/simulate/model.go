// Package simulate runs a scenario through the real services and a real store, with a
// temporary database and a clock set by the events. The result shows what a plan pays for
// the scenario.
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

// Scenario is a plan, events and the days to close.
type Scenario struct {
	Plan   json.RawMessage `json:"plan"`
	Events []Event         `json:"events"`
	First  string          `json:"first"`
	Last   string          `json:"last"`
}

// Event is an event. Its kind determines which fields are used.
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
	content []byte   // raw without the time of recording, which a retry cannot repeat
	unknown []string // unknown fields
	day     plan.Day
	booked  plan.Day // of recorded history: the day it booked into
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

// Of returns x with the kind and the fields of e.
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

// unreadable is the error of an invalid event, with its id if known.
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

// fieldsOf decodes content, so that equal content is encoded equally, whatever the order of
// fields and white space. Numbers keep their form.
func fieldsOf(raw []byte) (fields map[string]any, err error) {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	err = d.Decode(&fields)
	return fields, err
}

// Parse reads a scenario. It ignores unknown fields, such as the answers in a worked
// example.
func Parse(raw []byte) (*Scenario, error) {
	s := &Scenario{}
	if err := json.Unmarshal(raw, s); err != nil {
		if wrong, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
			what := cmp.Or(wrong.Field, "it")
			if event := new(unreadable); errors.As(err, &event) {
				what = fmt.Sprintf("%s of event %q", what, event.id)
			}
			return nil, errs.New(errs.Invalid, "simulate.field_kind", "The scenario cannot be read: {field} must not be of type {kind} (amounts, IDs and days are strings).", "field", what, "kind", wrong.Value)
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

// The results of submitting an event.
const (
	accepted  = "accepted"
	duplicate = "duplicate" // the same again: nothing changes
	refused   = "refused"   // another one under a known id
)

// order sorts events as they book: by day, time and id. It drops an event with the id of an
// earlier one; submitted has the results for each id that was submitted more than once.
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

// late books events before the first day into it: they keep their time, and count as
// recorded when that day opened.
func late(events []Event, first plan.Day, p *plan.Plan) {
	opens, err := time.ParseInLocation(time.DateOnly, first.String(), p.Zone())
	if err != nil {
		return // impossible: a day's text is valid
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

// days returns the first and the last day to close.
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
		return 0, 0, errs.New(errs.Invalid, "simulate.no_events", "The scenario has no events, so it needs first and last: the days to close.")
	case last < first:
		return 0, 0, errs.New(errs.Invalid, "simulate.last_before_first", "The last day, {last}, is before the first day, {first}.", "last", last, "first", first)
	case last-first > most:
		return 0, 0, errs.New(errs.Invalid, "simulate.too_many_days", "A scenario can close at most {most} days; {first} to {last} is longer.", "first", first, "last", last, "most", most)
	}
	return first, last, nil
}
