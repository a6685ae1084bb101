package depositwatch

import (
	"context"
	"errors"
	"time"

	"github.com/bifolia/bifolia/internal/cash/cashier"
	"github.com/bifolia/bifolia/internal/cash/deposit"
	"github.com/bifolia/bifolia/internal/cash/evm"
	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/platform/errs"
	"github.com/bifolia/bifolia/internal/platform/money"
)

const (
	// firstBlocks is how far back the first scan goes, because addresses may be older.
	firstBlocks = 5000
	// mostBlocks is the block range of one query. It shrinks for nodes that refuse it.
	mostBlocks = 1000
	// cursorEvery is the number of blocks between two writes of the cursor. After a
	// restart these are scanned again.
	cursorEvery = 500
	// roundLimit ends a long round, so that requests are checked too.
	roundLimit = 10 * time.Second
)

// Seen is a payment without enough confirmations yet.
type Seen struct {
	Hash                  string
	Amount                money.Amount
	Confirmations, Needed int64
}

// scan is the state of the block scan.
type scan struct {
	owner  map[string]int64         // member by address, or 0
	last   map[string]deposit.Place // by root: the last place with a row
	ahead  ahead
	begun  bool
	done   uint64 // the last scanned block
	kept   uint64 // the cursor in the database, once stored
	stored bool
	span   uint64 // block range of one query
	// stuck are transactions that nodes disagree about, or that could not be credited.
	// They are checked again, and the cursor stays before them.
	stuck map[string]uint64
}

func newScan() scan {
	return scan{owner: map[string]int64{}, last: map[string]deposit.Place{}, ahead: newAhead(), span: mostBlocks, stuck: map[string]uint64{}}
}

// Seen returns the payments to a member without enough confirmations yet.
func (s *Service) Seen(uid int64) []Seen {
	if all := s.seen.Load(); all != nil {
		return (*all)[uid]
	}
	return nil
}

// find scans new blocks for payments. It reads the head before the addresses: a member
// who is shown an address later pays in a later block.
func (s *Service) find(ctx context.Context) error {
	head, err := s.opt.Chain.Head(ctx)
	if err != nil {
		return err
	}
	if err := s.addresses(ctx); err != nil {
		return err
	}
	intents, err := s.opt.Cashier.Announced(ctx, 0)
	if err != nil {
		return err
	}
	deep := head + 1 - min(head+1, uint64(s.opt.Chain.Confirmations())) // at least one
	if err := s.begin(ctx, deep); err != nil {
		return err
	}
	receivers := s.receivers(intents)
	if len(receivers) == 0 {
		s.scan.done = max(s.scan.done, deep)
		s.seen.Store(nil)
		return nil
	}
	if err := s.again(ctx, intents); err != nil {
		return err
	}
	for until := s.opt.Clock.Latest().Add(roundLimit); s.scan.done < deep && s.opt.Clock.Latest().Before(until); {
		if err := s.step(ctx, deep, receivers, intents); err != nil {
			return err
		}
	}
	if s.scan.done >= deep && head > deep {
		if err := s.young(ctx, deep+1, head, receivers, intents); err != nil {
			return err
		}
	}
	return s.saveCursor(ctx)
}

// addresses adds new addresses. One that does not match its key was tampered with and is
// skipped.
func (s *Service) addresses(ctx context.Context) error {
	err := s.opt.Deposits.Each(ctx, s.scan.last, func(a deposit.Address) error {
		if err := s.opt.Deposits.Right(a); err != nil {
			s.opt.Log.Error("a deposit address is not watched", "member", a.UID, "branch", a.Branch, "index", a.Index, "err", err)
		} else {
			s.scan.owner[a.Address] = a.UID
			s.scan.ahead.follow(a)
		}
		s.scan.last[a.Root] = a.Place
		return nil
	})
	if err != nil {
		return err
	}
	return s.scan.ahead.find(s.opt.Deposits, s.scan.owner)
}

// begin reads the cursor at the first call.
func (s *Service) begin(ctx context.Context, deep uint64) error {
	if s.scan.begun {
		return nil
	}
	block, found, err := s.opt.Deposits.Cursor(ctx, s.opt.Chain.Token())
	if err != nil {
		return err
	}
	s.scan.done = uint64(max(block, 0))
	if !found {
		s.scan.done = deep - min(deep, firstBlocks)
	}
	s.scan.kept, s.scan.stored, s.scan.begun = s.scan.done, found, true
	return nil
}

// receivers returns the addresses to scan for: deposit addresses, and the company's,
// including those of open intents.
func (s *Service) receivers(intents []deposit.Intent) []string {
	out := make([]string, 0, len(s.scan.owner)+1)
	for address := range s.scan.owner {
		out = append(out, address)
	}
	for address := range s.company(intents) {
		out = append(out, address)
	}
	return out
}

// company returns the company's addresses that members were shown recently.
func (s *Service) company(intents []deposit.Intent) map[string]bool {
	all := map[string]bool{}
	if now := s.opt.Company(); now != "" {
		all[now] = true
	}
	for _, i := range intents {
		if i.Request == 0 {
			all[i.Address] = true
		}
	}
	return all
}

// step scans the next range of blocks.
func (s *Service) step(ctx context.Context, deep uint64, receivers []string, intents []deposit.Intent) error {
	from, to := s.scan.done+1, min(s.scan.done+s.scan.span, deep)
	hints, err := s.opt.Chain.Find(ctx, from, to, receivers)
	if err != nil {
		if s.scan.span = max(s.scan.span/2, 1); from < to {
			return nil // retry with fewer blocks
		}
		return err
	}
	looked := map[string]bool{}
	for _, h := range hints {
		if looked[h.Hash] {
			continue
		}
		looked[h.Hash] = true
		if err := s.look(ctx, h.Hash, h.Block, intents); err != nil {
			return err
		}
	}
	s.scan.done, s.scan.span = to, min(2*s.scan.span, mostBlocks)
	return nil
}

// again checks the stuck transactions.
func (s *Service) again(ctx context.Context, intents []deposit.Intent) error {
	for hash, block := range s.scan.stuck {
		delete(s.scan.stuck, hash)
		if err := s.look(ctx, hash, block, intents); err != nil {
			s.scan.stuck[hash] = block
			return err
		}
	}
	return nil
}

// look checks a transaction that one node returned. If the nodes together do not know it,
// or it failed or lost its confirmations, it is no payment; mined again, it is in a later
// block.
func (s *Service) look(ctx context.Context, hash string, block uint64, intents []deposit.Intent) error {
	sight := s.opt.Chain.Look(ctx, hash)
	if s.opt.Watch != nil {
		s.opt.Watch(sight.State)
	}
	switch sight.State {
	case evm.Confirmed:
	case evm.Unknown:
		s.opt.Log.Warn("a payment could not be looked up on the chain", "hash", hash, "err", sight.Cause)
		s.scan.stuck[hash] = block
		return nil
	default:
		return nil
	}
	done, err := s.handle(ctx, sight, intents)
	if err == nil {
		err = s.opt.Cashier.KeepUnmatched(ctx, s.unmatched(sight, intents, done))
	}
	if errs.Is(err, errs.Refused) || errs.Is(err, errs.Conflict) { // payments are frozen: credit it later
		s.opt.Log.Warn("a payment could not be credited yet", "hash", hash, "err", err)
		s.scan.stuck[hash] = block
		return nil
	}
	return err
}

// requested are the members and parts of a transaction that have a fund request.
type requested struct {
	members map[int64]bool
	sources map[string]bool
}

// handle credits the payments of a transaction to deposit addresses, one sum for each
// address, and payments that match an intent.
func (s *Service) handle(ctx context.Context, sight evm.Sight, intents []deposit.Intent) (done requested, err error) {
	done = requested{map[int64]bool{}, map[string]bool{}}
	all, err := s.own(sight)
	if err != nil {
		return done, err
	}
	for _, p := range sight.Payments {
		if _, is := s.scan.owner[p.To]; is {
			continue
		}
		if i, ok := announced(intents, p, sight.Mined); ok {
			all = append(all, &cashier.Arrived{Hash: sight.Hash, To: p.To, Source: cashier.PartOf(p.N), From: []string{p.From}, Amount: p.Amount, Mined: sight.Mined, Intent: i.ID})
		}
	}
	for _, a := range all {
		if a.Intent == 0 && a.Amount.Less(s.opt.Cashier.Minimum()) {
			continue
		}
		a.Text = evm.Arrived(a.Amount.Short(), sight.Confirmations)
		r, err := s.opt.Cashier.Arrive(ctx, *a)
		if errors.As(err, new(*ledger.TamperedError)) {
			s.opt.Log.Error("a payment cannot be credited: a row that it depends on was tampered with", "hash", a.Hash, "err", err)
		}
		if err != nil {
			return done, err
		}
		if r.ID == 0 { // the second payment of one intent
			continue
		}
		done.members[r.UID], done.sources[a.Source] = true, true
		s.opt.Log.Info("a payment was found on the chain", "hash", a.Hash, "amount", a.Amount, "request", r.ID, "state", r.State)
	}
	return done, nil
}

// own returns the payments of a transaction to deposit addresses, one sum for each
// address.
func (s *Service) own(sight evm.Sight) (all []*cashier.Arrived, err error) {
	by := map[string]*cashier.Arrived{}
	for _, p := range sight.Payments {
		if s.scan.owner[p.To] == 0 {
			continue
		}
		a := by[p.To]
		if a == nil {
			a = &cashier.Arrived{Hash: sight.Hash, To: p.To, Source: p.To, Mined: sight.Mined}
			by[p.To], all = a, append(all, a)
		}
		if a.Amount, err = a.Amount.Add(p.Amount); err != nil {
			return nil, err
		}
		a.From = append(a.From, p.From)
	}
	return all, nil
}

// unmatched returns the payments of a transaction that become no request: less than the
// minimum to a deposit address, anything to an address without a member, and payments to
// the company that were not announced.
func (s *Service) unmatched(sight evm.Sight, intents []deposit.Intent, done requested) (out []deposit.Unmatched) {
	company := s.company(intents)
	for _, p := range sight.Payments {
		u := deposit.Unmatched{Hash: sight.Hash, N: p.N, To: p.To, From: p.From, Amount: p.Amount, Block: sight.Block, Mined: sight.Mined}
		uid, own := s.scan.owner[p.To]
		switch {
		case own && uid == 0:
			u.Reason, u.Ahead = deposit.Unassigned, s.scan.ahead.at(p.To)
		case own && !done.sources[p.To]:
			u.Reason = deposit.Small
		case own || !company[p.To] || done.sources[cashier.PartOf(p.N)]:
			continue
		}
		out = append(out, u)
	}
	return out
}

// announced returns the intent that a payment matches.
func announced(intents []deposit.Intent, p evm.Payment, mined time.Time) (deposit.Intent, bool) {
	for _, i := range intents {
		if i.Request == 0 && i.Paid(p.To, p.Amount) && !i.Early(mined) {
			return i, true
		}
	}
	return deposit.Intent{}, false
}

// young notes the payments without enough confirmations, for members to see.
func (s *Service) young(ctx context.Context, from, to uint64, receivers []string, intents []deposit.Intent) error {
	hints, err := s.opt.Chain.Find(ctx, from, to, receivers)
	if err != nil {
		return err
	}
	seen, looked := map[int64][]Seen{}, map[string]bool{}
	for _, h := range hints {
		if looked[h.Hash] {
			continue
		}
		looked[h.Hash] = true
		sight := s.opt.Chain.Look(ctx, h.Hash)
		if sight.State != evm.Waiting {
			continue
		}
		for _, p := range sight.Payments {
			uid := s.scan.owner[p.To]
			if uid == 0 {
				i, ok := announced(intents, p, sight.Mined)
				if !ok {
					continue
				}
				uid = i.UID
			}
			seen[uid] = append(seen[uid], Seen{sight.Hash, p.Amount, sight.Confirmations, sight.Needed})
		}
	}
	s.seen.Store(&seen)
	return nil
}

// saveCursor writes the cursor if it is due.
func (s *Service) saveCursor(ctx context.Context) error {
	upto := s.scan.done
	for _, block := range s.scan.stuck {
		upto = min(upto, block-min(block, 1))
	}
	if upto <= s.scan.kept || (s.scan.stored && upto-s.scan.kept < cursorEvery) {
		return nil
	}
	if err := s.opt.Cashier.SetCursor(ctx, s.opt.Chain.Token(), int64(upto)); err != nil {
		return err
	}
	s.scan.kept, s.scan.stored = upto, true
	return nil
}
