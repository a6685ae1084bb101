package app

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/bifolia/bifolia/internal/core/tree"
	"github.com/bifolia/bifolia/internal/tools/testkit"
)

// operation is one call of the contract.
type operation struct {
	method, path string
	guarded      bool
	fields       []string // of its body
}

func (o operation) operators() bool { return strings.HasPrefix(o.path, "operator/") }

// operations are all calls of the contract. Paths are without /api/.
func (s *site) operations() (all []operation) {
	s.t.Helper()
	var doc struct {
		Paths map[string]map[string]struct {
			Security    []map[string][]string
			RequestBody struct {
				Content map[string]struct {
					Schema struct {
						Ref string `json:"$ref"`
					}
				}
			}
		}
		Components struct {
			Schemas map[string]struct{ Properties map[string]any }
		}
	}
	if err := json.Unmarshal(s.api.Contract(), &doc); err != nil {
		s.t.Fatal(err)
	}
	for path, methods := range doc.Paths {
		for method, op := range methods {
			o := operation{method: strings.ToUpper(method), path: strings.TrimPrefix(path, "/api/"), guarded: len(op.Security) > 0}
			if body, ok := op.RequestBody.Content["application/json"]; ok {
				schema := doc.Components.Schemas[body.Schema.Ref[strings.LastIndexByte(body.Schema.Ref, '/')+1:]]
				o.fields = slices.Sorted(maps.Keys(schema.Properties))
			}
			all = append(all, o)
		}
	}
	return all
}

// publicCalls are the calls without a session.
var publicCalls = []string{
	"GET GetcountrybyID", "GET WelcomeDetails", "GET brand", "GET check_sponsorid", "GET countryList", "GET ip", "GET limits", "GET newsletter/confirm", "GET newsletter/unsubscribe", "GET transparency", "GET version",
	"POST ForgetPassword", "POST ResetPassword", "POST Withdrawalupdate", "POST email/confirm", "POST email/undo", "POST login", "POST login/factor", "POST loginAdmin", "POST newsletter", "POST newsletter/confirm", "POST newsletter/unsubscribe", "POST operator/accept", "POST operator/login", "POST operator/passkey/begin", "POST operator/passkey/login", "POST registration",
}

// goodBodies are valid requests about uid, by path.
func goodBodies(uid int64) map[string][]m {
	one := func(more m) []m {
		body := m{"uid": id(uid)}
		maps.Copy(body, more)
		return []m{body}
	}
	return map[string][]m{
		"userDashboard": one(nil), "userdashboard": one(nil), "DashboardOverview": one(nil), "UserInformation": one(nil), "GetDashRecentData": one(m{"type": 1}),
		"DirectReport": one(nil), "DownlineReport": one(nil), "LevelDetails": one(nil), "DirectLegBusiness": one(nil),
		"binaryTree":       {{"loginId": id(uid)}},
		"Helpdesk_By_User": one(m{"query": "Where is my money?"}), "UserHelpDeskHistory": one(nil), "TicketMessage": one(m{"ticket_id": "100001", "query": "One more thing."}), "ticket": one(m{"id": "100001"}),
		"UpdateProfile": {
			profileForm(uid, "whatsoe7er"),
			{"uid": uid, "type": "password", "cpassword": password, "password": "another-one"},
			{"uid": uid, "type": "trans_password", "ctrans_password": "whatsoe7er", "trans_password": "whatever2"},
			{"uid": uid, "type": "ecurrency", "accountaddress": "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed", "ctrans_password": "whatsoe7er"},
			bankForm(uid, "whatsoe7er"),
		},
		"GetIncomeReport": one(m{"type": "LevelIncome"}), "ActivationHistory": one(m{"type": 5}), "IncomeWhy": one(m{"row": 1}), "IncomeByDay": one(nil),
		"export": one(m{"report": "DirectReport", "format": "csv"}), "statement": one(m{"wallet": "FUNDS", "format": "csv"}), "statementPreview": one(m{"wallet": "FUNDS"}),
		"getIncomeAmount":  {{"sid": id(uid), "type": "LevelIncome"}},
		"ActivationByFund": {purchaseForm(uid, "FUNDS")}, "UpgradebyFund": {purchaseForm(uid, "FUNDS")},
		"ActivationByFund_investment": {purchaseForm(uid, "FOREXFUNDS")}, "UpgradeByFund_investment": {purchaseForm(uid, "CRYPTOFUNDS")},
		"RefundPurchase": one(m{"sale": "s1", "ctrans_password": "whatsoe7er"}), "Claiminvestment": {{"referby": id(uid), "user_id": id(uid), "RowID": "C-p1"}},
		"FundRequest":    one(m{"bankid": 1, "amount": "100", "utrno": "HDFC000000000001"}),
		"DepositAddress": one(nil), "DepositIntent": one(m{"amount": "100", "Fundtype": "FUNDS"}), "CancelDepositIntent": one(m{"id": "1"}),
		"FundRequestHistory": one(m{"action": 2}), "adminBankDetailsByBankid": one(m{"id": 0, "action": 1}),
		"FundTransferToUser":        {{"referby": id(uid), "user_id": "999999", "amount": "1", "wallettype": "FUNDS", "ctrans_password": "whatsoe7er"}},
		"FundTransferToUserHistory": one(m{"action": 3}),
		"Withdrawal":                one(m{"Request_amount": "20", "otp": "123456", "withdrawlType": "USDT", "withdrawlby": "By User", "Wtype": "LevelIncome"}),
		"CancelWithdrawal":          one(m{"id": "100001"}),
		"factor":                    {nil}, "factor/prove": {nil}, "factor/begin": {{"password": password}}, "factor/confirm": {{"code": "123456"}},
		"factor/withdrawal": {{"Request_amount": "20", "Wtype": "LevelIncome", "withdrawlType": "USDT"}}, "factor/recovery": {{"password": password, "code": "123456"}}, "factor/disable": {{"password": password, "code": "123456"}},
		"factor/passkeys/begin": {{"password": password}}, "factor/passkeys/add": {{"flow": "x", "name": "phone"}},
		"factor/passkeys/rename": {{"id": "x", "name": "phone"}}, "factor/passkeys/remove": {{"id": "x", "password": password}},
		"account": {nil}, "email/send": {nil}, "email/cancel": {nil}, "email/correct": {{"password": password, "email": "corrected@mail.example"}}, "email/keep": {{"password": password, "transactionPassword": "whatsoe7er"}}, "transactionPassword/send": {{"password": password}}, "sessions": {nil}, "sessions/end": {{"id": strings.Repeat("A", 26)}}, "sessions/endOthers": {nil}, "logout": {nil},
		"audit": one(nil), "refundable": one(nil), "investments": one(m{"line": "FOREX"}), "lessons": one(nil), "notices": one(nil), "notices/read": one(m{"upto": "2026-01-31T09:30:00Z"}), "moneyRules": {nil}, "ifsc": {{"ifsc": "HDFC0000001"}},
	}
}

// purchaseForm is a valid purchase for the caller.
func purchaseForm(uid int64, fund string) m {
	return m{"referby": id(uid), "user_id": id(uid), "package": "1", "amount": "100", "type": fund, "ctrans_password": "whatsoe7er"}
}

func (c client) do(o operation, body m) answer {
	c.s.t.Helper()
	if o.method == http.MethodGet {
		query := url.Values{}
		for k, v := range body {
			query.Set(k, fmt.Sprint(v))
		}
		return c.get(o.path + "?" + query.Encode())
	}
	return c.post(o.path, body)
}

func TestEveryCallIsRefusedWithoutItsRight(t *testing.T) {
	t.Parallel()
	testkit.Site(t, func(t *testing.T, dsn string) {
		s := openSite(t, dsn)
		uid := s.register(s.root.UID, tree.Left, "Anna Alpha")
		expired := s.login(uid, password)
		s.clock.Advance(31 * time.Minute)
		gone := s.login(uid, password)
		gone.post("logout", nil).into(&m{})
		me, operator := s.login(uid, password), s.operator()
		visit := s.visit(operator, uid)
		var ticket struct{ Data struct{ Enpass string } }
		operator.post("operator/ticket", m{"uid": uid, "reason": "only to look at it"}).into(&ticket)
		unsigned := base64.RawURLEncoding.EncodeToString([]byte(`{"alg":"none","typ":"JWT"}`)) + "." + strings.Split(me.token, ".")[1] + "."

		bodies, others := goodBodies(uid), goodBodies(s.root.UID)
		var open []string
		before := s.counts()
		for _, o := range s.operations() {
			if !o.guarded {
				open = append(open, o.method+" "+o.path)
				if a := s.visitor().do(o, m{}); a.status == http.StatusUnauthorized || a.status == http.StatusForbidden || a.status >= 500 {
					t.Errorf("%s is public and answers %d", o.path, a.status)
				}
				continue
			}
			if len(bodies[o.path]) == 0 && !o.operators() {
				t.Errorf("nothing is known of %s: add what a member may send to goodBodies", o.path)
				continue
			}
			for name, token := range map[string]string{
				"no": "", "a nonsensical": "x.y.z", "an expired": expired.token, "a signed-out": gone.token,
				"an unsigned": unsigned, "a ticket as": ticket.Data.Enpass,
			} {
				c := s.visitor()
				c.token = token
				for _, body := range append(bodies[o.path], m{"uid": uid}) {
					if a := c.do(o, body); a.status != http.StatusUnauthorized {
						t.Errorf("%s token at %s: %d", name, o.path, a.status)
					} else {
						a.unauthenticated()
					}
				}
			}
			stranger := []client{operator}
			if o.operators() {
				stranger = []client{me, visit}
			}
			for _, c := range stranger {
				c.do(o, m{"uid": uid}).refused(http.StatusForbidden)
			}
			if slices.ContainsFunc(o.fields, func(f string) bool { return f == "uid" || f == "loginId" || f == "referby" }) {
				for _, body := range others[o.path] {
					me.do(o, body).refused(http.StatusForbidden)
					visit.do(o, body).refused(http.StatusForbidden)
				}
			}
		}
		if after := s.counts(); after != before {
			t.Errorf("something was left behind:\n%s\n%s", before, after)
		}
		if slices.Sort(open); !slices.Equal(open, publicCalls) {
			t.Errorf("public are\n%v, want\n%v", open, publicCalls)
		}
	})
}

func TestImpersonationChangesNothing(t *testing.T) {
	t.Parallel()
	s := sqliteSite(t, "--bank-details", "true")
	uid := s.register(s.root.UID, tree.Left, "Anna Alpha")
	me := s.login(uid, password)
	var mine struct{ Data [][]struct{ ID string } }
	me.get("sessions").into(&mine)
	visit := s.visit(s.operator(), uid)
	looks := []string{
		"ActivationHistory", "DirectLegBusiness", "DirectReport", "DownlineReport", "FundRequestHistory", "FundTransferToUserHistory", "GetDashRecentData", "GetIncomeReport", "IncomeByDay", "LevelDetails", "UserHelpDeskHistory", "UserInformation", "account", "audit", "ifsc", "notices", "refundable",
		"DashboardOverview", "adminBankDetailsByBankid", "DepositAddress", "binaryTree", "factor", "getIncomeAmount", "investments", "lessons", "moneyRules", "sessions", "statementPreview", "userDashboard", "userdashboard",
	}
	before := s.counts()
	for _, o := range s.operations() {
		if !o.guarded || o.operators() || o.path == "logout" {
			continue
		}
		for _, body := range goodBodies(uid)[o.path] {
			if o.path == "sessions/end" {
				body["id"] = mine.Data[0][0].ID
			}
			switch {
			case o.path == "IncomeWhy" || o.path == "ticket": // it may ask, and there is no such income or ticket
				visit.do(o, body).refused(http.StatusNotFound)
			case o.path == "export" || o.path == "statement": // files
				visit.do(o, body).table("csv")
			case slices.Contains(looks, o.path):
				visit.do(o, body).into(&m{})
			default:
				visit.do(o, body).refused(http.StatusForbidden)
			}
		}
	}
	if after := s.counts(); after != before {
		t.Errorf("a visit changed something:\n%s\n%s", before, after)
	}
	me.post("userDashboard", m{"uid": uid}).into(&m{})
	visit.post("logout", nil).into(&m{})
	visit.post("userDashboard", m{"uid": uid}).unauthenticated()
	me.post("userDashboard", m{"uid": uid}).into(&m{})
}

func TestTemporaryPasswordAllowsOnlyItsChange(t *testing.T) {
	t.Parallel()
	s := sqliteSite(t, "--bank-details", "true")
	uid := s.register(s.root.UID, tree.Left, "Anna Alpha")
	me := s.temporary(uid, "anna.alpha@mail.example")
	for _, o := range s.operations() {
		if !o.guarded || o.path == "logout" {
			continue
		}
		for _, body := range append(goodBodies(uid)[o.path], m{"uid": uid}) {
			switch {
			case o.path == "userDashboard" || o.path == "userdashboard":
				me.do(o, body).into(&m{})
			case o.path == "UpdateProfile" && (body["type"] == "password" || body["type"] == nil):
			default:
				me.do(o, body).refused(http.StatusForbidden)
			}
		}
	}
	me.post("logout", nil).into(&m{})
	me.post("userDashboard", m{"uid": uid}).unauthenticated()
}

// temporary signs in a member by a mailed temporary password.
func (s *site) temporary(uid int64, email string) client {
	s.t.Helper()
	if text := s.visitor().post("ForgetPassword", m{"uid": uid, "otp": ""}).data(); text != "Password sent to Email Id" {
		s.t.Fatalf("ForgetPassword answered %v", text)
	}
	word := after(s.letters(email)[0].Text, "Temporary password:")
	c := s.visitor()
	var got struct {
		Data struct {
			Result     string
			MustChange bool
		}
		Token string
	}
	c.post("login", m{"uid": uid, "password": word}).into(&got)
	if got.Data.Result != "Successfull" || !got.Data.MustChange {
		s.t.Fatalf("the login by a temporary password answered %+v", got)
	}
	c.uid, c.token = uid, got.Token
	return c
}
