package enrol

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/json"
	"log/slog"

	"github.com/bifolia/bifolia/internal/core/auditlog"
	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/core/mail"
	"github.com/bifolia/bifolia/internal/core/tree"
	"github.com/bifolia/bifolia/internal/people/auth"
	"github.com/bifolia/bifolia/internal/people/member"
	"github.com/bifolia/bifolia/internal/people/passwords"
	"github.com/bifolia/bifolia/internal/platform/clock"
	"github.com/bifolia/bifolia/internal/platform/errs"
)

// Options configures a Service.
type Options struct {
	Do       ledger.CommandRunner
	Store    Store
	Tree     *tree.Service
	Members  *member.Service
	Auth     *auth.Service
	Mail     *mail.Service
	AuditLog *auditlog.Service
	Clock    clock.Clock
	Log      *slog.Logger
	Secret   []byte // keys the hashes of passwords in requests; never in the database
}

// Service registers members and resets forgotten passwords.
type Service struct{ opt Options }

func New(opt Options) *Service { return &Service{opt} }

// SponsorBlocked is the message if the sponsor may not invite.
const SponsorBlocked = "This sponsor is blocked and cannot invite. Please ask for another sponsor id."

// Register makes a visitor a member: with a place in the tree, credentials, and a queued
// welcome mail. The same request again, by key or as a double click, returns the same
// member.
//
// Errors: Invalid if the password is too weak or derived from the visitor's data;
// NotFound if there is no such sponsor; Refused if the sponsor is blocked; Conflict if
// the key was used for another registration; Limited; Unavailable; those of May.
func (s *Service) Register(ctx context.Context, r Request) (j Joined, err error) {
	body, err := r.body(s.opt.Secret)
	if err != nil {
		return j, err
	}
	if err := (passwords.Person{Name: r.Name, Email: r.Email, Mobile: r.Mobile}).Check(r.Password); err != nil {
		return j, err
	}
	if s.opt.Tree.Find(r.Sponsor) == 0 { // before slow work; the command checks again
		return j, errs.New(errs.NotFound, "member.sponsor_unknown", tree.NoSponsor)
	}
	if r.counted = new(bool); r.May != nil {
		r.full = r.May(false)
	}
	pin, secrets := passwords.NewTransaction(), auth.Credential{}
	if r.full == nil {
		if secrets, err = s.opt.Auth.Prepare(ctx, r.Password, pin); err != nil {
			return j, err
		}
		secrets = secrets.PinMailed()
	}
	key := r.Key
	if key == "" { // only a command with a key stores its answer in the chain
		key = "once " + rand.Text()
	}
	answer, err := s.opt.Do.Do(ctx, s.registration(r, key, body, secrets, pin))
	if err != nil {
		return j, err
	}
	return j, json.Unmarshal(answer.Response, &j)
}

// Admission is the command that registers with prepared credentials, for loading a
// history: it queues no welcome mail. The request has a key. Errors of the command as for
// Register.
func (s *Service) Admission(r Request, secrets auth.Credential) (ledger.Command, error) {
	body, err := r.body(s.opt.Secret)
	return s.registration(r, r.Key, body, secrets, ""), err
}

// registration is the command that registers; without a transaction password to mail,
// it queues no mail.
func (s *Service) registration(r Request, key string, body []byte, secrets auth.Credential, pin string) ledger.Command {
	return ledger.Command{Actor: Actor, Key: key, Body: body, Run: func(ctx context.Context, tx *ledger.Tx) ([]byte, error) {
		return s.register(ctx, tx, r, body, secrets, pin)
	}}
}

func (s *Service) register(ctx context.Context, tx *ledger.Tx, r Request, body []byte, secrets auth.Credential, pin string) ([]byte, error) {
	request := sha256.Sum256(body)
	if r.Key == "" {
		uid, at, err := s.opt.Store.Enrolled(ctx, tx, request[:])
		if err != nil {
			return nil, err
		}
		if uid != 0 && tx.Now().Sub(at).Abs() < sameWithin {
			p, _, err := s.opt.Tree.Standing(ctx, tx, uid)
			if err != nil {
				return nil, err
			}
			return json.Marshal(joined(p))
		}
	}
	if err := s.sponsors(ctx, tx, r.Sponsor); err != nil {
		return nil, err
	}
	if err := r.may(); err != nil {
		return nil, err
	}
	id, err := s.ids(ctx, tx)
	if err != nil {
		return nil, err
	}
	p, err := s.opt.Tree.Place(ctx, tx, r.Sponsor, tree.Side(r.Position), id)
	if err != nil {
		return nil, err
	}
	confirmed := pin == "" // loaded addresses count as confirmed
	if err := s.add(ctx, tx, p, r.Registration, secrets, confirmed); err != nil {
		return nil, err
	}
	if r.Key == "" {
		if err := s.opt.Store.Enrol(ctx, tx, request[:], p.UID, tx.Now()); err != nil {
			return nil, err
		}
	}
	if pin != "" {
		confirm, err := s.opt.Members.AskEmail(ctx, tx, p.UID, r.Email, tx.Now())
		if err != nil {
			return nil, err
		}
		letter := mail.Welcome{Name: r.Name, UserID: p.UID, TransactionPassword: pin, Token: confirm, Valid: member.ConfirmLife}
		if err := s.opt.Mail.Queue(ctx, tx, r.Email, letter); err != nil {
			return nil, err
		}
		tx.AfterCommit(s.opt.Mail.Wake)
	}
	return json.Marshal(joined(p))
}

func (s *Service) add(ctx context.Context, tx *ledger.Tx, p tree.Place, r member.Registration, secrets auth.Credential, confirmed bool) error {
	m := member.Member{UID: p.UID, Name: r.Name, Email: r.Email, Mobile: r.Mobile, Country: r.Country, JoinedAt: p.Joined}
	if confirmed {
		m.EmailOK = p.Joined
	}
	if err := s.opt.Members.Add(ctx, tx, m); err != nil {
		return err
	}
	return s.opt.Auth.Add(ctx, tx, p.UID, secrets)
}

// ids draws user ids by the installation's key, so that they do not disclose the number
// of members.
func (s *Service) ids(ctx context.Context, tx *ledger.Tx) (func(tree.No) int64, error) {
	key, err := s.opt.Members.IDKey(ctx, tx)
	if err != nil {
		return nil, err
	}
	ids, err := member.NewIDs(key)
	if err != nil {
		return nil, err
	}
	return func(no tree.No) int64 { return ids.At(int64(no)) }, nil
}

// Begin creates the first member and the first operator. Conflict if there is a first
// member; Invalid if a password is too weak or the secret of the second factor is
// invalid.
func (s *Service) Begin(ctx context.Context, f First) (b Begun, err error) {
	b.TransactionPassword = passwords.NewTransaction()
	secrets, err := s.opt.Auth.Prepare(ctx, f.Root.Password, b.TransactionPassword)
	if err != nil {
		return b, err
	}
	hash, err := s.opt.Auth.PrepareOperator(ctx, f.Operator, f.OperatorPassword)
	if err != nil {
		return b, err
	}
	if b.Factor, err = auth.PrepareFactor(f.OperatorSecret); err != nil {
		return b, err
	}
	_, err = s.opt.Do.Do(ctx, ledger.Command{Actor: Actor, Key: "first " + rand.Text(), Run: func(ctx context.Context, tx *ledger.Tx) ([]byte, error) {
		id, err := s.ids(ctx, tx)
		if err != nil {
			return nil, err
		}
		p, err := s.opt.Tree.PlaceRoot(ctx, tx, id)
		if err != nil {
			return nil, err
		}
		b.UID = p.UID
		if err := s.add(ctx, tx, p, f.Root, secrets, true); err != nil {
			return nil, err
		}
		if b.Operator, err = s.opt.Auth.AddOperator(ctx, tx, f.Operator, hash); err != nil {
			return nil, err
		}
		if err := s.opt.Auth.SetFactor(ctx, tx, b.Operator, b.Factor); err != nil {
			return nil, err
		}
		return json.Marshal(joined(p))
	}})
	return b, err
}
