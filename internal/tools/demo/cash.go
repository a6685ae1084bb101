package demo

import (
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"time"

	"github.com/bifolia/bifolia/internal/platform/eip55"
	"github.com/bifolia/bifolia/internal/tools/simulate"
)

// Deposits and withdrawals. They use a separate random source, so that other events do not
// depend on payments.

const firstRequest = 100_001

// random returns n bytes for hashes and addresses.
func (s *history) random(n int) []byte {
	out := make([]byte, 0, n+8)
	for len(out) < n {
		out = binary.BigEndian.AppendUint64(out, s.cash.Uint64())
	}
	return out[:n]
}

func (s *history) hash() string { return "0x" + hex.EncodeToString(s.random(32)) }

// address returns a random address.
func (s *history) address() string {
	for {
		if a, ok := eip55.Parse("0x" + hex.EncodeToString(s.random(20))); ok {
			return a
		}
	}
}

// tx is a payment's transaction, by its number on the chain or at a bank.
type tx struct{ hash, utr string }

func (s *history) tx() tx {
	return tx{s.hash(), fmt.Sprintf("%012d", s.cash.Uint64N(900_000_000_000)+100_000_000_000)}
}

// banks reports whether a member pays through a bank, as most do in some countries. A
// member always uses the same way.
func (p *person) banks() bool { return p.country == 99 && p.no%2 == 0 || p.no%9 == 4 }

// pays files a fund request and approves it before the purchase that it is for.
func (s *history) pays(p *person, day int, at time.Duration, fund string, dollars int64) {
	id := new(int64)
	s.add(day, at, s.id("d"), request{p.uid, fund, dollars, p.banks(), s.tx(), id})
	later := at + time.Duration(120+s.cash.IntN(360))*time.Second
	s.add(day, later, s.mark("o"), decide{id: id, approve: true, bank: p.banks()})
	if s.cash.IntN(24) == 0 { // a mistaken request, some time before
		s.refused(p, day-1-s.cash.IntN(3), fund, dollars)
	}
}

// slips are the reasons for rejected requests.
var slips = []string{
	"No payment with this number has arrived.",
	"The amount differs from what has arrived. Please ask again with the right amount.",
	"The payment went to another address.",
	"Sent on another network: only BEP-20 is credited.",
}

// refused files a request that is rejected within the day.
func (s *history) refused(p *person, day int, fund string, dollars int64) {
	if day <= p.day {
		return
	}
	id, bank := new(int64), p.banks()
	why := slips[s.cash.IntN(2)]
	if !bank {
		why = slips[s.cash.IntN(len(slips))]
	}
	s.add(day, s.hour(), s.mark("d"), request{p.uid, fund, dollars, bank, s.tx(), id})
	s.add(day, sleeps-time.Duration(s.cash.IntN(50))*time.Minute, s.mark("o"), decide{id: id, why: why, bank: true})
}

// mark is like id, but uses the random source of payments.
func (s *history) mark(prefix string) string { return name(s.cash, prefix) }

// hour is like some, but uses the random source of payments.
func (s *history) hour() time.Duration {
	return wakes + time.Duration(s.cash.Int64N(int64(sleeps-wakes-time.Hour))).Truncate(time.Second)
}

// waits files a request on the last day that stays pending.
func (s *history) waits(p *person, fund string, dollars int64, bank bool) {
	s.add(s.Days-1, s.hour(), s.mark("d"), request{p.uid, fund, dollars, bank, s.tx(), new(int64)})
}

// fate is the outcome of a withdrawal.
type fate int

const (
	confirmed fate = iota
	rejected
	approved
	untouched
)

// reasons are the reasons for rejected withdrawals.
var reasons = []string{
	"The address belongs to an exchange that wants a memo. Please enter one of your own wallet.",
	"Please send your proof of identity first.",
	"We could not reach you about this payout. Please ask again.",
}

// draw withdraws a part of a wallet. Operators decide the next day.
func (s *history) draw(p *person, day int, wallet string, percent int64) {
	end := confirmed
	if s.cash.IntN(16) == 0 {
		end = rejected
	}
	id := s.id("w")
	s.drawn(p, id, day, s.some(), wallet, percent, end)
}

func (s *history) drawn(p *person, id string, day int, at time.Duration, wallet string, percent int64, end fate) {
	s.add(day, at, id, withdraw{simulate.Event{ID: id, Kind: "withdraw", UID: p.uid, Type: wallet}, percent})
	if !p.paid {
		p.paid = true
		s.add(p.day+1, s.hour(), s.mark("a"), tellAddress{p.uid, s.address()})
	}
	at = 9*time.Hour + time.Duration(s.cash.IntN(3*60*60))*time.Second
	switch end {
	case untouched:
	case rejected:
		s.add(day+1, at, s.mark("o"), proceed{ask: id, to: rejected, why: reasons[s.cash.IntN(len(reasons))]})
	case approved:
		s.add(day+1, at, s.mark("o"), proceed{ask: id, to: approved})
	case confirmed:
		s.add(day+1, at, s.mark("o"), proceed{ask: id, to: approved})
		at += 3*time.Hour + time.Duration(s.cash.IntN(2*60*60))*time.Second
		s.add(day+1, at, s.mark("o"), proceed{ask: id, to: sentNow, hash: s.hash()})
		s.add(day+1, at+time.Duration(50+s.cash.IntN(200))*time.Second, s.mark("o"), proceed{ask: id, to: confirmed})
	}
}

// sentNow is between approved and confirmed.
const sentNow fate = -1

// queues leaves pending requests for the operator, and gives the two members who can sign in
// withdrawals in all states.
func (s *history) queues() {
	leader, ordinary := s.people[leaderNo-1], s.people[ordinaryNo-1]
	s.refused(leader, s.part(40), "FOREXFUNDS", 800)
	s.refused(ordinary, s.part(80), "FUNDS", 120)
	s.waits(leader, "CRYPTOFUNDS", 500, false)
	s.waits(leader, "FUNDS", 250, true)
	s.waits(ordinary, "FUNDS", 100, false)
	s.waits(s.people[4], "FOREXFUNDS", 300, true)
	s.waits(s.people[7], "FUNDS", 50, false)
	s.drawn(leader, s.mark("w"), s.part(80), s.hour(), "LevelIncome", 20, rejected)
	s.drawn(leader, s.mark("w"), s.Days-3, s.hour(), "LevelIncome", 40, confirmed)
	s.drawn(leader, s.mark("w"), s.Days-2, s.hour(), "LevelIncome", 40, approved)
	s.drawn(leader, s.mark("w"), s.Days-1, s.hour(), "LevelIncome", 50, untouched)
}
