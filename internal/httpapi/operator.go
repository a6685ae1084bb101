package httpapi

import (
	"github.com/danielgtaylor/huma/v2"

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

// OperatorCalls are the calls of operators.
type OperatorCalls struct {
	*Base
	Enrol    *enrol.Service
	Team     *team.Service
	Tree     *tree.Service
	Members  *member.Service
	Support  *support.Service
	Market   *market.Service
	Closing  *closing.Service
	Operate  *booking.Service
	Office   *staff.Service
	AuditLog *auditlog.Service
	Report   *report.Service
	Figures  *figures.Service
	Payout   *payout.Service
	Chain    ChainStatuser // nil when no chain is configured
	Health   Healther
	Cashier  *cashier.Service
	Balances Balancer // likewise
	Settings *settings.Service
	WhatIf   WhatIfer
	Replay   Replayer
}

// Routes adds the calls. It uses no service, so that the contract can be written
// without any.
func (c *OperatorCalls) Routes(api huma.API) {
	c.registerUnmatched(api)
	c.registerOperator(api)
	c.registerOperators(api)
	c.registerMembers(api)
	c.registerFlags(api)
	c.registerPrivacy(api)
	c.registerAudit(api)
	c.registerReports(api)
	c.registerOperatorClose(api)
	c.registerTrading(api)
	c.registerBookings(api)
	c.registerCorrections(api)
	c.registerClaims(api)
	c.registerPayouts(api)
	c.registerOperatorFunds(api)
	c.registerOperatorSupport(api)
	c.registerOperatorPlan(api)
	c.registerOperatorCustomer(api)
	c.registerHealth(api)
	c.registerSettings(api)
	c.registerWhatIf(api)
	c.registerReplay(api)
	c.registerCloseDay(api)
	c.registerMemberLists(api)
	c.registerHold(api)
	c.registerSweep(api)
}
