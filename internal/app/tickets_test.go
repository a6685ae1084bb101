package app

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/bifolia/bifolia/internal/core/tree"
	"github.com/bifolia/bifolia/internal/people/auth"
	"github.com/bifolia/bifolia/internal/tools/testkit"
)

// ticketLine is a ticket as operators see it.
type ticketLine struct {
	ID, UID, Name, Kind, Query, Status, Assignee, Due, DueFor string
	Mine, Overdue                                             bool
	Seen                                                      int64
}

// queue is a list of tickets in short.
func (c client) queue(query string) string {
	c.s.t.Helper()
	var got struct {
		Data  [][]ticketLine
		Total int
	}
	c.get("operator/tickets?" + query).into(&got)
	out := []string{}
	for _, t := range got.Data[0] {
		word := t.ID
		if t.Overdue {
			word += "!"
		}
		out = append(out, word)
	}
	return fmt.Sprintf("%s of %d", strings.Join(out, " "), got.Total)
}

// complain creates a ticket and returns its number.
func (c client) complain(query, kind string) string {
	c.s.t.Helper()
	if got := c.post("Helpdesk_By_User", m{"uid": c.uid, "query": query, "kind": kind}).word(); got != "Successfully send query" {
		c.s.t.Fatalf("the help desk answered %s", got)
	}
	return c.post("UserHelpDeskHistory", m{"uid": c.uid}).rows()[0].(m)["ticket_id"].(string)
}

// work runs an action on a ticket and returns its new state.
func (c client) work(what string, body m) ticketLine {
	c.s.t.Helper()
	var got struct{ Data ticketLine }
	c.post("operator/tickets/"+what, body).into(&got)
	return got.Data
}

const hour = time.Hour

func isoAt(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000Z") }

func TestTicketIsAnsweredOnceAndMailed(t *testing.T) {
	t.Parallel()
	testkit.Site(t, func(t *testing.T, dsn string) {
		s := openSite(t, dsn)
		anna := s.login(s.register(s.root.UID, tree.Left, "Anna Alpha"), password)
		ticket := anna.complain("Where is <b>it</b>?", "")
		first, second := s.hire(auth.RoleSupport), s.hire(auth.RoleCompliance)

		is := first.work("assign", m{"id": ticket, "seen": 0})
		if !is.Mine || is.Assignee == "" || is.Seen != 1 || is.Due != "" {
			t.Errorf("assigned: %+v", is)
		}
		body := m{"id": ticket, "seen": 1, "reply": " It is\r\nhere. "}
		before := len(s.letters(annasMail))
		is = first.work("answer", with(body, nil))
		if is.Status != "replied" || is.Seen != 2 {
			t.Errorf("answered: %+v", is)
		}
		// The other operator has an old view: no second answer is sent.
		second.post("operator/tickets/answer", body).refused(http.StatusConflict)
		// A repeated request executes once.
		for range 2 {
			first.post("operator/tickets/answer", m{"id": ticket, "seen": 2, "reply": "And there."}, "Idempotency-Key", "again").into(&m{})
		}
		letters := s.letters(annasMail)
		if len(letters) != before+2 || !strings.Contains(letters[0].Text, "And there.") || !strings.Contains(letters[1].Text, "It is\nhere.") || !strings.Contains(letters[1].Subject, ticket) {
			t.Errorf("%d letters, %+v", len(letters)-before, letters[:2])
		}
		s.shows("the member's ticket", anna.post("UserHelpDeskHistory", m{"uid": anna.uid}).rows()[0].(m), m{
			"ticket_id": ticket, "query": "Where is <b>it</b>?", "reply_message": "It is\nhere.\n\nAnd there.", "status": "replied",
		})

		second.work("close", m{"id": ticket, "seen": 3})
		first.post("operator/tickets/answer", m{"id": ticket, "seen": 4, "reply": "More."}).refused(http.StatusConflict)
		first.post("operator/tickets/reopen", m{"id": ticket, "seen": 4, "reason": "no"}).names("reason")
		first.work("reopen", m{"id": ticket, "seen": 4, "reason": "the member called"})
		var thread struct {
			Data struct {
				Ticket ticketLine
				Acts   []struct{ Kind, By, Text string }
			}
		}
		second.get("operator/tickets/thread?id=" + ticket).into(&thread)
		kinds := []string{}
		for _, a := range thread.Data.Acts {
			kinds = append(kinds, a.Kind)
		}
		if got := strings.Join(kinds, " "); got != "assign answer answer close reopen" || thread.Data.Ticket.Status != "open" || thread.Data.Ticket.Mine || thread.Data.Acts[4].Text != "the member called" {
			t.Errorf("%s: %+v", got, thread)
		}
		var record auditPage
		s.operator().get("operator/audit?member=" + id(anna.uid)).into(&record)
		if got, want := fmt.Sprint(record.acts()), "[ticket reopened ticket closed ticket answered ticket answered ticket assigned]"; got != want {
			t.Errorf("the record says %s, want %s", got, want)
		}
		if e := record.Data[0][0]; e.Subject != "ticket "+ticket || e.Was["status"] != "closed" || e.Became["status"] != "open" || e.Reason != "the member called" {
			t.Errorf("%+v", e)
		}
		s.verified()
	})
}

func TestComplaintsAreSortedByDueDate(t *testing.T) {
	t.Parallel()
	testkit.Engines(t, func(t *testing.T, dsn string) {
		s := openSite(t, dsn)
		anna, ben := s.login(s.register(s.root.UID, tree.Left, "Anna Alpha"), password), s.login(s.register(s.root.UID, tree.Right, "Ben Beta"), password)
		began := s.clock.Now()
		query := anna.complain("How do 100% of us do it?", "query")
		s.clock.Advance(10 * time.Minute)
		early := anna.complain("My money is late", "complaint")
		s.clock.Advance(10 * time.Minute)
		late := ben.complain("Mine is late too", "complaint")
		anna.post("Helpdesk_By_User", m{"uid": anna.uid, "query": "x", "kind": "praise"}).names("kind")

		o := s.hire(auth.RoleSupport)
		wantQueue := func(query, want string) {
			t.Helper()
			if got := o.queue(query); got != want {
				t.Errorf("%s lists %q, want %q", query, got, want)
			}
		}
		wantQueue("state=waiting", early+" "+late+" "+query+" of 3")
		wantQueue("state=waiting&size=2&page=2", query+" of 3")
		wantQueue("state=waiting&kind=complaint", early+" "+late+" of 2")
		wantQueue("", late+" "+early+" "+query+" of 3")
		wantQueue("overdue=true", " of 0")
		wantQueue("q="+url.QueryEscape("LATE"), late+" "+early+" of 2")
		wantQueue("q="+url.QueryEscape("100%"), query+" of 1")
		wantQueue("q=_", " of 0")
		wantQueue("q=mon+LATE", early+" of 1") // prefixes of words, all of them
		wantQueue("q=ate", " of 0")            // and not by their middle
		wantQueue("q=late&state=waiting&kind=query", " of 0")
		wantQueue("q=late&state=waiting", early+" "+late+" of 2")
		o.get("operator/tickets?q=1+2+3+4+5+6+7+8+9").names("q")
		wantQueue("q="+id(ben.uid), late+" of 1")
		wantQueue("q="+early, early+" of 1")
		o.get("operator/tickets?q=" + strings.Repeat("a", 101)).names("q")
		o.get("operator/tickets?state=lost").names("state")

		s.clock.Advance(began.Add(10*time.Minute + 48*hour).Sub(s.clock.Now()))
		o = s.hire(auth.RoleSupport) // sessions end
		wantQueue("overdue=true", " of 0")
		s.clock.Advance(time.Millisecond)
		wantQueue("state=waiting", early+"! "+late+" "+query+" of 3")
		wantQueue("overdue=true", early+"! of 1")

		// An answer stops the first clock; the second also counts from the start.
		is := o.work("answer", m{"id": early, "seen": 0, "reply": "We look into it."})
		if want := isoAt(began.Add(10*time.Minute + 30*24*hour)); is.Due != want || is.DueFor != "settlement" || is.Overdue {
			t.Errorf("answered: %+v, want it due %s", is, want)
		}
		wantQueue("q=looked+into", " of 0")
		wantQueue("q=look+into+money", early+" of 1") // also by the text of answers
		is = o.work("complaint", m{"id": query, "seen": 0})
		if want := isoAt(began.Add(48 * hour)); is.Due != want || is.DueFor != "answer" || !is.Overdue {
			t.Errorf("a complaint: %+v, want it due %s", is, want)
		}
		wantQueue("state=waiting", query+"! "+late+" "+early+" of 3")
		o.post("operator/tickets/close", m{"id": late, "seen": 0}).refused(http.StatusUnprocessableEntity)
		if is := o.work("close", m{"id": early, "seen": 1}); is.Due != "" || is.Status != "closed" {
			t.Errorf("closed: %+v", is)
		}
		wantQueue("state=waiting", query+"! "+late+" of 2")
		wantQueue("state=closed", early+" of 1")
		s.clock.Advance(30 * 24 * hour)
		o = s.hire(auth.RoleSupport)
		if is := o.work("reopen", m{"id": early, "seen": 2, "reason": "it came back"}); !is.Overdue || is.DueFor != "settlement" {
			t.Errorf("reopened: %+v", is)
		}
	})
}

func TestTicketsTakeTheirRightAndOrder(t *testing.T) {
	t.Parallel()
	s := sqliteSite(t)
	anna := s.login(s.register(s.root.UID, tree.Left, "Anna Alpha"), password)
	ticket := anna.complain("Where is it?", "complaint")
	acts := []string{"answer", "close", "reopen", "assign", "complaint"}
	for role, may := range map[auth.Role]bool{auth.RoleOwner: true, auth.RoleSupport: true, auth.RoleCompliance: true, auth.RoleFinance: false, auth.RoleReadOnly: false} {
		o := s.hire(role)
		if got := o.queue("state=waiting"); got != ticket+" of 1" {
			t.Errorf("%s sees %s", role, got)
		}
		o.get("operator/tickets/thread?id=" + ticket).into(&m{})
		for _, act := range acts {
			a := o.post("operator/tickets/"+act, m{"id": "999999", "seen": 0, "reply": "x", "reason": "some reason"})
			if may {
				a.refused(http.StatusNotFound)
			} else {
				a.refused(http.StatusForbidden)
			}
		}
	}
	o := s.hire(auth.RoleSupport)
	before := s.counts()
	o.get("operator/tickets/thread?id=999999").refused(http.StatusNotFound)
	o.get("operator/tickets/thread?id=" + id(anna.uid)).refused(http.StatusNotFound)
	o.get("operator/tickets/thread?id=x").names("id")
	o.get("operator/tickets/thread").names("id")
	for _, text := range []string{"", " \n ", strings.Repeat("é", 4001), "a\x00b"} {
		o.post("operator/tickets/answer", m{"id": ticket, "seen": 0, "reply": text}).names("reply")
	}
	o.post("operator/tickets/answer", m{"id": ticket, "seen": 7, "reply": "x"}).refused(http.StatusConflict)
	o.post("operator/tickets/complaint", m{"id": ticket, "seen": 0}).refused(http.StatusConflict)
	o.post("operator/tickets/reopen", m{"id": ticket, "seen": 0, "reason": "some reason"}).refused(http.StatusConflict)
	if after := s.counts(); after != before {
		t.Errorf("what was refused changed something: %s, was %s", after, before)
	}
	o.work("answer", m{"id": ticket, "seen": 0, "reply": strings.Repeat("é", 4000)})
	for seen := range 19 {
		o.work("answer", m{"id": ticket, "seen": seen + 1, "reply": "And more."})
	}
	o.post("operator/tickets/answer", m{"id": ticket, "seen": 20, "reply": "x"}).refused(http.StatusUnprocessableEntity)
	raw := testkit.Raw(t, s.dsn)
	defer func() { _ = raw.Close() }()
	for _, query := range []string{"UPDATE support_act SET text = ''", "DELETE FROM support_act"} {
		if _, err := raw.Exec(query); err == nil {
			t.Errorf("%s: it is done", query)
		}
	}
}

func TestATicketIsAConversation(t *testing.T) {
	t.Parallel()
	testkit.Site(t, func(t *testing.T, dsn string) {
		s := openSite(t, dsn)
		me, _ := s.anna()
		root := s.login(s.root.UID, rootPassword)
		me.post("Helpdesk_By_User", m{"uid": me.uid, "query": "Where is my deposit?"})
		number := me.post("UserHelpDeskHistory", m{"uid": me.uid}).rows()[0].(m)["ticket_id"]
		operator := s.hire(auth.RoleSupport)
		operator.post("operator/tickets/answer", m{"id": number, "seen": 0, "reply": "Which day was it?"}).into(&m{})
		say := func(c client, text string) answer {
			return c.post("TicketMessage", m{"uid": c.uid, "ticket_id": number, "query": text})
		}
		if got := say(me, "").data(); got != "Query is required" {
			t.Errorf("an empty message: %v", got)
		}
		say(root, "It is mine.").refused(http.StatusNotFound)
		root.get("ticket?uid=" + id(root.uid) + "&id=" + number.(string)).refused(http.StatusNotFound)
		if got := say(me, "On Monday.").data(); got != "Successfully send query" {
			t.Fatalf("the message: %v", got)
		}
		var talk struct {
			Data struct {
				Status   string
				Messages []struct{ Kind, Text string }
			}
		}
		me.get("ticket?uid=" + id(me.uid) + "&id=" + number.(string)).into(&talk)
		if got := fmt.Sprint(talk.Data); got != "{open [{message Where is my deposit?} {answer Which day was it?} {message On Monday.}]}" {
			t.Errorf("the member sees %s", got)
		}
		if thread := operator.get("operator/tickets/thread?id=" + number.(string)).text; !strings.Contains(thread, "On Monday.") || !strings.Contains(thread, `"by":"Anna Alpha"`) {
			t.Errorf("the operator sees %s", thread)
		}
		operator.post("operator/tickets/close", m{"id": number, "seen": 2}).into(&m{})
		if got := say(me, "One more.").data(); got != "This ticket is closed. Please open another one." {
			t.Errorf("after the close: %v", got)
		}
		s.verified()
	})
}
