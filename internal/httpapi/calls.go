package httpapi

import (
	"context"
	"net/http"
	"runtime"

	"github.com/danielgtaylor/huma/v2"

	"github.com/bifolia/bifolia/internal/cash/cashier"
	"github.com/bifolia/bifolia/internal/cash/payout"
	"github.com/bifolia/bifolia/internal/core/auditlog"
	"github.com/bifolia/bifolia/internal/core/ledger"
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
	"github.com/bifolia/bifolia/internal/platform/clock"
	"github.com/bifolia/bifolia/internal/platform/errs"
	"github.com/bifolia/bifolia/internal/trade/booking"
	"github.com/bifolia/bifolia/internal/trade/closing"
	"github.com/bifolia/bifolia/internal/trade/market"
)

// Calls are the product's typed calls over its services.
type Calls struct {
	Do       ledger.CommandRunner
	Auth     *auth.Service
	Enrol    *enrol.Service
	Profile  *profile.Service
	Team     *team.Service
	Tree     *tree.Service
	Members  *member.Service
	Support  *support.Service
	Market   *market.Service
	Closing  *closing.Service
	Operate  *booking.Service
	Office   *staff.Service
	IFSC     *ifsc.Finder
	AuditLog *auditlog.Service
	Demo     bool // one operator may close days
	Report   *report.Service
	Figures  *figures.Service
	Payout   *payout.Service
	Chain    ChainStatuser // nil when no chain is configured
	Health   Healther
	Cashier  *cashier.Service
	Watch    Watcher  // nil when no chain is configured
	Balances Balancer // likewise
	// Confirmations is how deep a payment must be to count.
	Confirmations int64
	Settings      *settings.Service
	WhatIf        WhatIfer
	Replay        Replayer
	News          *newsletter.Service
	Open          *transparency.Service
	Notices       *notice.Service
	Frozen        func(context.Context) (string, error) // why money stands still; "" while it moves
	Clock         clock.Clock
	Secret        []byte // signs the welcome cookie
	Features      Features
	// Registrations is how many may join from one address within an hour; 0 is
	// any number.
	Registrations int
	limits        limits
	turns         chan struct{}
	files         turnstile
}

// Features are parts of the product that are there and off unless asked for.
type Features struct {
	BankDetails       bool
	ForgotPasswordOTP bool // a mailed code before a password is sent or changed
}

// Routes adds every call. It uses no service, so that the contract can be
// written without any.
func (c *Calls) Routes(api huma.API) {
	c.limits = newLimits(c.Clock, c.Registrations)
	c.turns = make(chan struct{}, 2*runtime.GOMAXPROCS(0))
	c.registerAccess(api)
	c.registerEnrol(api)
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
	c.registerUnmatched(api)
	c.registerWithdraw(api)
	c.registerOperator(api)
	c.registerOffice(api)
	c.registerPasskeys(api)
	c.registerProve(api)
	c.registerFactor(api)
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
	c.registerExport(api)
	c.registerBrand(api)
	c.registerNewsletter(api)
	c.registerOperatorPlan(api)
	c.registerOperatorCustomer(api)
	c.registerHealth(api)
	c.registerSettings(api)
	c.registerWhatIf(api)
	c.registerReplay(api)
	c.registerCloseDay(api)
	c.registerMemberLists(api)
	c.registerNotice(api)
}

// turn lets reads work in the order in which they came, a few at a time: when
// many ask at once, waiting in turn makes the slowest answer far sooner than
// sharing the cores does. The answer is written after the turn, so that a slow
// client holds nobody up.
func (c *Calls) turn(ctx context.Context) (done func(), err error) {
	select {
	case c.turns <- struct{}{}:
		return func() { <-c.turns }, nil
	case <-ctx.Done():
		return nil, errs.Wrap(errs.Unavailable, ctx.Err(), "request.given_up", "The request was given up.")
	}
}

// inTurn is a call that reads, in its turn.
func inTurn[I, O any](c *Calls, call func(context.Context, *I) (*O, error)) func(context.Context, *I) (*O, error) {
	return func(ctx context.Context, in *I) (*O, error) {
		done, err := c.turn(ctx)
		if err != nil {
			return nil, err
		}
		defer done()
		return call(ctx, in)
	}
}

// post and get register one call. The operation's id is its path.
func post[I, O any](api huma.API, tag, path, summary string, call func(context.Context, *I) (*O, error)) {
	register(api, http.MethodPost, tag, path, summary, call)
}

func get[I, O any](api huma.API, tag, path, summary string, call func(context.Context, *I) (*O, error)) {
	register(api, http.MethodGet, tag, path, summary, call)
}

// postProved registers a call that a session opens only with a proof of the last
// few minutes: a stolen token alone must not do what it does.
func postProved[I, O any](api huma.API, tag, path, summary string, call func(context.Context, *I) (*O, error)) {
	o := operation(http.MethodPost, tag, path, summary)
	o.Metadata = map[string]any{needsProof: true}
	huma.Register(api, o, call)
}

func register[I, O any](api huma.API, method, tag, path, summary string, call func(context.Context, *I) (*O, error)) {
	huma.Register(api, operation(method, tag, path, summary), call)
}

func operation(method, tag, path, summary string) huma.Operation {
	return huma.Operation{OperationID: operationID(path), Method: method, Path: "/api/" + path, Summary: summary, Tags: []string{tag}}
}

// operationID is a path as a name: sessions/end becomes sessionsEnd.
func operationID(path string) string {
	out := make([]byte, 0, len(path))
	upper := false
	for i := range len(path) {
		switch c := path[i]; {
		case c == '/':
			upper = true
		case upper && c >= 'a' && c <= 'z':
			out, upper = append(out, c-'a'+'A'), false
		default:
			out, upper = append(out, c), false
		}
	}
	return string(out)
}

// The contract's chapters.
const (
	tagPublic   = "Public pages"
	tagAccess   = "Signing in"
	tagEnrol    = "Joining"
	tagTeam     = "Team"
	tagMember   = "Member"
	tagSupport  = "Support"
	tagMarket   = "Buying and investing"
	tagReport   = "Incomes and histories"
	tagFunds    = "Funds and withdrawals"
	tagOperator = "Operators"
)

// Keyed is what mutating calls accept. It is exported because huma does not look
// into embedded types that are not.
type Keyed struct {
	Key string `header:"Idempotency-Key" maxLength:"100" doc:"The same key and body give the same answer, done once."`
}

// reading are calls that change nothing although they are sent by POST: every
// process answers them itself.
var reading = map[string]bool{
	"/api/userDashboard": true, "/api/userdashboard": true, "/api/GetDashRecentData": true, "/api/UserInformation": true,
	"/api/DirectReport": true, "/api/DownlineReport": true, "/api/LevelDetails": true, "/api/DirectLegBusiness": true,
	"/api/binaryTree": true, "/api/UserHelpDeskHistory": true,
	"/api/GetIncomeReport": true, "/api/ActivationHistory": true, "/api/IncomeWhy": true, "/api/IncomeByDay": true,
	"/api/FundRequestHistory": true, "/api/FundTransferToUserHistory": true,
	"/api/operator/plan/validate": true, "/api/operator/settings/validate": true,
}

// from is where a request came from, as auth notes it.
func from(ctx context.Context, claimed, agent string) auth.From {
	return auth.From{Peer: Peer(ctx), ClaimedIP: cut(claimed, 45), Agent: cut(agent, 200)}
}

func cut(s string, limit int) string { return s[:min(len(s), limit)] }
