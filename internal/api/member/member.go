// Package member holds the calls of members.
package member

import (
	"github.com/danielgtaylor/huma/v2"

	"github.com/bifolia/bifolia/internal/api/httpx"
	publicapi "github.com/bifolia/bifolia/internal/api/public"
	"github.com/bifolia/bifolia/internal/cash/cashier"
	"github.com/bifolia/bifolia/internal/core/auditlog"
	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/core/tree"
	"github.com/bifolia/bifolia/internal/insight/report"
	"github.com/bifolia/bifolia/internal/office/settings"
	"github.com/bifolia/bifolia/internal/people/enrol"
	"github.com/bifolia/bifolia/internal/people/ifsc"
	"github.com/bifolia/bifolia/internal/people/member"
	"github.com/bifolia/bifolia/internal/people/notice"
	"github.com/bifolia/bifolia/internal/people/profile"
	"github.com/bifolia/bifolia/internal/people/support"
	"github.com/bifolia/bifolia/internal/people/team"
	"github.com/bifolia/bifolia/internal/trade/market"
)

type Calls struct {
	*httpx.Base
	Do       ledger.CommandRunner
	Enrol    *enrol.Service
	Profile  *profile.Service
	Team     *team.Service
	Tree     *tree.Service
	Members  *member.Service
	Support  *support.Service
	Market   *market.Service
	IFSC     *ifsc.Finder
	AuditLog *auditlog.Service
	Report   *report.Service
	Cashier  *cashier.Service
	Watch    Watcher // nil if no chain is configured
	// Confirmations is the number of confirmations that a payment needs.
	Confirmations int64
	Settings      *settings.Service
	Notices       *notice.Service
	Features      publicapi.Features
}

// Routes registers the calls. It uses no service, so that the contract can be built
// without any.
func (c *Calls) Routes(api huma.API) {
	c.registerTeam(api)
	c.registerTree(api)
	c.registerDashboard(api)
	c.registerProfile(api)
	c.registerEmail(api)
	c.registerSupport(api)
	c.registerMarket(api)
	c.registerReport(api)
	c.registerFunds(api)
	c.registerDeposits(api)
	c.registerWithdraw(api)
	c.registerExport(api)
	c.registerNotice(api)
	c.registerAudit(api)
}
