package demo

import "github.com/bifolia/bifolia/internal/people/support"

// questions are the members' questions with the help desk's answers.
var questions = [][2]string{
	{"When will my activation count for matching?", "A purchase cools off for 14 days and counts from the close of the day on which the cooling-off period ends. Your activation history shows that day."},
	{"My Forex rows say Hold. Is something wrong?", "No. A day's rows are on Hold until the settled profit covers the whole day; then all of them are released together."},
	{"Can I change the side on which my friend was placed?", "A place in the tree is final: volume has been counted there. The next friend can join on the other side."},
	{"I forgot my transaction password. What can I do?", "Use Transaction Password in the menu while you are signed in. If you do not know the old one, write to us from your registered e-mail."},
	{"Why is the matching of yesterday marked capped?", "The daily cap of matching income comes from the best package that your final purchases together reach. An upgrade raises the limit from the day on which it is final."},
	{"How is the two percent of a withdrawal calculated?", "It is two percent of the amount that you ask for; the rest is what arrives."},
	{"I paid twice by mistake. Please check my deposit.", "We found both payments: both are in your fund. What you do not need can be withdrawn as unused fund balance."},
	{"Is the profit guaranteed?", "No. The result of each trading day is booked as it is, losses included. You find all of them on the transparency page."},
	{"My crypto position has ended but I cannot claim it.", "Its cash is being called back from the line; the claim can be collected as soon as it is there, usually within three days."},
	{"How do I invite a member to my right leg?", "Open the tree, choose a free place on the right, and share the link that the sign-up shows."},
	{"Please update the spelling of my name.", "Done. It is shown from your next sign-in on."},
	{"Can I take back a package that I bought last week?", "Yes, within the 14 days of cooling-off: in the activation history, with your transaction password. The money goes back to who paid."},
}

const firstTicket = 100_001

// kindOf returns the kind of a question: one about missing money is a complaint.
func kindOf(query string) support.Kind {
	if query == questions[6][0] || query == questions[8][0] {
		return support.KindComplaint
	}
	return support.KindQuery
}

// tickets adds tickets; the desk answers a day later, so the latest are open.
func (s *history) tickets() {
	count := s.Members / 25
	for i := range count {
		p := s.people[leaderNo+s.rng.IntN(len(s.people)-leaderNo)]
		day := p.day + 1 + s.rng.IntN(max(s.Days-p.day-1, 1))
		s.ticket(p, day, one(s, questions), i%9 != 4)
	}
	leader, ordinary := s.people[leaderNo-1], s.people[ordinaryNo-1]
	s.ticket(leader, s.part(35), questions[4], true)
	s.ticket(leader, s.part(70), questions[8], true)
	s.ticket(leader, s.Days-1, questions[1], false)
	s.ticket(ordinary, max(s.part(50), ordinary.day+1), questions[0], true)
	s.ticket(ordinary, s.Days-1, questions[8], false)
}

func (s *history) ticket(p *person, day int, q [2]string, answered bool) {
	id := new(int64)
	s.add(day, s.some(), s.id("q"), ask{p.uid, q[0], id})
	if answered {
		s.add(day+1, s.some(), s.id("a"), reply{q[1], id})
	}
}
