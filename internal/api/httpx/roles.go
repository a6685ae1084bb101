package httpx

import (
	"slices"

	"github.com/bifolia/bifolia/internal/people/auth"
	"github.com/bifolia/bifolia/internal/platform/errs"
)

var (
	everyRole       = auth.Roles()
	ownerRoles      = []auth.Role{auth.RoleOwner}
	moneyRoles      = []auth.Role{auth.RoleOwner, auth.RoleFinance}
	complianceRoles = []auth.Role{auth.RoleOwner, auth.RoleCompliance}
	supportRoles    = []auth.Role{auth.RoleOwner, auth.RoleSupport, auth.RoleCompliance}
	workingRoles    = slices.DeleteFunc(auth.Roles(), func(r auth.Role) bool { return r == auth.RoleReadOnly })
	auditRoles      = []auth.Role{auth.RoleOwner, auth.RoleCompliance, auth.RoleReadOnly}
	reportRoles     = []auth.Role{auth.RoleOwner, auth.RoleFinance, auth.RoleCompliance, auth.RoleReadOnly}
	evidenceRoles   = slices.DeleteFunc(auth.Roles(), func(r auth.Role) bool { return r == auth.RoleSupport })
	visitRoles      = slices.DeleteFunc(auth.Roles(), func(r auth.Role) bool { return !r.MayVisit() })
)

// operatorRoles maps every operator call to the roles that may make it. A call that is
// missing here is denied to all.
var operatorRoles = map[string][]auth.Role{
	"/api/operator/logout": everyRole,
	"/api/operator/ticket": visitRoles,
	"/api/operator/me":     everyRole,
	"/api/operator/prove":  everyRole,
	"/api/operator/health": everyRole,

	"/api/operator/factor/begin":       everyRole,
	"/api/operator/factor/confirm":     everyRole,
	"/api/operator/factor/reset":       ownerRoles,
	"/api/operator/sessions":           everyRole, // sessions of other operators: owners only
	"/api/operator/sessions/end":       everyRole,
	"/api/operator/sessions/endOthers": everyRole,

	"/api/operator/password":        everyRole, // the caller's password
	"/api/operator/passkey/prove":   everyRole,
	"/api/operator/passkeys":        everyRole, // the caller's passkeys
	"/api/operator/passkeys/begin":  everyRole,
	"/api/operator/passkeys/add":    everyRole,
	"/api/operator/passkeys/remove": everyRole,

	"/api/operator/operators":        everyRole,
	"/api/operator/invite":           ownerRoles,
	"/api/operator/invite/again":     ownerRoles,
	"/api/operator/role":             ownerRoles,
	"/api/operator/end":              ownerRoles,
	"/api/operator/proposals":        ownerRoles,
	"/api/operator/proposals/decide": ownerRoles,

	"/api/operator/members":                    everyRole,
	"/api/operator/members/newest":             everyRole,
	"/api/operator/member":                     everyRole,
	"/api/operator/member/entries":             everyRole,
	"/api/operator/member/purchases":           everyRole,
	"/api/operator/member/incomes":             everyRole,
	"/api/operator/member/requests":            everyRole,
	"/api/operator/member/notes":               everyRole,
	"/api/operator/member/note":                workingRoles,
	"/api/operator/member/transactionPassword": visitRoles,
	"/api/operator/member/factor/reset":        visitRoles,
	"/api/operator/member/flags":               everyRole,
	"/api/operator/member/flag":                workingRoles,
	"/api/operator/member/legalHold":           complianceRoles,
	"/api/operator/member/duplicates":          everyRole,
	"/api/operator/member/sessions/end":        visitRoles,

	"/api/operator/erasures":               complianceRoles,
	"/api/operator/member/privacy":         complianceRoles,
	"/api/operator/member/erasure/propose": complianceRoles,
	"/api/operator/member/erasure/decide":  complianceRoles,
	"/api/operator/member/export":          complianceRoles,

	"/api/operator/audit":        auditRoles,
	"/api/operator/audit/export": auditRoles,

	"/api/operator/reports":        reportRoles,
	"/api/operator/reports/export": reportRoles,

	"/api/operator/close/days":         everyRole,
	"/api/operator/close/progress":     everyRole,
	"/api/operator/close/day":          everyRole,
	"/api/operator/close/replay":       everyRole,
	"/api/operator/close/replay/start": everyRole, // changes nothing
	"/api/operator/trading/lines":      everyRole,
	"/api/operator/close/preview":      moneyRoles,
	"/api/operator/close/propose":      moneyRoles,
	"/api/operator/close/commit":       moneyRoles,

	"/api/operator/customer": moneyRoles,

	"/api/operator/plan":          everyRole,
	"/api/operator/plan/validate": everyRole,
	"/api/operator/plan/proposal": everyRole,
	"/api/operator/plan/propose":  moneyRoles,
	"/api/operator/plan/approve":  moneyRoles,
	"/api/operator/plan/cancel":   moneyRoles,

	"/api/operator/plan/whatif":       everyRole,
	"/api/operator/plan/whatif/start": moneyRoles,

	"/api/operator/settings":          everyRole,
	"/api/operator/settings/history":  everyRole,
	"/api/operator/settings/proposal": everyRole,
	"/api/operator/settings/validate": everyRole,
	"/api/operator/brand/propose":     complianceRoles,
	"/api/operator/brand/decide":      complianceRoles,
	"/api/operator/settings/propose":  moneyRoles,
	"/api/operator/settings/decide":   moneyRoles,
	"/api/operator/settings/cancel":   moneyRoles,

	"/api/operator/pnl":        moneyRoles,
	"/api/operator/settle":     moneyRoles,
	"/api/operator/chargeback": moneyRoles,
	"/api/operator/recall":     moneyRoles,

	"/api/operator/booking/proposal": everyRole,
	"/api/operator/booking/decide":   moneyRoles,
	"/api/operator/booking/cancel":   moneyRoles,
	"/api/operator/bookings":         everyRole,

	"/api/operator/correction":        moneyRoles,
	"/api/operator/correction/decide": moneyRoles,
	"/api/operator/corrections":       everyRole,

	"/api/operator/claims":        everyRole,
	"/api/operator/evidence":      moneyRoles,
	"/api/operator/evidence/file": evidenceRoles,

	"/api/operator/fundRequests":         everyRole,
	"/api/operator/fundRequests/approve": moneyRoles,
	"/api/operator/fundRequests/reject":  moneyRoles,
	"/api/operator/fundRequests/release": moneyRoles,
	"/api/operator/fundRequests/claims":  everyRole,
	"/api/operator/deposits/sweep":       moneyRoles,

	"/api/operator/unmatchedPayments":        moneyRoles,
	"/api/operator/unmatchedPayments/export": moneyRoles,

	"/api/operator/withdrawals":         everyRole,
	"/api/operator/withdrawals/approve": moneyRoles,
	"/api/operator/withdrawals/reject":  moneyRoles,
	"/api/operator/withdrawals/sent":    moneyRoles,
	"/api/operator/withdrawals/failed":  moneyRoles,
	"/api/operator/withdrawals/confirm": moneyRoles,
	"/api/operator/newsletter":          everyRole,

	"/api/operator/tickets":           everyRole,
	"/api/operator/tickets/thread":    everyRole,
	"/api/operator/tickets/answer":    supportRoles,
	"/api/operator/tickets/close":     supportRoles,
	"/api/operator/tickets/reopen":    supportRoles,
	"/api/operator/tickets/assign":    supportRoles,
	"/api/operator/tickets/complaint": supportRoles,

	"/api/operator/chain":           everyRole,
	"/api/operator/payouts":         everyRole,
	"/api/operator/payouts/batch":   everyRole,
	"/api/operator/payouts/propose": moneyRoles,
	"/api/operator/payouts/approve": moneyRoles,
	"/api/operator/payouts/cancel":  moneyRoles,
	"/api/operator/payouts/export":  moneyRoles,
	"/api/operator/payouts/import":  moneyRoles,
	"/api/operator/payouts/confirm": moneyRoles,
	"/api/operator/payouts/replace": moneyRoles,
	"/api/operator/payouts/return":  moneyRoles,

	"/api/operator/payouts/hold":         everyRole,
	"/api/operator/payouts/hold/settle":  moneyRoles,
	"/api/operator/payouts/hold/dismiss": moneyRoles,
	"/api/operator/payouts/hold/adopt":   moneyRoles,

	"/api/operator/block":   complianceRoles,
	"/api/operator/unblock": complianceRoles,
}

// SeesBankDetails tells whether a role sees members' bank details, PAN and Aadhaar numbers
// unmasked, on screens and in files. Finance compares them before paying.
func SeesBankDetails(role auth.Role) bool { return slices.Contains(moneyRoles, role) }

// RoleAllows tells whether a role may make a call.
func RoleAllows(role auth.Role, call string) bool { return slices.Contains(operatorRoles[call], role) }

// CheckRole rejects an operator whose role may not make a call.
func CheckRole(s auth.Session, path string) error {
	if !RoleAllows(s.Role, path) {
		return errs.New(errs.Forbidden, "session.wrong_role", "Your role, {role}, cannot use this call.", "role", s.Role)
	}
	return nil
}
