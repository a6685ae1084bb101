package member

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/platform/cache"
	"github.com/bifolia/bifolia/internal/platform/clock"
	"github.com/bifolia/bifolia/internal/platform/errs"
	"github.com/bifolia/bifolia/internal/platform/plain"
)

// Options configures a Service.
type Options struct {
	Store Store
	// Clock is that of the cache of cards.
	Clock clock.Clock
	// Secret authenticates mailed links; it is never in the database. Without it none are
	// made.
	Secret []byte
}

// Service manages members. Methods with a tx run within a command of the caller, who
// has checked permissions.
type Service struct {
	store  Store
	secret []byte
	cards  *cache.Cache[int64, Card] // pages of the tree repeat the same members
}

func New(opt Options) *Service {
	return &Service{store: opt.Store, secret: opt.Secret, cards: cache.NewExpiring[int64, Card](50_000, time.Second, opt.Clock)}
}

// Add adds a new member. Conflict if the id is taken.
func (s *Service) Add(ctx context.Context, tx *ledger.Tx, m Member) error {
	err := s.store.Add(ctx, tx, m)
	if refused, ok := errors.AsType[*ledger.ConstraintError](err); ok && refused.Unique {
		return errs.Wrap(errs.Conflict, err, "member.id_taken", textIDTaken)
	}
	return err
}

// Get reads a committed member; false if there is none.
func (s *Service) Get(ctx context.Context, uid int64) (Member, bool, error) {
	return s.store.Get(ctx, uid)
}

// GetIn reads a member within a command; false if there is none.
func (s *Service) GetIn(ctx context.Context, tx *ledger.Tx, uid int64) (Member, bool, error) {
	return s.store.GetIn(ctx, tx, uid)
}

// Verified is GetIn before a secret is mailed or money leaves: names, contacts and
// payment details are verified against the signed chain. Conflict, of a
// *ledger.TamperedError, if they were changed in the database.
func (s *Service) Verified(ctx context.Context, tx *ledger.Tx, uid int64) (Member, bool, error) {
	m, found, err := s.store.Verified(ctx, tx, uid)
	return m, found, asTampered(err)
}

// asTampered refuses data that was changed outside the server. The cause stays wrapped: it
// freezes payments.
func asTampered(err error) error {
	if errors.As(err, new(*ledger.TamperedError)) {
		return errs.Wrap(errs.Conflict, err, "member.tampered", textTampered)
	}
	return err
}

// save writes a member over a row that matches the signed chain; Conflict as in
// Verified.
func (s *Service) save(ctx context.Context, tx *ledger.Tx, m Member) error {
	s.cards.Drop(m.UID)
	return asTampered(s.store.Save(ctx, tx, m))
}

// CardsIn are the cards of the members among uids, within a command.
func (s *Service) CardsIn(ctx context.Context, tx *ledger.Tx, uids ...int64) (map[int64]Card, error) {
	found, err := s.store.CardsIn(ctx, tx, uids)
	return byUID(found), err
}

// Cards are the cards of the members among uids.
func (s *Service) Cards(ctx context.Context, uids []int64) (map[int64]Card, error) {
	known, missing := s.cards.Many(uids)
	if len(missing) == 0 {
		return known, nil
	}
	mark := s.cards.Mark()
	found, err := s.store.Cards(ctx, missing)
	if err != nil {
		return nil, err
	}
	for _, card := range found {
		s.cards.Put(card.UID, card, mark)
		known[card.UID] = card
	}
	return known, nil
}

func byUID(cards []Card) map[int64]Card {
	out := make(map[int64]Card, len(cards))
	for _, c := range cards {
		out[c.UID] = c
	}
	return out
}

// UpdateProfile replaces the member's profile and returns what changed. The e-mail
// address stays: another one must be confirmed, see email.go. NotFound if there is no
// such member; Refused if the member is blocked.
func (s *Service) UpdateProfile(ctx context.Context, tx *ledger.Tx, uid int64, p Profile) (Changed, error) {
	return s.update(ctx, tx, uid, func(m *Member) {
		m.Name, m.LastName, m.Father = p.Name, p.LastName, p.Father
		m.Country, m.Mobile = p.Country, p.Mobile
		m.Birthday, m.Gender, m.Address, m.About = p.Birthday, p.Gender, p.Address, p.About
		m.Nominee, m.NomineeRelation = p.Nominee, p.NomineeRelation
	})
}

// Erase deletes all personal data; the id, the dates and the country stay. NotFound if
// there is no such member; Conflict if it was done before; Refused unless the member is
// blocked, so that nothing is under way.
func (s *Service) Erase(ctx context.Context, tx *ledger.Tx, uid int64, at time.Time) error {
	m, err := s.find(ctx, tx, uid)
	switch {
	case err != nil:
		return err
	case m.Erased():
		return errs.New(errs.Conflict, "member.erased", textErased)
	case !m.Blocked():
		return errs.New(errs.Refused, "member.block_first", textBlockFirst)
	}
	if err := s.dropLinks(ctx, tx, uid, func(EmailLink) bool { return true }); err != nil {
		return err
	}
	return s.save(ctx, tx, m.erased(at))
}

// UpdateWallet replaces the address that the member is paid at, which no other member
// has. NotFound if there is no such member; Refused if the member is blocked, or the
// address is another member's.
func (s *Service) UpdateWallet(ctx context.Context, tx *ledger.Tx, uid int64, w Wallet, at time.Time) (Changed, error) {
	taken, err := s.store.WalletTaken(ctx, tx, uid, w)
	if err == nil && taken {
		err = errs.At(errs.Refused, fieldWallet, "wallet.taken", TextWalletTaken)
	}
	if err != nil {
		return Changed{}, err
	}
	return s.update(ctx, tx, uid, func(m *Member) {
		if m.Wallet != w {
			m.WalletAt = at
		}
		m.Wallet = w
	})
}

// WithWallet are the committed members who are paid at an address.
func (s *Service) WithWallet(ctx context.Context, w Wallet) ([]int64, error) {
	return s.store.WithWallet(ctx, w)
}

// UpdateBank replaces the member's bank details. NotFound if there is no such member;
// Refused if the member is blocked.
func (s *Service) UpdateBank(ctx context.Context, tx *ledger.Tx, uid int64, b Bank) (Changed, error) {
	return s.update(ctx, tx, uid, func(m *Member) { m.Bank = b })
}

// update changes a member who is not blocked. It checks within the command, so that a
// request under way during the block is refused.
func (s *Service) update(ctx context.Context, tx *ledger.Tx, uid int64, change func(*Member)) (Changed, error) {
	before, err := s.find(ctx, tx, uid)
	if err != nil {
		return Changed{}, err
	}
	if before.Blocked() {
		return Changed{}, errs.New(errs.Refused, "member.blocked", textBlocked)
	}
	after := before
	change(&after)
	c := Changed{Before: before, After: after}
	if !c.Any() {
		return c, nil
	}
	return c, s.save(ctx, tx, after)
}

func (s *Service) find(ctx context.Context, tx *ledger.Tx, uid int64) (Member, error) {
	m, ok, err := s.store.GetIn(ctx, tx, uid)
	if err == nil && !ok {
		err = errs.New(errs.NotFound, "member.unknown", textNoMember)
	}
	return m, err
}

// Activate records the time of a member's first package. NotFound if there is no such
// member.
func (s *Service) Activate(ctx context.Context, tx *ledger.Tx, uid int64, at time.Time) error {
	m, err := s.find(ctx, tx, uid)
	if err != nil || !m.ActivatedAt.IsZero() {
		return err
	}
	m.ActivatedAt = at
	return s.save(ctx, tx, m)
}

// Deactivate clears the time of the first package of a member without packages. NotFound
// if there is no such member.
func (s *Service) Deactivate(ctx context.Context, tx *ledger.Tx, uid int64) error {
	m, err := s.find(ctx, tx, uid)
	if err != nil || m.ActivatedAt.IsZero() {
		return err
	}
	m.ActivatedAt = time.Time{}
	return s.save(ctx, tx, m)
}

// maxReason bounds the reason for a block.
const maxReason = 500

// Block blocks a member. Invalid if why is empty, has more than 500 characters or control
// characters; NotFound if there is no such member; Conflict if the member is blocked:
// the first reason stays.
func (s *Service) Block(ctx context.Context, tx *ledger.Tx, uid int64, why string, at time.Time) error {
	why = strings.TrimSpace(why)
	if why == "" || utf8.RuneCountInString(why) > maxReason || !utf8.ValidString(why) || strings.ContainsFunc(why, plain.Control) {
		return errs.New(errs.Invalid, "member.block_reason", textReasonRequired)
	}
	m, err := s.find(ctx, tx, uid)
	if err != nil {
		return err
	}
	if m.Blocked() {
		return errs.New(errs.Conflict, "member.already_blocked", textBlockedBefore)
	}
	m.BlockedAt, m.BlockedWhy = at, why
	return s.save(ctx, tx, m)
}

// Unblock unblocks a member. NotFound if there is no such member; Conflict if the member
// is not blocked; Refused once the data was erased.
func (s *Service) Unblock(ctx context.Context, tx *ledger.Tx, uid int64) error {
	m, err := s.find(ctx, tx, uid)
	if err != nil {
		return err
	}
	if !m.Blocked() {
		return errs.New(errs.Conflict, "member.not_blocked", textNotBlocked)
	}
	if m.Erased() {
		return errs.New(errs.Refused, "member.erased", textErased)
	}
	m.BlockedAt, m.BlockedWhy = time.Time{}, ""
	return s.save(ctx, tx, m)
}

const idKeySetting = "id_key"

// IDKey is the key of ids. The first command that needs it makes it; it is valid only
// once that command is durable. Internal if the stored key is invalid: ids of another key
// would collide with existing ones.
func (s *Service) IDKey(ctx context.Context, tx *ledger.Tx) ([]byte, error) {
	key, ok, err := s.store.Setting(ctx, tx, idKeySetting)
	if err != nil {
		return nil, err
	}
	if ok {
		if len(key) != IDKeySize {
			return nil, fmt.Errorf("member: the stored key of ids has %d bytes, not %d", len(key), IDKeySize)
		}
		return key, nil
	}
	key = make([]byte, IDKeySize)
	if _, err := rand.Read(key); err != nil {
		return nil, err
	}
	return key, s.SetIDKey(ctx, tx, key)
}

// SetIDKey sets the key of ids before the first member, so that ids are predictable. A
// *ledger.ConstraintError if there is a key.
func (s *Service) SetIDKey(ctx context.Context, tx *ledger.Tx, key []byte) error {
	return s.store.AddSetting(ctx, tx, idKeySetting, key)
}
