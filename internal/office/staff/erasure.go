package staff

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/bifolia/bifolia/internal/core/approval"
	"github.com/bifolia/bifolia/internal/core/auditlog"
	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/office/approvalmail"
	"github.com/bifolia/bifolia/internal/people/auth"
	"github.com/bifolia/bifolia/internal/people/member"
	"github.com/bifolia/bifolia/internal/platform/actor"
	"github.com/bifolia/bifolia/internal/platform/errs"
	"github.com/bifolia/bifolia/internal/platform/money"
)

// Erasure deletes a member's personal data in one command that two operators approve.
// Data that others depend on stays under the id: the ledger, the place in the tree, purchases,
// incomes and sums.

// Obstacle is a reason not to erase personal data yet.
type Obstacle struct {
	Kind  string // balance, withdrawal, position, claim, request, cooling, debt, ticket, correction, hold, unblocked
	Count int64
	Text  string // for operators
	// Of a balance: the account and its balance.
	Account string
	Amount  money.Amount
}

// obstacles lists the reasons not to erase m's data.
func (s *Service) obstacles(ctx context.Context, tx *ledger.Tx, m member.Member) ([]Obstacle, error) {
	o, err := s.opt.Store.Obstacles(ctx, tx, m.UID)
	if err != nil {
		return nil, err
	}
	flags, err := s.opt.Store.Flags(ctx, tx, m.UID)
	if err != nil {
		return nil, err
	}
	all := []Obstacle{}
	add := func(kind string, n int64, text string) {
		if n > 0 {
			all = append(all, Obstacle{Kind: kind, Count: n, Text: text})
		}
	}
	if !m.Blocked() {
		add("unblocked", 1, "the account is not blocked")
	}
	if i := slices.IndexFunc(flags, func(f FlagRow) bool { return f.Flag == FlagHold }); i >= 0 {
		add("hold", 1, "a legal hold: "+flags[i].Reason)
	}
	for _, b := range o.Balances {
		all = append(all, Obstacle{Kind: "balance", Count: 1, Text: fmt.Sprintf("a balance of %s in %s", b.Posted.String(), b.Code), Account: b.Code, Amount: b.Posted})
	}
	add("withdrawal", o.Withdrawals, "an open withdrawal")
	add("position", o.Positions, "an open position")
	add("claim", o.Claims, "an open claim")
	add("request", o.Requests, "an open fund request")
	add("cooling", o.Cooling, "a purchase that can still be refunded")
	add("debt", o.Debt, "a debt to the company")
	add("ticket", o.Tickets, "an open ticket")
	add("correction", o.Corrections, "a correction of a balance that nobody has decided")
	return all, nil
}

// refuse is Refused with every obstacle.
func refuse(all []Obstacle) error {
	if len(all) == 0 {
		return nil
	}
	texts := make([]string, len(all))
	for i, o := range all {
		texts[i] = o.Text
	}
	return errs.New(errs.Refused, "erasure.not_yet", "This data cannot be erased yet: {reasons}.", "reasons", strings.Join(texts, "; "))
}

// Privacy is the state of a member's personal data.
type Privacy struct {
	Member    member.Member
	Obstacles []Obstacle
	Erasures  []auth.Proposal // newest first
}

// Privacy reads it. NotFound.
func (s *Service) Privacy(ctx context.Context, uid int64) (p Privacy, err error) {
	m, found, err := s.opt.Members.Get(ctx, uid)
	if err != nil || !found {
		return p, cmp.Or[error](err, errNoMember)
	}
	p.Member = m
	if !m.Erased() {
		if p.Obstacles, err = s.obstacles(ctx, nil, m); err != nil {
			return p, err
		}
	}
	p.Erasures, err = s.opt.Auth.Erasures(ctx, uid)
	return p, err
}

// erasable is Refused, with every reason, unless a member's data can be erased now.
func (s *Service) erasable(ctx context.Context, tx *ledger.Tx, uid int64) (member.Member, error) {
	m, found, err := s.opt.Members.GetIn(ctx, tx, uid)
	switch {
	case err != nil || !found:
		return m, cmp.Or[error](err, errNoMember)
	case m.Erased():
		return m, errs.New(errs.Conflict, "erasure.done_before", "The personal data of this member was erased before.")
	}
	all, err := s.obstacles(ctx, tx, m)
	if err != nil {
		return m, err
	}
	return m, refuse(all)
}

// ProposeErasure proposes to erase a member's personal data.
//
// Errors: Invalid for an unusable reason; NotFound; Refused with all obstacles; Conflict
// if it was done or is pending; Forbidden, also for the operator who lifted the member's
// legal hold.
func (s *Service) ProposeErasure(ctx context.Context, by actor.By, key string, uid int64, reason string) (p auth.Proposal, err error) {
	reason, err = auditlog.ParseReason(reason)
	if err != nil {
		return p, err
	}
	return ledger.Run(ctx, s.opt.Do, by.Key(), key, []any{"erase", uid, reason}, func(ctx context.Context, tx *ledger.Tx) (auth.Proposal, error) {
		if _, err := s.erasable(ctx, tx, uid); err != nil {
			return auth.Proposal{}, err
		}
		last, held, err := s.opt.Store.LastHold(ctx, tx, uid)
		switch {
		case err != nil:
			return auth.Proposal{}, err
		case held && !last.Raised && last.Operator == by.Operator:
			return auth.Proposal{}, errs.New(errs.Forbidden, "erasure.lifted_by_you", "You lifted the legal hold of this member: another operator must propose the erasure.")
		}
		p, err := s.opt.Auth.ProposeErasure(ctx, tx, by.Operator, uid, reason)
		if err != nil {
			return p, err
		}
		if err := s.enterErasure(ctx, tx, by, p); err != nil {
			return p, err
		}
		return p, s.opt.Second.Tell(ctx, tx, approvalmail.Wait{Kind: approvalmail.Erasure, About: "member " + strconv.FormatInt(uid, 10), By: by})
	})
}

// DecideErasure approves and performs an erasure, or rejects it, or withdraws one's own.
//
// Errors: those of auth's DecideErasure; of an approval also Refused with all current
// obstacles.
func (s *Service) DecideErasure(ctx context.Context, by actor.By, key string, id int64, digest string, approve bool) (auth.Proposal, error) {
	return ledger.Run(ctx, s.opt.Do, by.Key(), key, []any{"decide erasure", id, digest, approve}, func(ctx context.Context, tx *ledger.Tx) (auth.Proposal, error) {
		p, err := s.opt.Auth.DecideErasure(ctx, tx, by.Operator, id, digest, approve)
		if err != nil {
			return p, err
		}
		if p.State == approval.Approved {
			if err := s.erase(ctx, tx, p.Member); err != nil {
				return p, err
			}
		}
		return p, s.enterErasure(ctx, tx, by, p)
	})
}

// enterErasure writes an erasure's state to the audit log, without personal data.
func (s *Service) enterErasure(ctx context.Context, tx *ledger.Tx, by actor.By, p auth.Proposal) error {
	act := "erasure " + string(p.State)
	if p.State == approval.Waiting {
		act = "erasure proposed"
	}
	return s.opt.AuditLog.Write(ctx, tx, auditlog.Entry{
		Operator: by.Operator, Name: by.Name, Act: act, Member: p.Member, Reason: p.Reason, Shown: true,
		Became: auditlog.State(map[string]string{"digest": p.Digest()}),
	})
}

// erase deletes a member's personal data.
func (s *Service) erase(ctx context.Context, tx *ledger.Tx, uid int64) error {
	m, err := s.erasable(ctx, tx, uid)
	if err != nil {
		return err
	}
	emails, err := s.opt.Store.Emails(ctx, tx, uid)
	if err != nil {
		return err
	}
	if err := s.opt.Members.Erase(ctx, tx, uid, tx.Now()); err != nil {
		return err
	}
	if m.Confirmed() { // an unconfirmed address may be a stranger's
		emails = append(emails, m.Email)
	}
	if err := s.opt.Store.EraseTexts(ctx, tx, uid, emails); err != nil {
		return err
	}
	tx.AfterCommit(func() { s.opt.Log.Warn("personal data was erased", "uid", uid) })
	return s.opt.Auth.Forget(ctx, tx, uid)
}

// Export records that an operator exports all data about a member; Personal then reads
// it.
//
// Errors: Invalid for an unusable reason; NotFound.
func (s *Service) Export(ctx context.Context, by actor.By, key string, uid int64, reason string) error {
	reason, err := auditlog.ParseReason(reason)
	if err != nil {
		return err
	}
	_, err = ledger.Run(ctx, s.opt.Do, by.Key(), key, []any{"export", uid, reason}, func(ctx context.Context, tx *ledger.Tx) (bool, error) {
		if _, found, err := s.opt.Members.GetIn(ctx, tx, uid); err != nil || !found {
			return false, cmp.Or[error](err, errNoMember)
		}
		return true, s.opt.AuditLog.Write(ctx, tx, auditlog.Entry{Operator: by.Operator, Name: by.Name, Act: "personal data exported", Member: uid, Reason: reason, Shown: true})
	})
	return err
}

// Personal reads all data about a member; bank details and identity numbers are masked
// unless full. The caller has called Export.
func (s *Service) Personal(ctx context.Context, uid int64, full bool, begin func(kind string) error, row func(fields []PersonalField) error) error {
	return s.opt.Store.Personal(ctx, uid, full, begin, row)
}
