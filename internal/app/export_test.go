package app

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/xuri/excelize/v2"

	"github.com/bifolia/bifolia/internal/cash/fund"
	"github.com/bifolia/bifolia/internal/core/tree"
	"github.com/bifolia/bifolia/internal/tools/testkit"
)

// table reads a file in a response.
func (a answer) table(format string) [][]string {
	a.t.Helper()
	if a.status != http.StatusOK {
		a.t.Fatalf("%s answered %d: %s", a.call, a.status, a.text)
	}
	if !strings.HasSuffix(a.header.Get("Content-Disposition"), "."+format+`"`) {
		a.t.Errorf("%s is called %s", a.call, a.header.Get("Content-Disposition"))
	}
	if format == "csv" {
		all, err := csv.NewReader(strings.NewReader(strings.TrimPrefix(a.text, "\uFEFF"))).ReadAll()
		if err != nil {
			a.t.Fatal(err)
		}
		return all
	}
	f, err := excelize.OpenReader(bytes.NewReader([]byte(a.text)))
	if err != nil {
		a.t.Fatal(err)
	}
	defer f.Close()
	all, err := f.GetRows(f.GetSheetName(0), excelize.Options{RawCellValue: true})
	if err != nil {
		a.t.Fatal(err)
	}
	return all
}

func (c client) export(report, kind, format string) [][]string {
	c.s.t.Helper()
	q := url.Values{"uid": {id(c.uid)}, "report": {report}, "type": {kind}, "format": {format}}
	return c.get("export?" + q.Encode()).table(format)
}

// heads are the columns of every report.
var heads = map[[2]string]string{
	{"DirectReport", ""}:      "S.No,User Id,User Name,Contact No.,Status,Registration Date,Activation Date,Robot Investment,Forex Investment,Crypto Investment,Position",
	{"DownlineReport", ""}:    "S.No,User Id,User Name,Status,Level,Registration Date,Activation Date,Robot Investment,Forex Investment,Crypto Investment,Position,Sponsor ID",
	{"LevelDetails", ""}:      "S.No,User Id,User Name,Status,Level,Registration Date,Activation Date,Robot Investment,Forex Investment,Crypto Investment,Sponsor ID",
	{"DirectLegBusiness", ""}: "S.No,User Id,Forex Self Business,Forex Team Business,Crypto Self Business,Crypto Team Business",

	{"GetIncomeReport", "LevelIncome"}:            "S.No,From Id,On Amount,Level,Income,Remark,Created At",
	{"GetIncomeReport", "binaryIncome"}:           "S.No,User Id,Matched Business,Income,Capping Amount,Created At",
	{"GetIncomeReport", "salaryincome"}:           "S.No,User Id,Level,Income,Created At",
	{"GetIncomeReport", "royalty_income"}:         "S.No,User Id,Level,Income,Created At",
	{"GetIncomeReport", "user_rank"}:              "S.No,User Id,Level,Rank,Req Match Bot,Match Bot,Reward,Date,Achieved Status,Achieved Date",
	{"GetIncomeReport", "user_reward"}:            "S.No,User Id,Level,Req. leg1,leg1,Req. Other Leg,Other Leg,Reward,Salary,Date,Achieved Status,Achieved Date",
	{"GetIncomeReport", "RoiIncomeForex"}:         "S.No,User Id,On Amount,On Rate,Income,Status,Created At",
	{"GetIncomeReport", "RoiToLevelIncomeForex"}:  "S.No,From Id,On Amount,Level,Income,Remark,Status,Created At",
	{"GetIncomeReport", "RoiIncomeCrypto"}:        "S.No,User Id,On Amount,On Rate,Income,Status,Created At",
	{"GetIncomeReport", "RoiToLevelIncomeCrypto"}: "S.No,From Id,On Amount,Level,Income,Remark,Status,Created At",
	{"GetIncomeReport", "RoiIncome"}:              "S.No,User Id,On Amount,On Rate,Income,Created At",
	{"GetIncomeReport", "RoiToLevelIncome"}:       "S.No,From Id,On Amount,Level,Income,Remark,Created At",
	{"GetIncomeReport", "FOREXWithdrawalCliam"}:   "S.No,User Id,Amount,Wallet Type,Income,Net Amount,Created At,Claim,Status,Claim Date",
	{"GetIncomeReport", "CRYPTOWithdrawalCliam"}:  "S.No,User Id,Amount,Wallet Type,Income,Net Amount,Created At,Claim,Status,Claim Date",
	{"GetIncomeReport", "DirectLegBusiness"}:      "S.No,User Id,Forex Self Business,Forex Team Business,Crypto Self Business,Crypto Team Business",
	{"GetIncomeReport", "Packages"}:               "S.No,Id,Package,Amount,From Amount,To Amount",
	{"GetIncomeReport", "ForexPackage"}:           "S.No,Id,Package,Amount,From Amount,To Amount",
	{"GetIncomeReport", "CryptoPackage"}:          "S.No,Id,Package,Amount,From Amount,To Amount",
	{"FundRequestHistory", ""}:                    requestHead,
	{"FundRequestHistory", "2"}:                   requestHead,
	{"FundTransferToUserHistory", "3"}:            "S.No,To UserId,User Name,Amount($),Wallet Type,Date",
	{"FundTransferToUserHistory", "4"}:            "S.No,User Id,Received By,Received Amount,Deduct Amount,Received Date,Fund Type",
	{"WithdrawlHistory", ""}:                      withdrawalHead,
	{"UserHelpDeskHistory", ""}:                   "S.No,Ticket Id,Query,Admin Reply,Request Date,Status,Reply Date",

	{"GetIncomeReport", "WithdrawlHistory"}: withdrawalHead,
}

const (
	requestHead    = "S.No,Request Id,User Id,Amount,Transaction No.,Status,Remark,Bank Name,Account Holder,Account Number,IFSC,Branch,Fund Type,Request Date,Response Date"
	withdrawalHead = "Withdrawal ID,Amount,Charge,Withdrawal Amount,Withdrawl Type,Fund Type,Status,Request Date,Response Date"
)

func TestEveryReportIsExportedWithAllRows(t *testing.T) {
	t.Parallel()
	for _, code := range []string{"1", "5", "8", "9", "10", "11"} {
		heads[[2]string{"ActivationHistory", code}] = "S.No.,User Id,User Name,Refer By,Package Amount,Package,Remark,Type,Date"
	}
	smoke(t, func(t *testing.T, dsn string) {
		s, root, anna := bought(t, dsn)
		for _, utr := range []string{"ABC123456", "ABC123457"} {
			root.post("FundRequest", m{"uid": id(root.uid), "bankid": "1", "amount": "100", "utrno": utr})
		}
		root.post("Helpdesk_By_User", m{"uid": id(root.uid), "query": "=1+1, and why?"})
		root.post("Helpdesk_By_User", m{"uid": id(root.uid), "query": "Is anybody there?"})
		s.deposit(root.uid, fund.Robot, "5")
		s.clock.Advance(20 * 24 * time.Hour)
		if err := s.closeUntil("2026-12-04"); err != nil {
			t.Fatal(err)
		}
		root, anna = s.login(root.uid, rootPassword), s.login(anna.uid, password)
		for _, c := range []client{root, anna} {
			for of, head := range heads {
				body := m{"uid": id(c.uid)}
				call, field := of[0], "type"
				if strings.HasPrefix(call, "Fund") {
					field = "action"
				}
				if of[1] != "" {
					body[field] = of[1]
				}
				if call == "WithdrawlHistory" {
					call, body["type"] = "GetIncomeReport", call
				}
				var got struct{ Total int }
				c.post(call, body).into(&got)
				text, sheet := c.export(of[0], of[1], "csv"), c.export(of[0], of[1], "xlsx")
				if strings.Join(text[0], ",") != head || !slices.Equal(text[0], sheet[0]) {
					t.Errorf("%v has the columns %v and %v", of, text[0], sheet[0])
				}
				if len(text)-1 != got.Total || len(sheet)-1 != got.Total {
					t.Errorf("%v of %d has %d rows in all, %d as csv, %d as xlsx", of, c.uid, got.Total, len(text)-1, len(sheet)-1)
				}
			}
		}
		if asked := root.export("FundRequestHistory", "2", "csv"); len(asked) != 3 || asked[1][4] != "ABC123457" || asked[1][5] != "Pending" {
			t.Errorf("the fund requests are %v", asked)
		}
		if asked := root.export("UserHelpDeskHistory", "", "csv"); len(asked) != 3 || asked[2][2] != "'=1+1, and why?" || asked[2][5] != "open" {
			t.Errorf("the tickets are %v", asked)
		}
		if in := root.export("FundTransferToUserHistory", "4", "csv"); len(in) < 2 || in[1][2] != "Deposit" {
			t.Errorf("what came in is %v", in)
		}
		level := root.export("GetIncomeReport", "LevelIncome", "csv")
		row := root.report("LevelIncome", nil).Data[0][0]
		if len(level) < 2 || level[1][1] != row["uid"] || level[1][4] != row["income"] || level[1][6] != row["dd"] {
			t.Errorf("the level income is %v, not %v", level, row)
		}
		// A file between days has the rows of the report.
		for from, to := range map[string]string{"2026-11-01": "2026-12-04", "2026-12-05": "2026-12-31", "2020-01-01": "2026-11-01"} {
			q := url.Values{"uid": {id(root.uid)}, "report": {"GetIncomeReport"}, "type": {"LevelIncome"}, "format": {"csv"}, "fdate": {from}, "tdate": {to}}
			want := len(root.report("LevelIncome", m{"fdate": from, "tdate": to}).Data[0])
			if got := len(root.get("export?"+q.Encode()).table("csv")) - 1; got != want || (from == "2026-11-01") != (want > 0) {
				t.Errorf("from %s to %s a file has %d rows, and the report %d", from, to, got, want)
			}
		}
		sheet := root.export("GetIncomeReport", "LevelIncome", "xlsx")
		if want := strings.TrimRight(strings.TrimRight(row["income"].(string), "0"), "."); sheet[1][4] != want {
			t.Errorf("as a number it is %q, not %q", sheet[1][4], want)
		}
	})
}

func TestAStatementBeginsAndEndsWithTheBalance(t *testing.T) {
	t.Parallel()
	testkit.Site(t, func(t *testing.T, dsn string) {
		s := openSite(t, dsn)
		me := s.login(s.root.UID, rootPassword)
		s.deposit(me.uid, fund.Robot, "100") // on 2026-11-15
		s.clock.Advance(24 * time.Hour)
		s.deposit(me.uid, fund.Robot, "20.5")
		s.buy(me.uid, 1, "50") // deposits its price
		s.clock.Advance(24 * time.Hour)
		s.deposit(me.uid, fund.Robot, "7")
		s.clock.Advance(time.Hour)
		me = s.login(s.root.UID, rootPassword)
		statement := func(from, to, format string) answer {
			return me.get("statement?" + url.Values{"uid": {id(me.uid)}, "wallet": {"FUNDS"}, "fdate": {from}, "tdate": {to}, "format": {format}}.Encode())
		}
		for _, c := range []struct {
			from, to, opening, closing string
			entries                    int
		}{
			{"", "", "0.000000", "127.500000", 5},
			{"2026-11-16", "2026-11-16", "100.000000", "120.500000", 3},
			{"2026-11-16", "", "100.000000", "127.500000", 4},
			{"", "2026-11-15", "0.000000", "100.000000", 1},
			{"2026-11-18", "2026-11-30", "127.500000", "127.500000", 0},
			{"2020-01-01", "2020-01-02", "0.000000", "0.000000", 0},
		} {
			all := statement(c.from, c.to, "csv").table("csv")[1:]
			first, last := all[0], all[len(all)-1]
			if first[2] != "Opening balance" || first[7] != c.opening || last[2] != "Closing balance" || last[7] != c.closing || len(all)-2 != c.entries {
				t.Errorf("from %q to %q: %v", c.from, c.to, all)
			}
			balance := c.opening
			for _, e := range all[1 : len(all)-1] {
				if sum := fmt.Sprintf("%.6f", number(t, balance)+number(t, e[5])-number(t, e[6])); sum != e[7] {
					t.Errorf("%s and %v do not give %s", balance, e, e[7])
				}
				balance = e[7]
			}
			if balance != c.closing {
				t.Errorf("the entries end at %s, not %s", balance, c.closing)
			}
		}
		a := statement("2026-11-16", "2026-11-17", "pdf")
		if a.status != 200 || !strings.HasPrefix(a.text, "%PDF-") || a.header.Get("Content-Type") != "application/pdf" {
			t.Errorf("the PDF: %d %.40s", a.status, a.text)
		}
		if name := a.header.Get("Content-Disposition"); name != `attachment; filename="statement-robot-fund-`+id(me.uid)+`-from-2026-11-16-to-2026-11-17.pdf"` {
			t.Errorf("it is called %s", name)
		}
		if sheet := statement("", "", "xlsx").table("xlsx"); len(sheet) != 8 || sheet[7][4] != "127.5" || sheet[2][1] != "Deposit" || !strings.HasPrefix(sheet[5][1], "Bought ") {
			t.Errorf("the sheet is %v", sheet)
		}
		var seen struct {
			Data struct {
				Opening, In, Out, Closing string
				Lines                     []struct{ Kind, Amount, Balance, Package string }
			}
		}
		me.get("statementPreview?" + url.Values{"uid": {id(me.uid)}, "wallet": {"FUNDS"}, "fdate": {"2026-11-16"}, "tdate": {"2026-11-16"}}.Encode()).into(&seen)
		if d := seen.Data; d.Opening != "100.000000" || d.In != "70.500000" || d.Out != "50.000000" || d.Closing != "120.500000" || len(d.Lines) != 3 || d.Lines[0].Kind != "buy" || d.Lines[0].Package == "" {
			t.Errorf("the preview is %+v", d)
		}
	})
}

func TestStatementNamesTheOtherParty(t *testing.T) {
	t.Parallel()
	testkit.Site(t, func(t *testing.T, dsn string) {
		s := openSite(t, dsn)
		me, pin := s.anna()
		berta := s.register(me.uid, tree.Left, "Berta Birch")
		s.deposit(me.uid, fund.Robot, "100")
		body := m{"user_id": berta, "referby": me.uid, "amount": 30, "wallettype": "FUNDS", "ctrans_password": pin}
		if got := me.post("FundTransferToUser", body).told(); got != "success" {
			t.Fatal(got)
		}
		for _, c := range []struct {
			client
			want string
		}{{me, id(berta) + " Berta Birch"}, {s.login(berta, password), id(me.uid) + " Anna Alpha"}} {
			for _, format := range []string{"csv", "xlsx"} {
				q := url.Values{"uid": {id(c.uid)}, "wallet": {"FUNDS"}, "format": {format}}
				all := c.get("statement?" + q.Encode()).table(format)
				if words := fmt.Sprint(all); format == "xlsx" && (!strings.Contains(words, c.want) || strings.Contains(words, "transfer")) {
					t.Errorf("the sheet of %d is %s, without %q", c.uid, words, c.want)
				}
				for _, e := range all {
					if len(e) > 2 && e[2] == "transfer" && e[len(e)-1] != c.want {
						t.Errorf("%s of %d says %v, want %q", format, c.uid, e, c.want)
					}
					if len(e) > 2 && e[2] == "deposit" && format == "csv" && e[9] != "" {
						t.Errorf("a deposit comes from %q", e[9])
					}
				}
			}
		}
	})
}

func TestStatementNamesThePackageAndTheMemberOfAPurchase(t *testing.T) {
	t.Parallel()
	testkit.Site(t, func(t *testing.T, dsn string) {
		s := openSite(t, dsn)
		me, pin := s.anna()
		berta := s.register(me.uid, tree.Left, "Berta Birch")
		s.deposit(me.uid, fund.Robot, "100")
		if got := me.post("ActivationByFund", m{"user_id": id(berta), "referby": id(me.uid), "package": "1", "type": "FUNDS", "topuptype": "Activation", "ctrans_password": pin}); got.status != http.StatusOK {
			t.Fatal(got.text)
		}
		q := url.Values{"uid": {id(me.uid)}, "wallet": {"FUNDS"}, "format": {"xlsx"}}
		if sheet := fmt.Sprint(me.get("statement?" + q.Encode()).table("xlsx")); !strings.Contains(sheet, "Bought ") || !strings.Contains(sheet, " for "+id(berta)+" Berta Birch") {
			t.Errorf("the sheet is %s", sheet)
		}
	})
}

func number(t *testing.T, s string) (f float64) {
	t.Helper()
	if _, err := fmt.Sscan(s, &f); err != nil {
		t.Fatal(s, err)
	}
	return f
}

func TestInvalidExportIsRefused(t *testing.T) {
	t.Parallel()
	s := sqliteSite(t)
	uid := s.register(s.root.UID, tree.Left, "Anna Alpha")
	me := s.login(uid, password)
	for path, want := range map[string][]string{
		"export?uid=x&report=Everything&format=doc&fdate=1.1.2026&tdate=x":                                                 {"uid", "report", "format", "fdate", "tdate"},
		"export?uid=" + id(uid) + "&report=GetIncomeReport&type=no&format=csv":                                             {"type"},
		"export?uid=" + id(uid) + "&report=ActivationHistory&type=2&format=csv":                                            {"type"},
		"export?uid=" + id(uid) + "&report=DirectReport&format=csv&status=7":                                               {"status"},
		"export?uid=" + id(uid) + "&report=DirectReport&format=pdf":                                                        {"format"},
		"export?uid=" + id(uid) + "&report=DirectReport&format=csv&fdate=2026-02-02&tdate=2026-02-01":                      {"tdate"},
		"export?uid=" + id(uid) + "&report=GetIncomeReport&type=LevelIncome&format=xlsx&fdate=2026-02-02&tdate=2026-02-01": {"tdate"},
		"statement?uid=" + id(uid) + "&wallet=A:CLIENT&format=csv":                                                         {"wallet"},
		"statement?uid=" + id(uid) + "&wallet=FUNDS&format=doc":                                                            {"format"},
		"statement?uid=" + id(uid) + "&wallet=FUNDS&format=csv&fdate=2026-02-02&tdate=2026-02-01":                          {"tdate"},
	} {
		a := me.get(path)
		if got := a.refused(http.StatusBadRequest); !slices.Equal(got, want) {
			t.Errorf("%s names %v, not %v", path, got, want)
		}
		if a.header.Get("Content-Disposition") != "" {
			t.Errorf("%s is offered as a file", path)
		}
	}
	for _, path := range []string{"export?report=DownlineReport&format=csv", "statement?wallet=FUNDS&format=csv"} {
		me.get(path + "&uid=" + id(s.root.UID)).refused(http.StatusForbidden)
		s.operator().get(path + "&uid=" + id(uid)).refused(http.StatusForbidden)
	}
}
