package enrol

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"strconv"

	"github.com/bifolia/bifolia/internal/core/auditlog"
	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/core/tree"
	"github.com/bifolia/bifolia/internal/people/member"
	"github.com/bifolia/bifolia/internal/platform/actor"
	"github.com/bifolia/bifolia/internal/platform/errs"
)

// AddCustomer adds a retail customer of a sponsor: an id and a name without a place in
// the binary tree, who cannot sign in. The same key with the same customer is done once.
// NotFound if there is no such sponsor; Refused if the sponsor is blocked.
func (s *Service) AddCustomer(ctx context.Context, by actor.By, key string, r member.Registration) (j Joined, err error) {
	r.Password, r.Position = "", 0 // it has neither
	body, err := json.Marshal(r)   //nolint:gosec // its password is empty
	if err != nil {
		return j, err
	}
	if key == "" { // only a command with a key stores its answer in the chain, which Check needs
		key = "customer " + rand.Text()
	}
	answer, err := s.opt.Do.Do(ctx, ledger.Command{Actor: by.Key(), Key: key, Body: body, Run: func(ctx context.Context, tx *ledger.Tx) ([]byte, error) {
		if err := s.sponsors(ctx, tx, r.Sponsor); err != nil {
			return nil, err
		}
		id, err := s.ids(ctx, tx)
		if err != nil {
			return nil, err
		}
		p, err := s.opt.Tree.PlaceCustomer(ctx, tx, r.Sponsor, id)
		if err != nil {
			return nil, err
		}
		m := member.Member{UID: p.UID, Name: r.Name, Email: r.Email, Mobile: r.Mobile, Country: r.Country, JoinedAt: p.Joined}
		if err := s.opt.Members.Add(ctx, tx, m); err != nil {
			return nil, err
		}
		e := auditlog.Entry{Operator: by.Operator, Name: by.Name, Act: "customer entered", Member: p.UID, Became: auditlog.State(map[string]string{"sponsor": strconv.FormatInt(r.Sponsor, 10)})}
		if err := s.opt.AuditLog.Write(ctx, tx, e); err != nil {
			return nil, err
		}
		return json.Marshal(joined(p))
	}})
	if err != nil {
		return j, err
	}
	return j, json.Unmarshal(answer.Response, &j)
}

// sponsors is NotFound if there is no such member, and Refused if they are blocked.
func (s *Service) sponsors(ctx context.Context, tx *ledger.Tx, uid int64) error {
	m, found, err := s.opt.Members.GetIn(ctx, tx, uid)
	switch {
	case err != nil:
		return err
	case !found:
		return errs.New(errs.NotFound, "member.sponsor_unknown", tree.NoSponsor)
	case m.Blocked():
		return errs.New(errs.Refused, "member.sponsor_blocked", SponsorBlocked)
	}
	return nil
}
