package app

import (
	"context"

	"github.com/bifolia/bifolia/internal/api"
	"github.com/bifolia/bifolia/internal/api/httpx"
	memberapi "github.com/bifolia/bifolia/internal/api/member"
	operatorapi "github.com/bifolia/bifolia/internal/api/operator"
	publicapi "github.com/bifolia/bifolia/internal/api/public"
	"github.com/bifolia/bifolia/internal/api/signin"
	"github.com/bifolia/bifolia/internal/cash/cashier"
	"github.com/bifolia/bifolia/internal/cash/payout"
	"github.com/bifolia/bifolia/internal/core/auditlog"
	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/core/mail"
	"github.com/bifolia/bifolia/internal/core/tree"
	"github.com/bifolia/bifolia/internal/insight/figures"
	"github.com/bifolia/bifolia/internal/insight/report"
	"github.com/bifolia/bifolia/internal/insight/transparency"
	"github.com/bifolia/bifolia/internal/office/settings"
	"github.com/bifolia/bifolia/internal/office/staff"
	"github.com/bifolia/bifolia/internal/people/auth"
	"github.com/bifolia/bifolia/internal/people/enrol"
	"github.com/bifolia/bifolia/internal/people/ifsc"
	"github.com/bifolia/bifolia/internal/people/member"
	"github.com/bifolia/bifolia/internal/people/newsletter"
	"github.com/bifolia/bifolia/internal/people/notice"
	"github.com/bifolia/bifolia/internal/people/profile"
	"github.com/bifolia/bifolia/internal/people/support"
	"github.com/bifolia/bifolia/internal/people/team"
	"github.com/bifolia/bifolia/internal/trade/booking"
	"github.com/bifolia/bifolia/internal/trade/closing"
	"github.com/bifolia/bifolia/internal/trade/market"
)

// services are the services behind the calls of the API.
type services struct {
	Auth         *auth.Service
	Mail         *mail.Service
	Profile      *profile.Service
	Members      *member.Service
	Staff        *staff.Service
	Cashier      *cashier.Service
	Settings     *settings.Service
	Frozen       func(context.Context) (string, error) // why payments are frozen; "" if they are not
	Enrol        *enrol.Service
	Team         *team.Service
	Tree         *tree.Service
	Newsletter   *newsletter.Service
	Transparency *transparency.Service
	Secret       []byte // signs the welcome cookie
	Features     publicapi.Features
	Do           ledger.CommandRunner
	Support      *support.Service
	Market       *market.Service
	IFSC         *ifsc.Finder
	AuditLog     *auditlog.Service
	Report       *report.Service
	Watch        memberapi.Watcher // nil if no chain is configured
	// Confirmations is the number of confirmations that a payment needs.
	Confirmations int64
	Notices       *notice.Service
	Closing       *closing.Service
	Bookings      *booking.Service
	Figures       *figures.Service
	Payout        *payout.Service
	Chain         operatorapi.ChainStatuser // nil if no chain is configured
	Health        operatorapi.Healther
	Balances      operatorapi.Balancer // nil if no chain is configured
	WhatIf        operatorapi.WhatIfer
	Replay        operatorapi.Replayer
}

func (a *App) calls() *api.Calls {
	s := &a.services
	base := httpx.NewBase(s.Auth, a.clock, a.cfg.RegistrationsPerHour, a.cfg.Demo)
	return &api.Calls{
		SignIn:   signin.Calls{Base: base, Profile: s.Profile, Members: s.Members, Staff: s.Staff, Cashier: s.Cashier, Settings: s.Settings, Frozen: s.Frozen},
		Public:   publicapi.Calls{Base: base, Members: s.Members, Settings: s.Settings, Enrol: s.Enrol, Team: s.Team, Tree: s.Tree, Newsletter: s.Newsletter, Transparency: s.Transparency, Secret: s.Secret, Features: s.Features},
		Member:   memberapi.Calls{Base: base, Profile: s.Profile, Members: s.Members, Cashier: s.Cashier, Settings: s.Settings, Enrol: s.Enrol, Team: s.Team, Tree: s.Tree, Features: s.Features, Do: s.Do, Support: s.Support, Market: s.Market, IFSC: s.IFSC, AuditLog: s.AuditLog, Report: s.Report, Watch: s.Watch, Confirmations: s.Confirmations, Notices: s.Notices},
		Operator: operatorapi.Calls{Base: base, Members: s.Members, Staff: s.Staff, Cashier: s.Cashier, Settings: s.Settings, Enrol: s.Enrol, Team: s.Team, Tree: s.Tree, Support: s.Support, Market: s.Market, AuditLog: s.AuditLog, Report: s.Report, Closing: s.Closing, Bookings: s.Bookings, Figures: s.Figures, Payout: s.Payout, Chain: s.Chain, Health: s.Health, Balances: s.Balances, WhatIf: s.WhatIf, Replay: s.Replay},
	}
}
