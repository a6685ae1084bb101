// Package operator holds the calls of operators.
package operator

import (
	"github.com/danielgtaylor/huma/v2"

	"github.com/bifolia/bifolia/internal/api/httpx"
	"github.com/bifolia/bifolia/internal/cash/cashier"
	"github.com/bifolia/bifolia/internal/cash/payout"
	"github.com/bifolia/bifolia/internal/core/auditlog"
	"github.com/bifolia/bifolia/internal/core/tree"
	"github.com/bifolia/bifolia/internal/insight/figures"
	"github.com/bifolia/bifolia/internal/insight/report"
	"github.com/bifolia/bifolia/internal/office/settings"
	"github.com/bifolia/bifolia/internal/office/staff"
	"github.com/bifolia/bifolia/internal/people/enrol"
	"github.com/bifolia/bifolia/internal/people/member"
	"github.com/bifolia/bifolia/internal/people/support"
	"github.com/bifolia/bifolia/internal/people/team"
	"github.com/bifolia/bifolia/internal/trade/booking"
	"github.com/bifolia/bifolia/internal/trade/closing"
	"github.com/bifolia/bifolia/internal/trade/market"
)

type Calls struct {
	*httpx.Base
	Enrol    *enrol.Service
	Team     *team.Service
	Tree     *tree.Service
	Members  *member.Service
	Support  *support.Service
	Market   *market.Service
	Closing  *closing.Service
	Bookings *booking.Service
	Staff    *staff.Service
	AuditLog *auditlog.Service
	Report   *report.Service
	Figures  *figures.Service
	Payout   *payout.Service
	Chain    ChainStatuser // nil if no chain is configured
	Health   Healther
	Cashier  *cashier.Service
	Balances Balancer // nil if no chain is configured
	Settings *settings.Service
	WhatIf   WhatIfer
	Replay   Replayer
}

// Routes registers the calls. It uses no service, so that the contract can be built
// without any.
func (c *Calls) Routes(api huma.API) {
	c.registerUnmatched(api)
	c.registerTicket(api)
	c.registerOperators(api)
	c.registerMembers(api)
	c.registerFlags(api)
	c.registerPrivacy(api)
	c.registerAudit(api)
	c.registerReports(api)
	c.registerClose(api)
	c.registerTrading(api)
	c.registerBookings(api)
	c.registerCorrections(api)
	c.registerClaims(api)
	c.registerPayouts(api)
	c.registerFunds(api)
	c.registerSupport(api)
	c.registerPlan(api)
	c.registerCustomer(api)
	c.registerHealth(api)
	c.registerSettings(api)
	c.registerWhatIf(api)
	c.registerReplay(api)
	c.registerCloseDay(api)
	c.registerMemberLists(api)
	c.registerHold(api)
	c.registerSweep(api)
}
