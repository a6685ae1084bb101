package deposit

import (
	"context"
	"crypto/rand"
	"maps"
	"math/big"
	"slices"
	"sync"
	"time"

	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/platform/errs"
	"github.com/bifolia/bifolia/internal/platform/money"
	"github.com/bifolia/bifolia/internal/platform/xpub"
)

type Options struct {
	Store Store
	Keys  []*xpub.Key   // the first one derives new addresses; without keys there are intents
	Wait  time.Duration // how long an intent is open

	// Begun are the branches of each root that are recorded outside of the database, and
	// Begin records one there. Both may be nil.
	Begun map[string][]int64
	Begin func(root string, branch int64) error
}

// Service handles addresses and intents. Methods with a tx run within a command of the
// caller, which has checked the permission of the actor.
type Service struct {
	opt   Options
	given Place // the last place assigned by this process; used in commands only

	mu    sync.Mutex
	begun map[string][]int64
}

func New(opt Options) *Service {
	s := &Service{opt: opt, given: Place{-1, -1}, begun: map[string][]int64{}}
	maps.Copy(s.begun, opt.Begun)
	return s
}

// Begun returns the branches of each configured key that are recorded outside of the
// database.
func (s *Service) Begun() map[string][]int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	out := map[string][]int64{}
	for _, k := range s.opt.Keys {
		out[k.ID()] = slices.Clone(s.begun[k.ID()])
	}
	return out
}

// HasKey reports whether members have deposit addresses.
func (s *Service) HasKey() bool { return s != nil && len(s.opt.Keys) > 0 }

func (s *Service) key(root string) *xpub.Key {
	for _, k := range s.opt.Keys {
		if k.ID() == root {
			return k
		}
	}
	return nil
}

// derived checks an address against its key, so that a changed row is not trusted.
func (s *Service) derived(a Address) error {
	want, err := s.Derive(a.Root, a.Place)
	if err == nil && want.Address != a.Address {
		err = ledger.Tampered("The deposit address of member "+big.NewInt(a.UID).String(), "it is not what the key gives")
	}
	return err
}

// Derive returns the address at a place, without a member.
func (s *Service) Derive(root string, p Place) (Address, error) {
	k := s.key(root)
	if k == nil {
		return Address{}, errs.New(errs.Unavailable, "deposit.other_xpub", "This address was derived from another deposit_xpub than the configured one.")
	}
	text, err := k.Address(p.Branch, p.Index)
	return Address{Root: root, Place: p, Address: text}, err
}

// Of returns a member's committed address; false if there is none yet. It returns a
// *ledger.TamperedError if the row was tampered with.
func (s *Service) Of(ctx context.Context, uid int64) (Address, bool, error) {
	if !s.HasKey() {
		return Address{}, false, nil
	}
	return s.checked(s.opt.Store.Address(ctx, nil, s.opt.Keys[0].ID(), uid))
}

func (s *Service) checked(a Address, found bool, err error) (Address, bool, error) {
	if err == nil && found {
		err = s.derived(a)
	}
	if err != nil {
		return Address{}, false, err
	}
	return a, found, nil
}

// Assign returns the member's address and creates it on the first call. Errors as for Of.
func (s *Service) Assign(ctx context.Context, tx *ledger.Tx, uid int64, at time.Time) (Address, error) {
	if !s.HasKey() {
		return Address{}, errNoKey
	}
	root := s.opt.Keys[0].ID()
	a, found, err := s.checked(s.opt.Store.Address(ctx, tx, root, uid))
	if err != nil || found {
		return a, err
	}
	next, err := s.next(ctx, tx, root, at)
	if err != nil {
		return a, err
	}
	if a, err = s.Derive(root, next); err != nil {
		return a, err
	}
	a.UID, a.At = uid, at
	if err = s.opt.Store.AddAddress(ctx, tx, a); err == nil {
		s.given = next
	}
	return a, err
}

// next returns a place that no member was ever shown, even if the database has lost some:
// after the restore of a backup, or a failover to a standby that lacked the last ones. So
// a process continues only after a place that it has assigned itself; otherwise it begins
// the branch of the current second.
func (s *Service) next(ctx context.Context, tx *ledger.Tx, root string, at time.Time) (Place, error) {
	last, found, err := s.opt.Store.Last(ctx, tx, root)
	if err != nil || (found && last == s.given) {
		return Place{last.Branch, last.Index + 1}, err
	}
	branch := max(int64(at.Sub(firstBranch)/time.Second), last.Branch+1)
	for _, b := range s.Begun()[root] {
		branch = max(branch, b+1)
	}
	return Place{Branch: branch}, s.begin(root, branch)
}

// begin records a branch before one of its addresses is shown. A restored database may
// not have it, and payments to its addresses must still be found.
func (s *Service) begin(root string, branch int64) error {
	if s.opt.Begin == nil {
		return nil
	}
	if err := s.opt.Begin(root, branch); err != nil {
		return errs.Wrap(errs.Unavailable, err, "deposit.no_address", textNoBranch)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.begun[root] = append(s.begun[root], branch)
	return nil
}

// reserve adds an address that received a payment and has no row, without a member.
func (s *Service) reserve(ctx context.Context, tx *ledger.Tx, a Address, at time.Time) error {
	_, found, err := s.Owner(ctx, tx, a.Address)
	if err != nil || found {
		return err
	}
	a.At = at
	return s.opt.Store.AddAddress(ctx, tx, a)
}

// Owner returns an address with its member; false if there is no such address. Errors as
// for Of.
func (s *Service) Owner(ctx context.Context, tx *ledger.Tx, address string) (Address, bool, error) {
	return s.checked(s.opt.Store.Owner(ctx, tx, address))
}

// Path returns the derivation path of an address's private key.
func (s *Service) Path(a Address) string {
	if k := s.key(a.Root); k != nil {
		return k.Path(a.Branch, a.Index)
	}
	return ""
}

const page = 1000

// Each yields all addresses after the given place of each root, starting with the key
// that derives new ones.
func (s *Service) Each(ctx context.Context, after map[string]Place, yield func(Address) error) error {
	for _, k := range s.opt.Keys {
		root := k.ID()
		next, known := after[root]
		if !known {
			next = Place{-1, -1}
		}
		for {
			all, err := s.opt.Store.Addresses(ctx, root, next, page)
			if err != nil {
				return err
			}
			for _, a := range all {
				if err := yield(a); err != nil {
					return err
				}
				next = a.Place
			}
			if len(all) < page {
				break
			}
		}
	}
	return nil
}

// Right checks an address against its key. Errors as for Of.
func (s *Service) Right(a Address) error { return s.derived(a) }

// Unwatched returns the roots of addresses whose key is not configured.
func (s *Service) Unwatched(ctx context.Context) ([]string, error) {
	roots, err := s.opt.Store.Roots(ctx)
	return slices.DeleteFunc(roots, func(r string) bool { return s.key(r) != nil }), err
}

// Ours reports whether an address is a deposit address, or ever was a hot wallet.
func (s *Service) Ours(ctx context.Context, address string) (bool, error) {
	return s.opt.Store.Ours(ctx, address)
}

// Received returns the sums paid to addresses, credited or not.
func (s *Service) Received(ctx context.Context, addresses []string) (map[string]money.Amount, error) {
	return s.opt.Store.Received(ctx, addresses)
}

// Open announces a payment of whole dollars and assigns its tail. An open intent for the
// same dollars is returned again. Refused if all tails are taken, or the member has
// announced too many.
func (s *Service) Open(ctx context.Context, tx *ledger.Tx, i Intent, at time.Time) (Intent, error) {
	own, err := s.opt.Store.Intents(ctx, tx, i.UID, at.Add(-Remembered))
	if err != nil {
		return i, err
	}
	open, today := 0, 0
	var unpaid, former []money.Amount // with the same whole dollars
	for _, o := range own {
		// Cancelled intents count too, because they reserve a tail.
		if o.OpenedAt.After(at.Add(-24 * time.Hour)) {
			today++
		}
		if o.Request != 0 {
			continue
		}
		ended, same := !o.Expires.After(at), o.Address == i.Address && o.Amount.Micros()/1e6 == i.Amount.Micros()/1e6
		if !ended {
			open++
		}
		switch {
		case same && !ended && o.Fund == i.Fund:
			return o, nil
		case same && ended:
			former = append(former, o.Amount)
		}
		if same && !slices.Contains(unpaid, o.Amount) {
			unpaid = append(unpaid, o.Amount)
		}
	}
	switch {
	case open >= maxOpen:
		return i, errs.New(errs.Refused, "deposit.too_many_open", textTooMany, "open", open)
	case today >= maxDaily:
		return i, errs.New(errs.Refused, "deposit.too_many_today", textTooOften, "count", today)
	case len(unpaid) >= maxTails && len(former) > 0:
		i.Amount = former[len(former)-1] // a late payment belongs to the same member
	default:
		i.Amount, err = s.tail(ctx, tx, i.Amount, at)
	}
	if err != nil {
		return i, err
	}
	last, err := s.opt.Store.LastIntent(ctx, tx)
	if err != nil {
		return i, err
	}
	i.ID, i.OpenedAt, i.Expires = max(last+1, firstIntent), at, at.Add(s.opt.Wait)
	return i, s.opt.Store.AddIntent(ctx, tx, i)
}

// Cancel ends a member's open intent. Later payments for it are left to an operator. A
// payment mined before still counts, and the amount stays reserved. NotFound if the
// member has no such intent; Refused if it has ended or was paid.
func (s *Service) Cancel(ctx context.Context, tx *ledger.Tx, uid, id int64, at time.Time) error {
	i, err := s.Intent(ctx, tx, id)
	switch {
	case err != nil:
		return err
	case i.UID != uid:
		return errs.New(errs.NotFound, "deposit.not_found", textNoIntent, "id", id)
	case i.Request != 0 || !i.Expires.After(at):
		return errs.New(errs.Refused, "deposit.ended", textEnded)
	}
	if !at.After(i.OpenedAt) { // the end is after the start
		at = i.OpenedAt.Add(time.Microsecond)
	}
	return s.opt.Store.EndIntent(ctx, tx, id, at)
}

// tail adds a random tail that no intent has which is open or ended recently.
func (s *Service) tail(ctx context.Context, tx *ledger.Tx, whole money.Amount, at time.Time) (money.Amount, error) {
	most, err := whole.Add(money.Micro(tails * tailUnit))
	if err != nil {
		return whole, err
	}
	taken, err := s.opt.Store.Between(ctx, tx, at.Add(-Remembered), whole, most)
	if err != nil {
		return whole, err
	}
	used := make(map[money.Amount]bool, len(taken))
	for _, i := range taken {
		used[i.Amount] = true
	}
	var free []money.Amount
	for n := int64(1); n <= tails; n++ {
		if a := money.Micro(whole.Micros() + n*tailUnit); !used[a] {
			free = append(free, a)
		}
	}
	if len(free) == 0 {
		return whole, errs.At(errs.Refused, "amount", "deposit.no_free_cents", textNoTail, "amount", whole.Short())
	}
	pick, err := rand.Int(rand.Reader, big.NewInt(int64(len(free))))
	if err != nil {
		return whole, err
	}
	return free[pick.Int64()], nil
}

// Intent reads an intent within a command. NotFound if there is none.
func (s *Service) Intent(ctx context.Context, tx *ledger.Tx, id int64) (Intent, error) {
	i, found, err := s.opt.Store.Intent(ctx, tx, id)
	if err == nil && !found {
		err = errs.New(errs.NotFound, "deposit.not_found", textNoIntent, "id", id)
	}
	return i, err
}

// Intents returns the recent intents of a member, or of all members for uid 0, newest
// first.
func (s *Service) Intents(ctx context.Context, uid int64, now time.Time) ([]Intent, error) {
	return s.opt.Store.Intents(ctx, nil, uid, now.Add(-Remembered))
}

// Settle notes the fund request of an intent.
func (s *Service) Settle(ctx context.Context, tx *ledger.Tx, id, request int64) error {
	return s.opt.Store.Settle(ctx, tx, id, request)
}

// Cursor returns the last block that was searched for payments of a token; false if none
// was.
func (s *Service) Cursor(ctx context.Context, token string) (int64, bool, error) {
	return s.opt.Store.Cursor(ctx, token)
}

// SetCursor notes the last block that was searched for payments of a token.
func (s *Service) SetCursor(ctx context.Context, tx *ledger.Tx, token string, block int64, at time.Time) error {
	return s.opt.Store.SetCursor(ctx, tx, token, block, at)
}
