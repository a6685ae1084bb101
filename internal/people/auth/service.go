package auth

import (
	"context"
	"crypto/rand"
	"errors"
	"log/slog"
	"time"

	"github.com/go-webauthn/webauthn/webauthn"

	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/platform/cache"
	"github.com/bifolia/bifolia/internal/platform/clock"
	"github.com/bifolia/bifolia/internal/platform/errs"
	"github.com/bifolia/bifolia/internal/platform/ratelimit"
)

// Options configures a service.
type Options struct {
	Store  Store
	Clock  clock.Clock
	Do     ledger.Leader
	Log    *slog.Logger
	Secret []byte  // 32 bytes that sign tokens; never in the database
	Hasher *Hasher // NewHasher(HashOptions{}) if nil
	// TokenLife is the validity of a token; 30 minutes if zero.
	TokenLife time.Duration
	// OperatorIdle is how long an operator's session can be unused; 15 minutes
	// if zero.
	OperatorIdle time.Duration
	// Site is the site of passkeys; without one they are unavailable.
	Site Site
	// Demo lifts the limit of sign-ins from the machine that the demo runs on.
	Demo bool
	// Unfamiliar notifies an owner of a sign-in from a new address, within its command;
	// may be nil.
	Unfamiliar func(ctx context.Context, tx *ledger.Tx, a Arrival) error
	// Record writes an operator's action to the audit log, within its command; may be nil.
	Record func(ctx context.Context, tx *ledger.Tx, a Act) error
	// Waits is called, within the command, when a member's wait starts or is extended;
	// waited says that one was running. May be nil.
	Waits func(ctx context.Context, tx *ledger.Tx, uid int64, waited bool, until time.Time) error
	// Warn warns an owner, within the command that noticed the event; may be nil.
	Warn func(ctx context.Context, tx *ledger.Tx, w Warning) error
}

// Act is an operator's action, for the audit log.
type Act struct {
	Operator int64
	Name     string // the e-mail
	Kind     string
	Member   int64 // the member concerned, who may see it; 0 for none
	Became   any
	Reason   string
}

func (s *Service) record(ctx context.Context, tx *ledger.Tx, a Act) error {
	if s.opt.Record == nil {
		return nil
	}
	return s.opt.Record(ctx, tx, a)
}

// Service authenticates members and operators and manages their sessions.
type Service struct {
	opt              Options
	store            Store
	clock            clock.Clock
	log              *slog.Logger
	hasher           *Hasher // signed-in members and operators, and familiar addresses
	anonymous        *Hasher // callers without a session
	operators        *Hasher // operators signing in
	tokens           *signer
	tickets          *signer
	vault            *vault
	throttle         *throttle
	signInLimits     *signInLimits
	begins           *ratelimit.NetworkLimiter // sign-ins by passkey
	asks             *ratelimit.Limiter        // passkey challenges within sessions
	transactionMails *ratelimit.Limiter        // transaction passwords mailed on a member's request
	passkeys         *webauthn.WebAuthn        // nil if unavailable
	cache            *cache.Cache[string, cachedSession]
	seen             *seenWriter
	turns            turns
}

// New returns a service. Close ends it. Internal if the secret is not 32 bytes.
func New(o Options) (*Service, error) {
	tokens, err := newSigner(o.Secret, forSessions, o.Clock)
	if err != nil {
		return nil, err
	}
	tickets, err := newSigner(o.Secret, forTickets, o.Clock)
	if err != nil {
		return nil, err
	}
	factors, err := newVault(o.Secret)
	if err != nil {
		return nil, err
	}
	slow, err := newThrottle(o.Clock, o.Store, o.Secret)
	if err != nil {
		return nil, err
	}
	if o.Hasher == nil {
		o.Hasher = NewHasher(HashOptions{})
	}
	if o.TokenLife == 0 {
		o.TokenLife = tokenLife
	}
	if o.OperatorIdle == 0 {
		o.OperatorIdle = operatorIdle
	}
	keys, err := o.Site.verifier()
	if err != nil {
		return nil, err
	}
	s := &Service{
		opt: o, store: o.Store, clock: o.Clock, log: o.Log, hasher: o.Hasher,
		tokens: tokens, tickets: tickets, vault: factors, throttle: slow, cache: newCache(),
		anonymous: o.Hasher.withQueue(cap(o.Hasher.slots), anonymousWaiting), operators: o.Hasher.withQueue(operatorsAtOnce, operatorsWaiting),
		signInLimits:     newSignInLimits(o.Clock, o.Demo),
		asks:             ratelimit.NewLimiter(addressTries, addressEvery, throttleSize, o.Clock),
		transactionMails: ratelimit.NewLimiter(mailedAsks, mailedAskEvery, throttleSize, o.Clock),
		begins:           ratelimit.NewNetworkLimiter(addressTries, addressEvery, throttleSize, o.Clock), passkeys: keys,
	}
	s.seen = startSeen(s)
	return s, nil
}

// Close writes pending notes and stops. The sequencer must close after it.
func (s *Service) Close() { s.seen.close() }

// Check returns the session of a token. renewed is a new token of the same session if
// this one has used a third of its life, else "".
//
// Errors: Unauthenticated, in the same words for every invalid token or session;
// Forbidden if the operator was changed outside the server; Unavailable if the database
// does not answer.
func (s *Service) Check(ctx context.Context, token string) (session Session, renewed string, err error) {
	c, ok := s.tokens.read(token)
	if !ok {
		return Session{}, "", errPleaseLogin
	}
	now := s.clock.Latest()
	mark := s.cache.Mark()
	e, _ := s.cache.Get(c.ID)
	if !e.fresh(now) {
		if e.session, ok, err = s.store.Session(ctx, c.ID); errors.As(err, new(*ledger.TamperedError)) {
			return Session{}, "", s.refuseTampered(ctx, e.session.Operator, err)
		} else if err != nil {
			return Session{}, "", errs.Wrap(errs.Unavailable, err, "session.not_looked_up", "Your session could not be looked up. Try again in a moment.")
		}
		if !ok {
			return Session{}, "", errPleaseLogin
		}
		e.read = now
	}
	e.seen = later(e.seen, e.session.Seen)
	if !c.about(e.session.Kind, e.session.Owner, 0) || !e.session.open(now, e.seen, s.idle(e.session.Kind)) {
		return Session{}, "", errPleaseLogin
	}
	e.seen = now
	if now.Sub(later(e.noted, e.session.Seen)) >= min(seenEvery, s.idle(e.session.Kind)/3) && s.seen.note(c.ID, now) {
		e.noted = now
	}
	s.cache.Put(c.ID, e, mark)
	renewed, err = s.renew(e.session, c.ExpiresAt.Time, now)
	return e.session, renewed, err
}

// refuseTampered reports an operator who does not match the signed chain and refuses the
// request. The command freezes payments; a standby cannot, so it logs and refuses.
func (s *Service) refuseTampered(ctx context.Context, operator int64, found error) error {
	s.log.Error("auth: an operator's row was changed in the database", "operator", operator, "err", found)
	err := s.write(ctx, func(ctx context.Context, tx *ledger.Tx) error {
		if err := s.store.VerifyOperator(ctx, tx, operator); err != nil {
			return err
		}
		return found
	})
	if !errors.As(err, new(*ledger.TamperedError)) {
		s.log.Warn("auth: money does not stand still for it", "operator", operator, "err", err)
	}
	return errs.Wrap(errs.Forbidden, found, "operator.tampered", "Your operator account was changed directly in the database and does not match the signed chain. It is locked, and payments are frozen. Ask another owner to run 'bifolia verify'.")
}

// idle is how long a session of that kind can be unused.
func (s *Service) idle(k Kind) time.Duration {
	switch k {
	case KindOperator:
		return s.opt.OperatorIdle
	case KindVisit:
		return visitAge
	}
	return memberIdle
}

// OperatorIdle is how long an operator's session can be unused.
func (s *Service) OperatorIdle() time.Duration { return s.opt.OperatorIdle }

// renew makes a new token when a third of the old one's life is over, so that a member
// who pauses stays signed in. It makes none that would not be valid for longer: a
// token ends with its session at the latest.
func (s *Service) renew(session Session, expires, now time.Time) (string, error) {
	if expires.Sub(now) > s.opt.TokenLife*2/3 {
		return "", nil
	}
	if !s.tokenEnd(session, now).Truncate(time.Second).After(expires) {
		return "", nil
	}
	return s.token(session, now)
}

func (s *Service) token(session Session, now time.Time) (string, error) {
	return s.tokens.sign(session.Kind, session.ID, session.Owner, 0, s.tokenEnd(session, now))
}

func (s *Service) tokenEnd(session Session, now time.Time) time.Time {
	if end := now.Add(s.opt.TokenLife); end.Before(session.Expires) {
		return end
	}
	return session.Expires
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

// write runs f as a command. It may run twice and has no idempotency key: each of
// these commands may be repeated.
func (s *Service) write(ctx context.Context, f func(ctx context.Context, tx *ledger.Tx) error) error {
	_, err := s.opt.Do.Do(ctx, ledger.Command{Actor: "auth", Run: func(ctx context.Context, tx *ledger.Tx) ([]byte, error) {
		return nil, f(ctx, tx)
	}})
	return err
}

// answer is write with a result, which it returns only when it is durable: a caller
// that stopped waiting does not share it.
func answer[T any](ctx context.Context, s *Service, f func(ctx context.Context, tx *ledger.Tx) (T, error)) (T, error) {
	var out, none T
	err := s.write(ctx, func(ctx context.Context, tx *ledger.Tx) (err error) {
		out, err = f(ctx, tx)
		return err
	})
	if err != nil {
		return none, err
	}
	return out, nil
}

// open adds a session within a command and returns its grant, to be handed out when
// the command is durable.
func (s *Service) open(ctx context.Context, tx *ledger.Tx, session Session, from From) (Grant, error) {
	if err := s.limitSessions(ctx, tx, session.Kind, session.Owner); err != nil {
		return Grant{}, err
	}
	now := s.clock.Latest()
	session.ID, session.Created, session.Seen, session.Expires = newID(), now, now, now.Add(session.Kind.age())
	from.fill(&session)
	if session.Kind != KindVisit {
		if err := s.noteSignIn(ctx, tx, session, from); err != nil {
			return Grant{}, err
		}
	}
	token, err := s.token(session, now)
	if err != nil {
		return Grant{}, err
	}
	return Grant{Token: token, Session: session, MustChange: session.MustChange}, s.store.AddSession(ctx, tx, session)
}

// newID is a random id of 26 letters and digits.
func newID() string { return rand.Text() }

// isID reports whether s can be an id, before the database is asked.
func isID(s string) bool {
	if len(s) != len("ABCDEFGHIJKLMNOPQRSTUVWXYZ") {
		return false
	}
	for i := range len(s) {
		if c := s[i]; (c < 'A' || c > 'Z') && (c < '2' || c > '7') {
			return false
		}
	}
	return true
}
