package httpapi

import (
	"github.com/danielgtaylor/huma/v2"

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

// MemberCalls are the calls of members.
type MemberCalls struct {
	*Base
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
	Watch    Watcher // nil when no chain is configured
	// Confirmations is how deep a payment must be to count.
	Confirmations int64
	Settings      *settings.Service
	Notices       *notice.Service
	Features      Features
}

// Routes adds the calls. It uses no service, so that the contract can be written
// without any.
func (c *MemberCalls) Routes(api huma.API) {
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
	c.registerOwnAudit(api)
}
