package app

import (
	"context"

	"github.com/bifolia/bifolia/internal/cash/cashier"
	"github.com/bifolia/bifolia/internal/cash/payout"
	"github.com/bifolia/bifolia/internal/core/auditlog"
	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/core/mail"
	"github.com/bifolia/bifolia/internal/core/tree"
	"github.com/bifolia/bifolia/internal/httpapi"
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

// services are what the calls of the API are made of.
type services struct {
	Auth     *auth.Service
	Mail     *mail.Service
	Profile  *profile.Service
	Members  *member.Service
	Office   *staff.Service
	Cashier  *cashier.Service
	Settings *settings.Service
	Frozen   func(context.Context) (string, error) // why money stands still; "" while it moves
	Enrol    *enrol.Service
	Team     *team.Service
	Tree     *tree.Service
	News     *newsletter.Service
	Open     *transparency.Service
	Secret   []byte // signs the welcome cookie
	Features httpapi.Features
	Do       ledger.CommandRunner
	Support  *support.Service
	Market   *market.Service
	IFSC     *ifsc.Finder
	AuditLog *auditlog.Service
	Report   *report.Service
	Watch    httpapi.Watcher // nil when no chain is configured
	// Confirmations is how deep a payment must be to count.
	Confirmations int64
	Notices       *notice.Service
	Closing       *closing.Service
	Operate       *booking.Service
	Figures       *figures.Service
	Payout        *payout.Service
	Chain         httpapi.ChainStatuser // nil when no chain is configured
	Health        httpapi.Healther
	Balances      httpapi.Balancer // likewise
	WhatIf        httpapi.WhatIfer
	Replay        httpapi.Replayer
}

// calls are the API's calls over the services.
func (a *App) calls() *httpapi.Calls {
	s := &a.services
	base := httpapi.NewBase(s.Auth, a.clock, a.cfg.RegistrationsPerHour, a.cfg.Demo)
	return &httpapi.Calls{
		SignIn:   httpapi.SignInCalls{Base: base, Profile: s.Profile, Members: s.Members, Office: s.Office, Cashier: s.Cashier, Settings: s.Settings, Frozen: s.Frozen},
		Public:   httpapi.PublicCalls{Base: base, Members: s.Members, Settings: s.Settings, Enrol: s.Enrol, Team: s.Team, Tree: s.Tree, News: s.News, Open: s.Open, Secret: s.Secret, Features: s.Features},
		Member:   httpapi.MemberCalls{Base: base, Profile: s.Profile, Members: s.Members, Cashier: s.Cashier, Settings: s.Settings, Enrol: s.Enrol, Team: s.Team, Tree: s.Tree, Features: s.Features, Do: s.Do, Support: s.Support, Market: s.Market, IFSC: s.IFSC, AuditLog: s.AuditLog, Report: s.Report, Watch: s.Watch, Confirmations: s.Confirmations, Notices: s.Notices},
		Operator: httpapi.OperatorCalls{Base: base, Members: s.Members, Office: s.Office, Cashier: s.Cashier, Settings: s.Settings, Enrol: s.Enrol, Team: s.Team, Tree: s.Tree, Support: s.Support, Market: s.Market, AuditLog: s.AuditLog, Report: s.Report, Closing: s.Closing, Operate: s.Operate, Figures: s.Figures, Payout: s.Payout, Chain: s.Chain, Health: s.Health, Balances: s.Balances, WhatIf: s.WhatIf, Replay: s.Replay},
	}
}
