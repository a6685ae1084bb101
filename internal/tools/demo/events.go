package demo

import (
	"encoding/json"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/bifolia/bifolia/internal/core/plan"
	"github.com/bifolia/bifolia/internal/people/member"
)

// seed is the seed of the history.
const seed = 20_260_101

// step is an event with its command.
type step struct {
	at     time.Time
	id     string // of the event, and of the objects that it makes
	action action
}

// history is the list of steps by day, with the state for generating it.
type history struct {
	Mark
	rng       *rand.Rand
	cash      *rand.Rand // for payments
	ids       *member.IDs
	before    *plan.Plan // until the offer ends
	after     *plan.Plan
	people    []*person
	weights   []int // of people, for choosing a sponsor
	positions [2][]position
	plain     []bought // activations without later events
	days      [][]step
}

// offerDays is the duration of the launch offer: Forex Basic for 90 days. Under the default
// plan Forex runs for at least 180 days, so a history of 120 days would contain no claim.
const (
	offerDays    = 26
	offerTerm    = 90
	offerVersion = "launch-1"
)

// LaunchPlan is the initial plan of a history: the default plan with the offer.
func LaunchPlan() ([]byte, error) {
	var body map[string]any
	if err := json.Unmarshal(plan.DefaultBody(), &body); err != nil {
		return nil, err
	}
	body["version"] = offerVersion
	lines, _ := body["lines"].(map[string]any)
	forex, _ := lines["FOREX"].(map[string]any)
	packages, _ := forex["packages"].([]any)
	if len(packages) > 0 {
		if basic, ok := packages[0].(map[string]any); ok {
			basic["term"] = offerTerm
		}
	}
	return json.MarshalIndent(body, "", " ")
}

// newHistory generates all steps.
func newHistory(m Mark) (*history, error) {
	ids, err := member.NewIDs(idKey)
	if err != nil {
		return nil, err
	}
	body, err := LaunchPlan()
	if err != nil {
		return nil, err
	}
	launch, err := plan.Parse(body)
	if err != nil {
		return nil, err
	}
	s := &history{Mark: m, rng: rand.New(rand.NewPCG(seed, uint64(m.Members)<<32|uint64(m.Days))), cash: rand.New(rand.NewPCG(seed, 0)), ids: ids, before: launch, after: plan.Default(), days: make([][]step, m.Days)}
	s.add(s.offerEnds()-1, 8*time.Hour, "plan", adopt{from: s.first() + plan.Day(s.offerEnds())})
	s.joins()
	s.leader()
	s.ordinary()
	for _, p := range s.people {
		if p.no > leaderNo && p.no != ordinaryNo {
			s.life(p)
		}
	}
	s.trade()
	s.trouble()
	s.tickets()
	s.queues()
	s.sort()
	return s, nil
}

func (s *history) offerEnds() int { return min(offerDays, s.Days-1) }

// term returns the term of a package's position that is opened on a day.
func (s *history) term(day int, line string, id int64) int64 {
	p := s.before
	if day >= s.offerEnds() {
		p = s.after
	}
	for _, k := range p.Lines[line].Packages {
		if k.ID == id {
			return k.Term
		}
	}
	return 0
}

// The hours of members' events.
const (
	wakes  = 7 * time.Hour
	sleeps = 20 * time.Hour
)

// instant is a time of a local day; the default plan's zone is UTC.
func instant(day plan.Day, at time.Duration) time.Time {
	return time.Unix(int64(day)*24*60*60, 0).UTC().Add(at)
}

// some returns a random time of a day, with an hour left for subsequent steps.
func (s *history) some() time.Duration {
	return wakes + time.Duration(s.rng.Int64N(int64(sleeps-wakes-time.Hour))).Truncate(time.Second)
}

// add adds a step, unless the history ends before.
func (s *history) add(day int, at time.Duration, id string, d action) {
	if day >= 0 && day < s.Days {
		s.days[day] = append(s.days[day], step{instant(s.first()+plan.Day(day), at), id, d})
	}
}

// id makes an event's id in the form of the services.
func (s *history) id(prefix string) string { return name(s.rng, prefix) }

func name(chance *rand.Rand, prefix string) string {
	const letters = "abcdefghijklmnopqrstuvwxyz234567"
	var b strings.Builder
	b.WriteString(prefix)
	for range 16 {
		b.WriteByte(letters[chance.IntN(len(letters))])
	}
	return b.String()
}

// sort sorts each day and sets the numbers of tickets and fund requests.
func (s *history) sort() {
	ticket, asked := int64(firstTicket), int64(firstRequest)
	for _, day := range s.days {
		slices.SortStableFunc(day, func(a, b step) int { return a.at.Compare(b.at) })
		for _, x := range day {
			switch d := x.action.(type) {
			case ask:
				*d.ticket, ticket = ticket, ticket+1
			case request:
				*d.id, asked = asked, asked+1
			}
		}
	}
}

// joins adds the registrations: more every day, fewer at weekends.
func (s *history) joins() {
	weight := func(day int) int {
		w := (day + s.Days/8) * 5
		switch instant(s.first()+plan.Day(day), 0).Weekday() {
		case time.Saturday, time.Sunday:
			w = w * 3 / 5
		}
		return w
	}
	total, sum := 0, 0
	for day := range s.Days {
		total += weight(day)
	}
	for day := range s.Days {
		sum += weight(day)
		upTo := s.Members * sum / total
		if day == 0 {
			upTo = max(upTo, leaderNo)
		}
		count := upTo - len(s.people)
		last := time.Duration(0)
		for i := range count {
			p := s.born(int64(len(s.people)) + 1)
			p.day = day
			s.people = append(s.people, p)
			if p.no == 1 {
				s.weights = append(s.weights, 2)
				continue // the first member begins with the installation
			}
			s.invite(p)
			at := wakes + (sleeps-wakes-time.Hour)*time.Duration(i)/time.Duration(count) + time.Duration(s.rng.IntN(600))*time.Second
			if p.no == leaderNo {
				at = wakes + 10*time.Minute
			}
			// Ids are assigned in the order of joining, and the history's members know
			// theirs: random times must not change the order.
			at = max(at, last+time.Millisecond)
			last = at
			s.add(day, at, "join "+strconv.FormatInt(p.no, 10), join{p})
		}
	}
}

// fullTree is the number of first members, who fill four levels below the leader.
const fullTree = 2 + 4 + 8 + 16

// invite sets a member's sponsor and side.
func (s *history) invite(p *person) {
	weight := p.drive
	p.side = 1 + int64(s.rng.IntN(2))
	switch at := int(p.no) - leaderNo; {
	case p.no == leaderNo:
		p.sponsor, p.side, weight = s.people[0], 1, 160
	case at <= fullTree: // the at-th below the leader, level by level, as in a heap
		p.sponsor, p.side, weight = s.people[leaderNo-1+(at+1)/2-1], 2-int64(at%2), max(weight, 12)
	case p.no == ordinaryNo:
		p.sponsor, weight = s.people[leaderNo+6], 0 // one of the leader's third level
	case s.ordinarys(p):
		p.sponsor, p.side = s.people[ordinaryNo-1], 1+int64(s.people[ordinaryNo-1].directs%2)
	default:
		p.sponsor = s.anybody()
	}
	p.sponsor.directs++
	p.sponsor.invited = p.day
	p.inLeader = p.no == leaderNo || p.sponsor.inLeader
	s.weights = append(s.weights, weight)
}

// ordinarys reports whether the ordinary member invites a member.
func (s *history) ordinarys(p *person) bool {
	for _, percent := range []int{30, 38, 47, 58, 72, 86} {
		if int(p.no) == max(s.Members*percent/100, ordinaryNo+percent/10) {
			return true
		}
	}
	return false
}

// anybody returns a random sponsor: members with more drive more often, early members less.
func (s *history) anybody() *person {
	total := 0
	for i, w := range s.weights {
		total += s.pull(i, w)
	}
	pick := s.rng.IntN(total)
	for i, w := range s.weights {
		if pick -= s.pull(i, w); pick < 0 {
			return s.people[i]
		}
	}
	return s.people[0]
}

func (s *history) pull(i, weight int) int {
	age := s.people[len(s.people)-1].day - s.people[i].day
	return weight * 100 / (10 + min(age, 60))
}
