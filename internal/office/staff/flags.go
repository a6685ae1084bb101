package staff

import (
	"cmp"
	"context"
	"slices"

	"github.com/bifolia/bifolia/internal/core/approval"
	"github.com/bifolia/bifolia/internal/core/auditlog"
	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/people/auth"
	"github.com/bifolia/bifolia/internal/people/member"
	"github.com/bifolia/bifolia/internal/platform/actor"
	"github.com/bifolia/bifolia/internal/platform/errs"
)

// Flag is an operators' mark on a member.
type Flag string

// The flags. A legal hold has a separate call, for compliance.
const (
	FlagWatch      Flag = "watch"
	FlagDuplicate  Flag = "duplicate"
	FlagDocuments  Flag = "documents"
	FlagVulnerable Flag = "vulnerable"
	FlagHold       Flag = "legal hold"
)

// SetFlag raises or lowers a flag of a member. The history keeps earlier changes with
// author and reason.
//
// Errors: Invalid for an unknown flag and an unusable reason; NotFound; Conflict if
// nothing changes.
func (s *Service) SetFlag(ctx context.Context, by actor.By, key string, uid int64, flag Flag, raise bool, reason string) (FlagRow, error) {
	var wrong error
	if !slices.Contains([]Flag{FlagWatch, FlagDuplicate, FlagDocuments, FlagVulnerable}, flag) {
		wrong = errs.BadField("flag", "member.flag_unknown", "The flag is watch, duplicate, documents or vulnerable.")
	}
	return s.setFlag(ctx, by, key, FlagRow{UID: uid, Flag: flag, Raised: raise, Reason: reason}, wrong)
}

// SetHold puts a member's data under legal hold or lifts it. Errors as for SetFlag;
// lifting is Forbidden for the operator who proposed to erase the data.
func (s *Service) SetHold(ctx context.Context, by actor.By, key string, uid int64, hold bool, reason string) (FlagRow, error) {
	return s.setFlag(ctx, by, key, FlagRow{UID: uid, Flag: FlagHold, Raised: hold, Reason: reason}, nil)
}

func (s *Service) setFlag(ctx context.Context, by actor.By, key string, f FlagRow, wrong error) (FlagRow, error) {
	var err error
	f.Reason, err = auditlog.ParseReason(f.Reason)
	if err := bothFields(wrong, err); err != nil {
		return f, err
	}
	f.Operator, f.Name = by.Operator, by.Name
	return ledger.Run(ctx, s.opt.Do, by.Key(), key, []any{"flag", f.UID, f.Flag, f.Raised, f.Reason}, func(ctx context.Context, tx *ledger.Tx) (FlagRow, error) {
		f := f // a command may run twice
		if _, found, err := s.opt.Members.GetIn(ctx, tx, f.UID); err != nil || !found {
			return f, cmp.Or[error](err, errNoMember)
		}
		now, err := s.opt.Store.Flags(ctx, tx, f.UID)
		if err != nil {
			return f, err
		}
		if slices.ContainsFunc(now, func(o FlagRow) bool { return o.Flag == f.Flag }) == f.Raised {
			return f, errs.New(errs.Conflict, "member.flag_unchanged", "This stands like that already: look at the member again.")
		}
		if f.Flag == FlagHold && !f.Raised {
			if err := s.mayLift(ctx, tx, by, f.UID); err != nil {
				return f, err
			}
		}
		f.At = tx.Now()
		if f.ID, err = s.opt.Store.AddFlag(ctx, tx, f); err != nil {
			return f, err
		}
		state := func(raised bool) string { return auditlog.State(map[string]bool{string(f.Flag): raised}) }
		return f, s.opt.AuditLog.Write(ctx, tx, auditlog.Entry{
			Operator: by.Operator, Name: by.Name, Act: flagAct(f), Member: f.UID, Was: state(!f.Raised), Became: state(f.Raised), Reason: f.Reason,
		})
	})
}

// mayLift is Forbidden for the proposer of a pending erasure, who would remove its
// obstacle alone.
func (s *Service) mayLift(ctx context.Context, tx *ledger.Tx, by actor.By, uid int64) error {
	all, err := s.opt.Auth.ErasuresIn(ctx, tx, uid)
	if err != nil {
		return err
	}
	if slices.ContainsFunc(all, func(p auth.Proposal) bool { return p.State == approval.Waiting && p.By == by.Operator }) {
		return errs.New(errs.Forbidden, "erasure.proposed_by_you", "You proposed to erase this member's data: another operator must lift the legal hold.")
	}
	return nil
}

func flagAct(f FlagRow) string {
	switch {
	case f.Flag == FlagHold && f.Raised:
		return "legal hold"
	case f.Flag == FlagHold:
		return "legal hold lifted"
	case f.Raised:
		return "flag"
	}
	return "flag lowered"
}

// FlagHistory lists the changes of a member's flags, newest first.
func (s *Service) FlagHistory(ctx context.Context, uid, before int64, limit int) (found []FlagRow, more bool, err error) {
	limit = min(max(limit, 1), maxEntries)
	found, err = s.opt.Store.FlagHistory(ctx, uid, before, limit+1)
	return found[:min(len(found), limit)], len(found) > limit, err
}

// Alike is a member who may be the same person, and why.
type Alike struct {
	member.Card
	Ways []Way
}

const (
	maxAlike = 20 // of each way: a value shared by more does not identify a person
	maxPeers = 10
)

// Duplicates lists members who share a mobile number, wallet, bank account, mailbox or
// device address with a member. These are hints, not proof. The most similar come first.
// NotFound.
func (s *Service) Duplicates(ctx context.Context, uid int64) ([]Alike, error) {
	m, found, err := s.opt.Members.Get(ctx, uid)
	if err != nil || !found {
		return nil, cmp.Or[error](err, errNoMember)
	}
	ways := map[int64][]Way{}
	look := func(way Way, value, more string) error {
		if value == "" {
			return nil
		}
		uids, err := s.opt.Store.Alike(ctx, uid, way, value, more, maxAlike)
		for _, other := range uids {
			if !slices.Contains(ways[other], way) {
				ways[other] = append(ways[other], way)
			}
		}
		return err
	}
	peers, err := s.opt.Store.Peers(ctx, uid, maxPeers)
	if err != nil {
		return nil, err
	}
	for _, l := range []struct {
		way         Way
		value, more string
	}{
		{SameMobile, m.Mobile, ""},
		{SameWallet, string(m.Wallet), ""},
		{SameBank, m.Bank.Account, m.Bank.IFSC},
		{SameEmail, member.EmailKey(m.Email), ""},
	} {
		if err := look(l.way, l.value, l.more); err != nil {
			return nil, err
		}
	}
	for _, p := range peers {
		if err := look(SameAddress, p, ""); err != nil {
			return nil, err
		}
	}
	return s.alike(ctx, ways)
}

// alike returns the members with the most in common first.
func (s *Service) alike(ctx context.Context, ways map[int64][]Way) ([]Alike, error) {
	uids := make([]int64, 0, len(ways))
	for uid := range ways {
		uids = append(uids, uid)
	}
	slices.SortFunc(uids, func(a, b int64) int {
		if n := len(ways[b]) - len(ways[a]); n != 0 {
			return n
		}
		return int(a - b)
	})
	uids = uids[:min(len(uids), maxFound)]
	cards, err := s.opt.Members.Cards(ctx, uids)
	if err != nil {
		return nil, err
	}
	out := []Alike{}
	for _, uid := range uids {
		if c, ok := cards[uid]; ok {
			out = append(out, Alike{c, ways[uid]})
		}
	}
	return out, nil
}

// SignOut ends a session of a member, or all with "", impersonations included. The member
// sees its entry.
//
// Errors: Invalid for an unusable reason; NotFound.
func (s *Service) SignOut(ctx context.Context, by actor.By, key string, uid int64, session, reason string) error {
	reason, err := auditlog.ParseReason(reason)
	if err != nil {
		return err
	}
	_, err = ledger.Run(ctx, s.opt.Do, by.Key(), key, []any{"sign out", uid, session, reason}, func(ctx context.Context, tx *ledger.Tx) (bool, error) {
		_, found, err := s.opt.Members.GetIn(ctx, tx, uid)
		if err != nil || !found {
			return false, cmp.Or[error](err, errNoMember)
		}
		if session == "" {
			err = s.opt.Auth.EndMemberSessions(ctx, tx, uid)
		} else if err = s.opt.Auth.EndSessionIn(ctx, tx, auth.KindMember, uid, session); errs.Is(err, errs.NotFound) {
			err = s.opt.Auth.EndSessionIn(ctx, tx, auth.KindVisit, uid, session)
		}
		if err != nil {
			return false, err
		}
		what := "all sessions"
		if session != "" {
			what = "one session"
		}
		return true, s.opt.AuditLog.Write(ctx, tx, auditlog.Entry{Operator: by.Operator, Name: by.Name, Act: "member signed out", Member: uid, Subject: what, Reason: reason, Shown: true})
	})
	return err
}
